"""What the companion says: labels of moves, what happened, whose turn it is, the state of the game.

Everything here is made from a view (`engine.views.redact`), never from the full table, and in the
current language (`companion.language`).
"""
