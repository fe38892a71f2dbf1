"""Two chips with one id, seen because they lie on two readers at once.

A chip that is moved from one reader to another is seen on both for a moment: the first reader needs
a moment to miss it. So two chips are told only when anything else happens before that.
"""

from __future__ import annotations

from tags.watch import Lift, Tap


class Twins:
    """What lies on each reader, and which id lies on two of them."""

    def __init__(self) -> None:
        self._lying: dict[str, bytes] = {}
        self._doubtful: tuple[str, bytes] | None = None  # the reader that has not missed it yet

    def see(self, touch: Tap | Lift) -> list[bytes]:
        """Take in what happened; the ids that are certain by it to be two chips'."""
        moved = isinstance(touch, Lift) and self._doubtful == (touch.reader, touch.uid)
        found = [] if moved else self.rest()
        self._doubtful = None
        if isinstance(touch, Lift):
            self._lying.pop(touch.reader, None)
            return found
        for reader, uid in self._lying.items():
            if uid == touch.uid and reader != touch.reader:
                self._doubtful = reader, uid
        self._lying[touch.reader] = touch.uid
        return found

    def rest(self) -> list[bytes]:
        """The ids that still lie on two readers now that nothing more will happen."""
        return [self._doubtful[1]] if self._doubtful is not None else []
