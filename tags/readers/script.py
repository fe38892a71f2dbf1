"""The simulated polls of a reader without an antenna: taps and holds, one poll at a time.

Keyboard-like readers and files of taps only report that a chip was there; these polls show it long
enough to count, then remove it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

SEEN = 2
"""The fewest polls that see a chip: two, because an unknown id counts only when read twice."""

UNSEEN = 2
"""Polls that miss it afterwards: enough for a lift without a dropout time."""


class Script:
    """A queue of future polls; when empty, the last poll repeats."""

    def __init__(self) -> None:
        self._polls: deque[bytes | None] = deque()
        self._last: bytes | None = None

    def begin(self) -> None:
        """Start after opening: later chips were not there before, unless held."""
        if self._last is None:
            self._polls.appendleft(None)

    def tap(self, uid: bytes) -> None:
        """Queue laying the chip on and taking it away."""
        self._polls += [uid] * SEEN + [None] * UNSEEN

    def hold(self, uid: bytes) -> None:
        """Queue replacing the chip there with this one, which stays."""
        self._polls += [uid] * SEEN

    def lift(self) -> None:
        """Queue taking away the chip there."""
        self._polls += [None] * UNSEEN

    def poll(self) -> Sequence[bytes]:
        """The chips of the next poll."""
        if self._polls:
            self._last = self._polls.popleft()
        return () if self._last is None else (self._last,)
