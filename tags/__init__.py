"""Chips and readers: from a chip lying on a reader to the meaning of a tap.

Knows nothing of the rules, of files or of any screen.  ``readers`` talks to the hardware,
``presence`` turns sightings into taps and lifts, ``watch`` runs a reader in a thread of its own,
``registry`` says what each chip stands for, ``simulator`` is a reader for tables without one.
"""
