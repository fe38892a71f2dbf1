"""The phones of a table: pages and answers over HTTP, and the door that decides who gets in.

What a phone shows and does is `companion.phones`; here is how it comes and goes. The server has a
thread of its own, and whatever concerns the game is asked of the game's thread (`desk`). Loaded
only when phones are wanted.
"""
