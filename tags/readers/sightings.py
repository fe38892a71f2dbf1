"""Readers that report chips by messages, over a network or a line of text: from messages to polls.

Such a reader says that a chip has come; some also say that it has gone, others repeat the chip for
as long as it lies there, others do neither.
"""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections.abc import Callable, Sequence

from tags.presence import Road
from tags.readers.file_reader import Script
from tags.uids import LENGTHS

_SEPARATORS = re.compile(r"[\s:.-]+")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_MADE = b"\xff"
"""The first byte of ids made here: no chip's id begins with it (ISO 14443-3)."""


class Sightings:
    """The chip on one reader at the end of ``road``, from its messages; ``clock`` counts seconds.

    A chip that is reported again within ``road.hold`` is still lying there, also when another was
    reported in between: of two chips in a pile a reader reports now one, now the other. So is one
    that is reported again within 1.5 intervals after its going.
    """

    def __init__(self, road: Road, clock: Callable[[], float] = time.monotonic) -> None:
        self._hold = road.hold
        self._grace = 1.5 * road.interval
        self._clock = clock
        self._script = Script()
        self._lying: dict[bytes, float] = {}  # until when each chip counts as lying
        self._last: bytes | None = None  # the one that polls see
        self._reports_going = False

    def begin(self) -> None:
        """Start after opening."""
        self._script.begin()

    def see(self, uid: bytes) -> None:
        """The reader reports this chip."""
        now = self._clock()
        self._end_if_due(now)
        until = now + self._hold
        self._lying = {other: min(end, until) for other, end in self._lying.items()}
        if uid not in self._lying:
            self._script.hold(uid)
            self._last = uid
        self._lying[uid] = math.inf if self._reports_going else until

    def leave(self, uid: bytes | None = None) -> None:
        """The reader reports that this chip, or whichever lay there, has gone."""
        self._reports_going = True
        until = self._clock() + self._grace
        for other in self._lying if uid is None else self._lying.keys() & {uid}:
            self._lying[other] = until

    def poll(self) -> Sequence[bytes]:
        """The chips of the next poll."""
        self._end_if_due(self._clock())
        return self._script.poll()

    def _end_if_due(self, now: float) -> None:
        self._lying = {uid: until for uid, until in self._lying.items() if now < until}
        if self._last is not None and self._last not in self._lying:
            self._script.lift()
            self._last = None


def parse_id(text: str) -> bytes | None:
    """The id of a chip as readers write it; None if it cannot be one.

    8, 14 or 20 hex digits, with any separators, are the id itself; 5 to 10 decimal digits are a
    125 kHz chip's number below 2^32, which becomes 4 bytes. Readers of other makes send other
    numbers, and Home Assistant's tags a UUID: any other 4 to 64 letters, digits and separators
    become an id of 10 bytes that begins with FF, the same for the same text.
    """
    text = text.strip()
    digits = _SEPARATORS.sub("", text)
    if _HEX.fullmatch(digits) and len(digits) in {2 * length for length in LENGTHS}:
        return bytes.fromhex(digits)
    if digits.isascii() and digits.isdecimal() and 5 <= len(digits) <= 10 and int(digits) < 1 << 32:
        return int(digits).to_bytes(4, "big")
    if digits.isascii() and digits.isalnum() and 4 <= len(digits) <= 64:
        return _MADE + hashlib.sha256(digits.lower().encode()).digest()[:9]
    return None
