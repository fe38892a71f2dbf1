"""Detects two chips with the same id, lying on two readers at once.

A chip moved between readers is briefly seen on both, until the first reader notices its absence. So
twins are reported only if anything else happens before that.
"""

from __future__ import annotations

from tags.watch import Lift, Tap


class Twins:
    """The chip on each reader, and a possible pair of twins."""

    def __init__(self) -> None:
        self._lying: dict[str, bytes] = {}
        self._doubtful: tuple[str, bytes] | None = None  # may be there no more, not yet noticed

    def see(self, touch: Tap | Lift) -> list[bytes]:
        """Note an event; returns the ids that it proves to be twins."""
        moved = isinstance(touch, Lift) and self._doubtful == (touch.reader, touch.uid)
        found = [] if moved else self.list_doubtful()
        self._doubtful = None
        if isinstance(touch, Lift):
            self._lying.pop(touch.reader, None)
            return found
        for reader, uid in self._lying.items():
            if uid == touch.uid and reader != touch.reader:
                self._doubtful = reader, uid
        self._lying[touch.reader] = touch.uid
        return found

    def list_doubtful(self) -> list[bytes]:
        """The id that is still on two readers when no more events come."""
        return [self._doubtful[1]] if self._doubtful is not None else []
