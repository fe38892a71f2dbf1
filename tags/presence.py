"""Turn a reader's polls into taps and lifts.

Pure: no clock, no thread, no reader. The caller passes when each poll began and ended. A chip may
go unseen briefly (a weak field, a card held at an angle), so a lift is reported only after
``dropout`` seconds, a new chip at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from tags.links import is_random

_AWAKE_OR_NOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def moment() -> float:
    """The current time, in seconds, on a clock shared by all programs on this computer.

    It includes sleep and counts from boot, or is the time of day if that is unavailable.
    """
    return time.time() if _AWAKE_OR_NOT is None else time.clock_gettime(_AWAKE_OR_NOT)


class Clock:
    """The real time, in seconds."""

    def seconds(self) -> float:
        """A monotonic count, to measure durations."""
        return time.monotonic()

    def moment(self) -> float:
        """The same as the module's ``moment``."""
        return moment()

    def sleep(self, seconds: float) -> None:
        """Sleep; returns at once for 0 or less."""
        if seconds > 0:
            time.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait for the event or a timeout; whether the event was set."""
        return event.wait(seconds)


DROPOUT = 0.3
"""Seconds that a chip may go unseen before it counts as lifted."""

AGAIN = 1.0
"""Seconds after a chip was last seen within which a new tap is rarely intended."""


@dataclass(frozen=True)
class Traits:
    """What a road of chips can tell; the same guards apply to all.

    ``by_hand``: whether people lay the chips on, unlike the lines of a script, which may follow
    each other at once; ``writes`` whether chips can be read and written over it; ``reads_bytes``
    whether it reports a chip's own bytes, of which ISO 14443-3 says when they are random, or a
    number that a program made of them; ``hold`` the seconds that a chip counts as lying after its
    last report on a road that is not polled.
    """

    by_hand: bool = True
    writes: bool = True
    reads_bytes: bool = True
    hold: float = 1.0


POLLED = Traits()
"""A reader that is asked many times a second which chips it sees."""

_PHONE = b"\x08"  # stands for every phone: their ids change at every poll


UnfitKind = Literal["random", "iso-dep", "felica", "type b"]
"""Cards that cannot be a game's chip: those with an id that changes at every touch (phones, bank
cards), other smart cards (ISO-DEP), FeliCa, and ISO 14443 type B."""


def make_unfit_uid(kind: UnfitKind) -> bytes:
    """An id of 10 bytes for any card of that kind; no chip's id begins with FF (ISO 14443-3)."""
    return b"\xff" + kind.encode().ljust(9, b"\0")


@dataclass(frozen=True)
class Tap:
    """A chip was laid on the reader called ``reader``.

    ``chip`` is its name, if the reader's owner knows it, ``kind`` the kind of a card that cannot be
    used, if the reader can tell, and ``at`` when it came (``moment``),
    None if unknown. The other fields say why the tap may be unintended: ``found``, the chip lay
    there when the watch began; ``swapped``, another chip lay there until then; ``together``,
    another chip came with it, at once or sooner than a hand could; ``again``, the same chip had
    just left. Only the chips count for equality.
    """

    uid: bytes
    reader: str = field(default="", compare=False)
    swapped: bool = field(default=False, compare=False)
    chip: str | None = field(default=None, compare=False)
    kind: UnfitKind | None = field(default=None, compare=False)
    found: bool = field(default=False, compare=False)
    together: bool = field(default=False, compare=False)
    again: bool = field(default=False, compare=False)
    at: float | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Lift:
    """The chip was taken away from the reader called ``reader``, or replaced by another.

    ``at`` is when that was seen (``moment``), None if unknown.
    """

    uid: bytes
    reader: str = field(default="", compare=False)
    at: float | None = field(default=None, compare=False)


Touch: TypeAlias = Tap | Lift


@dataclass
class _Lying:
    """A chip on the reader: since when, and since when it is unseen, None while seen."""

    since: float
    seen: float
    missing: float | None = None


