"""Chips and readers: from a chip lying on a reader to a tap, and to what is written on the chip.

Knows no game, no file and no screen.  ``readers`` talks to the hardware, ``presence`` turns
sightings into taps and lifts, ``watch`` runs a reader in a thread of its own, ``access`` reads and
writes chips, ``simulator`` is a reader for tables without one.
"""
