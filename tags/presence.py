"""Turns what a reader sees, poll by poll, into taps and lifts.

Pure: no clock, no thread, no reader.  Whoever polls says when each poll began and ended.  A chip
that is not seen for a moment (a weak field, a card held at an angle) has not been taken away: that
is believed only after ``dropout`` seconds, while a chip that comes is told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tags.uids import is_random

DROPOUT = 0.3
"""Seconds for which a chip may be unseen without having been taken away."""

AGAIN = 1.0
"""Seconds since a chip was last seen within which it rarely comes back on purpose."""

_PHONE = b"\x08"  # stands for every phone: they show another id at every poll


@dataclass(frozen=True)
class Tap:
    """The chip has come to lie on the reader called ``reader``.

    ``chip`` is what it is called, where the reader's owner knows that already, and ``at`` when it
    came (``moments.now``), None where nobody knows.  The rest says why it may not be meant:
    ``found`` that nobody saw it come, because it lay there when the watch began; ``swapped`` that
    another chip lay there up to that moment; ``together`` that another one came with it, at once or
    sooner than a hand is; ``again`` that the same chip had left just before.  Touches are equal
    when their chips are: the rest is told, and compared by nobody.
    """

    uid: bytes
    reader: str = field(default="", compare=False)
    swapped: bool = field(default=False, compare=False)
    chip: str | None = field(default=None, compare=False)
    found: bool = field(default=False, compare=False)
    together: bool = field(default=False, compare=False)
    again: bool = field(default=False, compare=False)
    at: float | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Lift:
    """The chip has been taken away from the reader called ``reader``, or another one lies on it."""

    uid: bytes
    reader: str = field(default="", compare=False)


Touch: TypeAlias = Tap | Lift


@dataclass
class _Lying:
    """A chip on the reader: since when, and since when it has not been seen, None while it is."""

    since: float
    seen: float
    missing: float | None = None


class Presence:
    """Which chips lie on one reader; the one that came last is the one that is told of.

    ``dropout`` and ``again`` (0 or more) are the seconds described above; with 0 for both a chip is
    gone when two polls have missed it.  ``confirm`` says of an id whether it must be read twice in
    a row before it counts: a weak field can garble an id, and a garbled one is nearly always an
    unknown one.  ``present`` is the chip that lies there as far as anybody was told before.
    """

    def __init__(
        self,
        *,
        dropout: float = DROPOUT,
        again: float = AGAIN,
        confirm: Callable[[bytes], bool] | None = None,
        present: bytes | None = None,
    ) -> None:
        if dropout < 0 or again < 0:
            raise ValueError("dropout and again must be 0 or more")
        self._dropout = dropout
        self._again = again
        self._confirm = confirm
        self._present = present
        self._lying: dict[bytes, _Lying] = {}
        self._left: dict[bytes, float] = {}  # when those taken away just now were seen last
        self._doubtful: dict[bytes, tuple[bytes, float]] = {}  # read once, and when
        self._begun: float | None = None  # the first poll of this watch
        if present is not None:
            self._lying[_key(present)] = _Lying(float("-inf"), float("-inf"))

    @property
    def present(self) -> bytes | None:
        """The chip that lies there as far as anybody was told."""
        return self._present

    def see(self, chips: Sequence[bytes], began: float, ended: float) -> list[Touch]:
        """Take in one poll, what it saw and when; what happened, in order."""
        if self._begun is None:
            self._begun = began
        seen = {_key(uid): uid for uid in chips}
        for key, lying in self._lying.items():
            if key in seen:
                lying.seen, lying.missing = ended, None
            elif lying.missing is None:
                lying.missing = ended
        before, touches = self._present, self._leave(began)
        come = self._come(seen, began)
        if not come:
            return touches
        if self._present is not None:
            touches.append(Lift(self._present))
        tap = self._lay(come, ended)
        return [*touches, replace(tap, swapped=before is not None)]

    def reader_failed(self) -> None:
        """Take in that a poll failed, the reader went away, or nobody polled for a while.

        Nothing is lifted by that.  A chip still there when the reader is back gives no new tap,
        one that is gone by then is lifted by the polls that miss it, and another one is found.
        """
        self._doubtful, self._begun = {}, None
        for lying in self._lying.values():
            lying.missing = None

    def _come(self, seen: dict[bytes, bytes], began: float) -> dict[bytes, tuple[bytes, float]]:
        """The chips that are new and beyond doubt: their ids, and when each was first read."""
        new = {key: uid for key, uid in seen.items() if key not in self._lying}
        doubtful, self._doubtful = self._doubtful, {}
        come = {}
        for key, uid in new.items():
            if key in doubtful or self._confirm is None or not self._confirm(uid):
                come[key] = doubtful.get(key, (uid, began))
            else:
                self._doubtful[key] = uid, began
        return come

    def _lay(self, come: dict[bytes, tuple[bytes, float]], ended: float) -> Tap:
        """Tell of the first of these chips; the others, if any, came together with it."""
        uid, since = next(iter(come.values()))
        others = [one for one in self._lying.values() if since - one.since <= self._dropout]
        left = max((self._left.get(key, float("-inf")) for key in come), default=0.0)
        for key, (_uid, first) in come.items():
            self._lying[key] = _Lying(first, ended)
        self._present = uid
        assert self._begun is not None
        return Tap(
            uid,
            found=since - self._begun <= self._dropout,
            together=len(come) > 1 or (bool(others) and self._dropout > 0),
            again=since - left < self._again,
        )

    def _leave(self, began: float) -> list[Touch]:
        """Forget the chips that have been missing for too long to be there still."""
        gone = [
            key
            for key, lying in self._lying.items()
            if lying.missing is not None and began - lying.missing > self._dropout
        ]
        for key in gone:
            self._left[key] = self._lying.pop(key).seen
        self._left = {key: at for key, at in self._left.items() if began - at < self._again}
        if self._present is None or _key(self._present) not in gone:
            return []
        left, self._present = self._present, None
        return [Lift(left)]


def _key(uid: bytes) -> bytes:
    """What tells a chip from others: its id, unless it makes up a new one at every poll."""
    return _PHONE if is_random(uid) else uid