class Presence:
    """The chips that come by one road; the last to come is the one reported.

    ``dropout`` and ``again`` (0 or more) are the seconds described above; on a road that is not
    ``by_hand`` a chip is gone when two polls have missed it. ``confirm`` tells whether an id must
    be read twice in a row before it counts: a weak field can garble an id, and a garbled one is
    nearly always unknown. ``present`` is the chip last reported to lie there.
    """

    def __init__(
        self,
        *,
        traits: Traits = POLLED,
        dropout: float = DROPOUT,
        again: float = AGAIN,
        confirm: Callable[[bytes], bool] | None = None,
        present: bytes | None = None,
    ) -> None:
        if dropout < 0 or again < 0:
            raise ValueError("dropout and again must be 0 or more")
        self._dropout = self._hand = dropout if traits.by_hand else 0
        self._hold = traits.hold
        self._reads_bytes = traits.reads_bytes
        self._again = again
        self._confirm = confirm
        self._present = present
        self._lying: dict[bytes, _Lying] = {}
        self._left: dict[bytes, float] = {}  # when recently lifted chips were last seen
        self._doubtful: dict[bytes, tuple[bytes, float]] = {}  # ids read only once, with the time
        self._start: float | None = None  # the first poll of this watch
        if present is not None:
            self._lying[self._key(present)] = _Lying(float("-inf"), float("-inf"))

    @property
    def present(self) -> bytes | None:
        return self._present

    def see(self, chips: Sequence[bytes], began: float, ended: float) -> list[Touch]:
        """Process one poll, its chips and times; returns the events in order."""
        if self._start is None:
            self._start = began
        sightings = {self._key(uid): uid for uid in chips}
        for key, lying in self._lying.items():
            if key in sightings:
                lying.seen, lying.missing = ended, None
            elif lying.missing is None:
                lying.missing = ended
        before, touches = self._present, self._leave(began)
        come = self._come(sightings, began)
        if not come:
            return touches
        if self._present is not None:
            touches.append(Lift(self._present))
        tap = self._lay(come, ended)
        return [*touches, replace(tap, swapped=before is not None)]

    def report(self, uid: bytes, at: float) -> Tap:
        """Process one report of a chip by a road that is not polled.

        A chip that still counts as lying there is tapped ``again``.
        """
        self._start, self._dropout = float("-inf"), self._hold
        for lying in self._lying.values():
            lying.missing = lying.seen
        self._leave(at)
        for touch in self.see((uid,), at, at):
            if isinstance(touch, Tap):
                return touch
        return Tap(uid, again=True)

    def reader_failed(self) -> None:
        """Handle a failed poll, a lost reader or a pause in polling.

        This lifts nothing. When the reader is back, a chip still there gives no new tap, a missing
        one is lifted by the polls that miss it, and a different one counts as found.
        """
        self._doubtful, self._start = {}, None
        for lying in self._lying.values():
            lying.missing = None

    def _come(
        self, sightings: dict[bytes, bytes], began: float
    ) -> dict[bytes, tuple[bytes, float]]:
        """The new, confirmed chips: their ids, and when each was first read."""
        new = {key: uid for key, uid in sightings.items() if key not in self._lying}
        doubtful, self._doubtful = self._doubtful, {}
        come = {}
        for key, uid in new.items():
            if key in doubtful or self._confirm is None or not self._confirm(uid):
                come[key] = doubtful.get(key, (uid, began))
            else:
                self._doubtful[key] = uid, began
        return come

    def _lay(self, come: dict[bytes, tuple[bytes, float]], ended: float) -> Tap:
        """Report a tap of the first of these chips; any others came together with it."""
        uid, since = next(iter(come.values()))
        others = [one for one in self._lying.values() if since - one.since <= self._hand]
        left = max((self._left.get(key, float("-inf")) for key in come), default=0.0)
        for key, (_uid, first) in come.items():
            self._lying[key] = _Lying(first, ended)
        self._present = uid
        assert self._start is not None
        return Tap(
            uid,
            found=since - self._start <= self._dropout,
            together=len(come) > 1 or (bool(others) and self._hand > 0),
            again=since - left < self._again,
        )

    def _leave(self, began: float) -> list[Touch]:
        """Remove the chips missing for too long to be still there."""
        departures = [
            key
            for key, lying in self._lying.items()
            if lying.missing is not None and began - lying.missing > self._dropout
        ]
        for key in departures:
            self._left[key] = self._lying.pop(key).seen
        self._left = {key: at for key, at in self._left.items() if began - at < self._again}
        if self._present is None or self._key(self._present) not in departures:
            return []
        left, self._present = self._present, None
        return [Lift(left)]

    def _key(self, uid: bytes) -> bytes:
        """The key of a chip: its id, unless it generates a new one at every poll."""
        return _PHONE if self._reads_bytes and is_random(uid) else uid
