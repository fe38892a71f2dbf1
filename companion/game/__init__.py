"""A game at the table: what is asked now, what answers it, and what is said of it.

Every face (full screen, lines) draws what a `Conversation` says and hands it what people did.
"""
