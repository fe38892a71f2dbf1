"""What a reader without an antenna pretends to see: taps and holds, handed out poll by poll.

Readers that type, and files of taps, only say that a chip was there; the polls here give it long
enough to be believed and then take it away.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

SEEN = 2
"""Polls that see a chip at least: two, because an unknown id counts only when read twice."""

UNSEEN = 2
"""Polls that miss it afterwards: as many as make a lift where no miss is doubted."""


class Script:
    """A queue of polls to come; once it is empty the last poll repeats."""

    def __init__(self) -> None:
        self._polls: deque[bytes | None] = deque()
        self._last: bytes | None = None

    def begin(self) -> None:
        """The reader is opened: what comes next was not there before, unless it is held."""
        if self._last is None:
            self._polls.appendleft(None)

    def tap(self, uid: bytes) -> None:
        """The chip is laid on and taken away, after all that was told before."""
        self._polls += [uid] * SEEN + [None] * UNSEEN

    def hold(self, uid: bytes) -> None:
        """The chip is laid on instead of what lies there, and stays."""
        self._polls += [uid] * SEEN

    def lift(self) -> None:
        """What lies there is taken away."""
        self._polls += [None] * UNSEEN

    def poll(self) -> Sequence[bytes]:
        """What the next poll sees."""
        if self._polls:
            self._last = self._polls.popleft()
        return () if self._last is None else (self._last,)
