"""The rules of Citadels: pure, without input or output but the engine's own data files.

It has no clock, randomness, screen or chips. Moves come in; the state of the table, the legal moves
and the reasons for refusals come out.
"""
