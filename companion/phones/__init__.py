"""The game as phones see it: what each is shown, and what comes of what is done on one.

No rule, sentence or flow of its own: a phone is a face of the conversation like the full screen and
the lines. Everything runs on the thread that the game is played on; only `serving` knows a network,
and has a thread of its own.
"""
