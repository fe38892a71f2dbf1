"""Chips and readers: detecting taps, and reading and writing chips.

Knows nothing of games, files or screens. ``readers`` talks to the hardware, ``presence`` turns
sightings into taps and lifts, ``watch`` runs a reader in its own thread, ``access`` reads and
writes chips.
"""
