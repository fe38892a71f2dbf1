"""Detect when a reader has been polled long enough to know which chips lie on it.

An open reader without chips may simply not have been polled yet. A client that remembers a chip
there must not count it as lifted until that is known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from tags.presence import Road, UnfitKind
from tags.readers.base import Reader, find_kind, find_road

POLLS = 4
"""Polls after opening by which presence is certain, once a dropout time has also passed: an unknown
chip is read twice, and a lifted one is missed for that long."""


class SettlingReader:
    """A wrapper of ``reader`` that calls ``on_settled`` in its thread once after each opening.

    ``dropout`` is the seconds for which a chip may go unseen without being lifted.
    """

    def __init__(self, reader: Reader, on_settled: Callable[[], None], dropout: float) -> None:
        self.reader = reader
        self._on_settled = on_settled
        self._dropout = dropout
        self._polls = 0
        self._until = 0.0

    @property
    def name(self) -> str:
        """The reader's display name."""
        return self.reader.name

    def open(self) -> None:
        """Open it.  Raises ``ReaderGone``."""
        self._polls = 0
        self.reader.open()
        self._until = time.monotonic() + (2 * self._dropout if self.road.by_hand else 0)

    @property
    def road(self) -> Road:
        """What the reader can see and do."""
        return find_road(self.reader)

    def find_kind(self, uid: bytes) -> UnfitKind | None:
        """The kind of a card that cannot be used, as the last poll saw it."""
        return find_kind(self.reader, uid)

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips on it.  Raises ``ReaderGone``."""
        # The last poll's result has been processed by now.
        if self._polls == POLLS and time.monotonic() < self._until:
            return self.reader.poll()
        if self._polls == POLLS:
            self._on_settled()
        if self._polls <= POLLS:
            self._polls += 1
        return self.reader.poll()

    def close(self) -> None:
        """Close it."""
        self.reader.close()
