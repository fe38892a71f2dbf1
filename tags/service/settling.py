"""Notices when a reader has been looked at long enough to know what lies on it.

An open reader on which nothing has been seen yet may simply not have been polled.  Whoever kept in
mind that a chip lay there must not take it for lifted before this is told apart.
"""

from __future__ import annotations

from collections.abc import Callable

from tags.readers.base import Reader

POLLS = 4
"""Polls after opening by which presence has made up its mind: an unknown chip is read twice, and
one that is gone is missed twice."""


class SettlingReader:
    """``reader`` itself, which calls ``on_settled`` in its thread once after each opening."""

    def __init__(self, reader: Reader, on_settled: Callable[[], None]) -> None:
        self.reader = reader
        self._on_settled = on_settled
        self._polls = 0

    @property
    def name(self) -> str:
        """What people call the reader."""
        return self.reader.name

    def open(self) -> None:
        """Open it.  Raises ``ReaderGone``."""
        self._polls = 0
        self.reader.open()

    def poll(self) -> bytes | None:
        """The uid of the chip on it.  Raises ``ReaderGone``."""
        # The last poll's result has been taken in before the next one is asked for.
        if self._polls == POLLS:
            self._on_settled()
        if self._polls <= POLLS:
            self._polls += 1
        return self.reader.poll()

    def close(self) -> None:
        """Let it go."""
        self.reader.close()
