"""The rules of Citadels: pure, without input or output but the engine's own data files.

It knows no clock, no randomness, no screen and no chip. What happened at the table comes in as
moves; what the table looks like, what may come next and what the rules forbid goes out.
"""
