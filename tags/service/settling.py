"""Notices when a reader has been looked at long enough to know what lies on it.

An open reader on which nothing has been seen yet may simply not have been polled.  Whoever kept in
mind that a chip lay there must not take it for lifted before this is told apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from tags.readers.base import Reader

POLLS = 4
"""Polls after opening by which presence has made up its mind, given the time of a dropout besides:
an unknown chip is read twice, and one that is gone is missed for that long."""


class SettlingReader:
    """``reader`` itself, which calls ``on_settled`` in its thread once after each opening.

    ``dropout`` is for how many seconds a chip may be unseen that still lies there.
    """

    def __init__(self, reader: Reader, on_settled: Callable[[], None], dropout: float) -> None:
        self.reader = reader
        self._on_settled = on_settled
        self._dropout = dropout
        self._polls = 0
        self._until = 0.0

    @property
    def name(self) -> str:
        """What people call the reader."""
        return self.reader.name

    def open(self) -> None:
        """Open it.  Raises ``ReaderGone``."""
        self._polls = 0
        self.reader.open()
        self._until = time.monotonic() + (0 if self.certain else 2 * self._dropout)

    @property
    def certain(self) -> bool:
        """Whether it never misses a chip that lies there."""
        return getattr(self.reader, "certain", False)

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips on it.  Raises ``ReaderGone``."""
        # The last poll's result has been taken in before the next one is asked for.
        if self._polls == POLLS and time.monotonic() < self._until:
            return self.reader.poll()
        if self._polls == POLLS:
            self._on_settled()
        if self._polls <= POLLS:
            self._polls += 1
        return self.reader.poll()

    def close(self) -> None:
        """Let it go."""
        self.reader.close()
