"""Thousands of realistic taps, and the moves a caller plays for them: none lost, doubled or
invented.

The whole path from an emulated PN532 through the real driver and the watcher to intents runs in
simulated time, so that a night takes minutes: cards are flicked, dropped, swapped, stacked and left
lying, cables are pulled, readers stall, callers sleep.
"""

from __future__ import annotations

import errno
import heapq
import itertools
import logging
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.readers import reject_tap
from tags.presence import Clock
from tags.readers import nfcpy_serial
from tags.readers.nfcpy_reader import NfcpyReader
from tags.watch import Event, Tap, Watcher
from tests.rigs.chips import Ntag, Phone
from tests.rigs.pn532 import Pn532
from tests.rigs.pn532_board import Board
from tests.waiting import PATIENCE

QUIET = 2.5
"""Seconds after which all effects of a touch have been reported."""

CHIPS = [Ntag(bytes((4, 1, 2, 3, 4, 5, number))) for number in range(80)]


class Night(Clock):
    """Simulated time that passes only during waits, running due callbacks."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def seconds(self) -> float:
        return self.now

    def moment(self) -> float:
        return self.now

    def after(self, seconds: float, do: Callable[[], None]) -> None:
        """Schedule a callback after that time."""
        heapq.heappush(self._due, (self.now + seconds, next(self._order), do))

    def sleep(self, seconds: float) -> None:
        end = self.now + max(seconds, 0)
        while self._due and self._due[0][0] <= end:
            when, _order, do = heapq.heappop(self._due)
            self.now = max(self.now, when)
            do()
        self.now = max(self.now, end)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        self.sleep(seconds)
        return event.is_set()


class Line(nfcpy_serial.SerialLine):
    """A serial line to the emulated board without a terminal."""

    board: Board
    plugged = True

    def open(self, path: str, baudrate: int = nfcpy_serial.SPEED) -> None:
        """Raises ``OSError`` while it is unplugged."""
        self._path, self._baud = path, baudrate
        self._need_plug()
        self._unread.clear()

    @property
    def speed(self) -> int:
        """The speed it was opened with."""
        return self._baud

    def write(self, frame: bytes) -> None:
        """Have the board answer, with its delays."""
        self._need_plug()
        self._unread.clear()
        if not self.board.chip.faults.stall:
            for piece in self.board.receive(bytes(frame)):
                self._unread += piece

    def drain(self) -> None:
        """Nothing is buffered."""

    def close(self) -> None:
        """Nothing to close."""

    def _take(self, count: int, seconds: float) -> bytearray:
        self._need_plug()
        if len(self._unread) < count:
            self.board.chip.clock.sleep(seconds)
            raise OSError(errno.EIO if self._unread else errno.ETIMEDOUT, "nothing came")
        part = self._unread[:count]
        del self._unread[:count]
        return part

    def _need_plug(self) -> None:
        if not Line.plugged:
            raise OSError(errno.ENODEV, "unplugged")


class Table:
    """People, a reader and a caller; each way to touch returns the moves expected for it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.night = Night()
        self.chip = Pn532(clock=self.night)
        self.taps: list[bytes] = []
        self.taps_told = 0
        self.made: Counter[str] = Counter()
        self.mistakes: list[str] = []
        self._asleep_until = 0.0
        self._waiting: list[Tap] = []
        Line.board, Line.plugged = Board(self.chip, wired=True, adapter=0.001), True
        self.watcher = Watcher(NfcpyReader("/dev/night"), self.listen, clock=self.night)

    # -- the caller ------------------------------------------------------------------------------

    def listen(self, event: Event) -> None:
        """Receive an event, now or when the caller has woken."""
        if isinstance(event, Tap):
            self._waiting.append(event)
            self._play()

    def _play(self) -> None:
        if self.night.now < self._asleep_until:
            return
        waiting, self._waiting = self._waiting, []
        for tap in waiting:
            if reject_tap(tap, self.night.now) is None:
                self.taps.append(tap.uid)
            else:
                self.taps_told += 1

    # -- the people ------------------------------------------------------------------------------

    def run(self, touches: int) -> None:
        """Make `touches` touches in sequence, each in one of the ways."""
        ways = [
            self.plain, self.plain, self.plain, self.plain, self.swapped, self.stacked,
            self.at_once, self.in_turns, self.back_at_once, self.stalled, self.pulled,
            self.laid_while_pulled, self.stopped, self.late, self.phone,
        ]  # fmt: skip

        def one() -> None:
            nonlocal touches
            if not touches:
                self.watcher.stop()
                return
            touches -= 1
            self.taps, self.taps_told = [], 0
            way = self.chance.choice(ways)
            self.made[way.__name__] += 1
            targets, taps_told = way()
            self.night.after(self._until, lambda: judge(way.__name__, targets, taps_told))

        def judge(way: str, targets: list[bytes], taps_told: int) -> None:
            if (self.taps, self.taps_told) != (targets, taps_told):
                self.mistakes.append(
                    f"{way}: played {[uid.hex() for uid in self.taps]} and told {self.taps_told}, "
                    f"expected {[uid.hex() for uid in targets]} and {taps_told}"
                )
            one()

        self.night.after(QUIET, one)
        longest = PATIENCE + touches  # a second for each is plenty
        self.watcher.start()
        assert self.watcher.join(longest), "the watch does not end"

    def _two(self) -> tuple[Ntag, Ntag]:
        one, other = self.chance.sample(CHIPS, 2)
        return one, other

    def _at(self, when: float, do: Callable[[], None]) -> float:
        """Schedule it; everything must be over some time later."""
        self.night.after(when, do)
        self._until = when + QUIET
        return when

    def _lay(self, when: float, *chips: Ntag | Phone) -> float:
        return self._at(when, lambda: self.chip.lay(*chips))

    def _unseen(self, when: float, seconds: float) -> float:
        faults = self.chip.faults

        def drop() -> None:
            faults.unseen_until = self.night.now + seconds

        return self._at(when, drop)

    def _held(self, when: float, *chips: Ntag) -> float:
        """Hold chips on the reader for some time, seen with gaps; returns when they may be taken
        away."""
        when = self._lay(when, *chips) + self.chance.uniform(0.1, 0.5)
        for _ in range(self.chance.randint(0, 3)):
            gap = self.chance.uniform(0.02, 0.3)
            when = self._unseen(when, gap) + gap + self.chance.uniform(0.1, 0.5)
        return when

    def plain(self) -> tuple[list[bytes], int]:
        """One chip, laid on and taken away."""
        one, _ = self._two()
        self._lay(self._held(0, one))
        return [one.uid], 0

    def swapped(self) -> tuple[list[bytes], int]:
        """One chip replacing another, as fast as a hand can."""
        one, other = self._two()
        self._lay(self._held(self._held(0, one) + 0.3, other))
        return [one.uid, other.uid], 0

    def stacked(self) -> tuple[list[bytes], int]:
        """A chip laid beside another that stays."""
        one, other = self._two()
        self._lay(self._held(self._held(0, one) + 0.3, one, other))
        return [one.uid, other.uid], 0

    def at_once(self) -> tuple[list[bytes], int]:
        """Two chips together."""
        self._lay(self._held(0, *self._two()))
        return [], 1

    def in_turns(self) -> tuple[list[bytes], int]:
        """Two chips that hide each other in turns."""
        one, other = self._two()
        when = self._held(0, one) + 0.3
        for _ in range(20):
            for chip in (other, one):
                when = self._lay(when, chip) + self.chance.uniform(0.05, 0.12)
        self._lay(when)
        return [one.uid, other.uid], 0

    def back_at_once(self) -> tuple[list[bytes], int]:
        """The same chip again, too soon for a second intended tap."""
        one, _ = self._two()
        when = self._lay(self._held(0, one)) + self.chance.uniform(0.45, 0.8)
        self._lay(self._held(when, one))
        return [one.uid], 1

    def stalled(self) -> tuple[list[bytes], int]:
        """A reader that does not answer for a while, before or while a chip lies there."""
        one, _ = self._two()
        when = self._lay(0, one) + 0.2
        self._at(when, lambda: setattr(self.chip.faults, "stall", True))
        when += self.chance.uniform(0.1, 3)
        self._at(when, lambda: setattr(self.chip.faults, "stall", False))
        self._lay(when + 12)  # the reader is retried after ten seconds at the latest
        return [one.uid], 0

    def pulled(self) -> tuple[list[bytes], int]:
        """A cable pulled and plugged in again while a chip lies there."""
        one, _ = self._two()
        when = self._at(self._held(0, one), self._unplug) + self.chance.uniform(0.1, 3)
        self._lay(self._at(when, self._plug) + 12)
        return [one.uid], 0

    def laid_while_pulled(self) -> tuple[list[bytes], int]:
        """A chip laid on while the cable is unplugged."""
        one = self.chance.choice(CHIPS)
        when = self._at(0.1, self._unplug) + self.chance.uniform(0.1, 3)
        self._lay(when, one)
        when = self._lay(self._at(when + 0.1, self._plug) + 12) + 1.5
        self._lay(self._held(when, one))
        return [one.uid], 1

    def stopped(self) -> tuple[list[bytes], int]:
        """A caller that is stopped, or whose computer sleeps, while chips come and go."""
        one, other = self._two()
        self._lay(0.5, one)
        self._lay(1.0)
        self._lay(1.5, other)
        self._at(0.1, lambda: self.night.sleep(self.chance.uniform(3, 60)))
        self._lay(65)
        return [], 1

    def late(self) -> tuple[list[bytes], int]:
        """A caller that handles no events for a while, though the reader is watched."""
        one, other = self._two()
        self._asleep_until = self.night.now + 8
        self._lay(self._lay(0.1, one) + 0.5)
        self._lay(self._lay(6.5, other) + 0.5)
        self._at(8.1, self._play)
        return [other.uid], 1

    def phone(self) -> tuple[list[bytes], int]:
        """A phone, whose id changes at every poll."""
        number = self.chance.randrange(1 << 24)
        self._lay(self._lay(0, Phone(b"\x08" + number.to_bytes(3, "big"))) + 1)
        return [], 1

    def _unplug(self) -> None:
        Line.plugged = False

    def _plug(self) -> None:
        self.chip.power_up()
        Line.plugged = True


@contextmanager
def connect_without_terminal() -> Iterator[None]:
    """Connect serial ports to the emulated board within the block."""
    real = nfcpy_serial.SerialLine
    nfcpy_serial.SerialLine = Line  # type: ignore[misc]
    logging.disable()  # hundreds of pulled cables are expected here
    try:
        yield
    finally:
        nfcpy_serial.SerialLine = real  # type: ignore[misc]
        logging.disable(logging.NOTSET)


def run(touches: int, seed: int) -> str:
    """Make `touches` touches; returns a summary line. Raises AssertionError on a mismatch."""
    with connect_without_terminal():
        table = Table(seed)
        table.run(touches)
    assert not table.mistakes, "\n".join(
        [f"{len(table.mistakes)} of {touches} wrong, seed {seed}:", *table.mistakes[:10]]
    )
    ways = ", ".join(f"{count} {way}" for way, count in sorted(table.made.items()))
    hours = table.night.now / 3600
    return f"{touches} touches in {hours:.1f} hours: 0 lost, 0 doubled, 0 invented ({ways})"
