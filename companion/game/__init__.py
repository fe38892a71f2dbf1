"""A game at the table: what is asked, how it is answered, and what is said about it.

Every face (full screen, plain lines) renders what a `Conversation` says and passes on user input.
"""
