"""Turns what a reader sees, poll by poll, into taps and lifts.

Pure: no clock, no thread, no reader.  Time is counted in polls, which is what makes a chip that
is missed once by a weak field different from one that was taken away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True)
class Tap:
    """The chip has come to lie on the reader called ``reader``.

    ``swapped`` is whether another chip lay there up to that moment: the next one of a stack, say.
    ``chip`` is what it is called, where the reader's owner knows that already.  ``found`` is
    whether nobody saw it come: it lay there when the watch began.  Touches are equal when their
    chips are: the rest is told, and compared by nobody.
    """

    uid: bytes
    reader: str = field(default="", compare=False)
    swapped: bool = field(default=False, compare=False)
    chip: str | None = field(default=None, compare=False)
    found: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Lift:
    """The chip has been taken away from the reader called ``reader``."""

    uid: bytes
    reader: str = field(default="", compare=False)


Touch: TypeAlias = Tap | Lift


class Presence:
    """Which chip lies on one reader.

    ``misses`` (1 or more) is after how many polls in a row without it a chip counts as lifted.
    ``confirm`` says of an id whether it must be read twice in a row before it counts: a weak
    field can garble an id, and a garbled one is nearly always an unknown one.  ``present`` is the
    chip that lies there as far as anybody was told before.
    """

    def __init__(
        self,
        *,
        misses: int = 2,
        confirm: Callable[[bytes], bool] | None = None,
        present: bytes | None = None,
    ) -> None:
        if misses < 1:
            raise ValueError("misses must be 1 or more")
        self._misses = misses
        self._confirm = confirm
        self._present = present
        self._missed = 0
        self._doubtful: bytes | None = None
        self._begins = True  # nothing is known yet of what lies there

    @property
    def present(self) -> bytes | None:
        """The chip that lies there as far as anybody was told."""
        return self._present

    def see(self, uid: bytes | None) -> list[Touch]:
        """Take in one poll, ``uid`` or None for an empty reader; what happened, in order."""
        if uid is not None and uid == self._present:
            self._missed, self._doubtful = 0, None
            return []
        if uid is None:
            self._begins = False
        if uid is None or self._in_doubt(uid):
            self._doubtful = uid
            return self._miss()
        return self._swap(uid)

    def reader_failed(self) -> None:
        """Take in that a poll failed or the reader went away.

        Nothing is lifted by that.  A chip still there when the reader is back gives no new tap,
        one that is gone by then is lifted by the polls that miss it.
        """
        self._missed, self._doubtful, self._begins = 0, None, True

    def _in_doubt(self, uid: bytes) -> bool:
        return self._confirm is not None and uid != self._doubtful and self._confirm(uid)

    def _miss(self) -> list[Touch]:
        if self._present is None:
            return []
        self._missed += 1
        return self._leave() if self._missed >= self._misses else []

    def _swap(self, uid: bytes) -> list[Touch]:
        touches = self._leave()
        self._present, self._doubtful = uid, None
        found, self._begins = self._begins, False
        return [*touches, Tap(uid, swapped=bool(touches), found=found)]

    def _leave(self) -> list[Touch]:
        left, self._present, self._missed = self._present, None, 0
        return [] if left is None else [Lift(left)]
