"""The game on phones: what each phone shows, and what an action on one does.

A phone has no rules, sentences or flow of its own: like the full screen and plain mode, it is a
face of the conversation. Everything here runs on the game's thread; only `serving` uses the
network, in a thread of its own.
"""
