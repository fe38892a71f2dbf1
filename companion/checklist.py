"""A guided test of one reader, step by step, for people who have it before them.

Each step says what to do and goes on when the reader has seen it done; Enter leaves a step out.
Nothing is hurried. What comes out are results without ids, names or paths: fit to be sent in.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from companion import lines
from companion.language import _
from companion.tap_test import TimedReader
from tags import access
from tags.access import ChipError
from tags.ndef import encode
from tags.readers.base import ReaderGone
from tags.registry import CrownChip
from tags.watch import Lift, ReaderCame, ReaderLost, Tap, Watcher

if TYPE_CHECKING:
    from tags.readers.base import Reader
    from tags.simulator import SimulatedReader
    from tags.watch import Event

GOOD, POOR, LEFT_OUT = "good", "poor", "left out"

TAP_GOAL = 100.0
"""Milliseconds from laying a chip on that feel immediate."""

LIFT_GOAL = 300.0
QUICK = 5
QUITS = ("quit", "q")

_INTERVAL = 0.05
_MISSES = 2
_STILL = 3.0
_STILL_SIMULATED = 0.3
_PATIENCE = 10.0  # seconds for the simulated reader to have seen what was typed
_SEEN_AS = {
    "hold": Tap,
    "tap": Lift,
    "lift": Lift,
    "unplug": ReaderLost,
    "plug": ReaderCame,
}


class Result(NamedTuple):
    """How one step went: its id, the verdict, and figures."""

    step: str
    verdict: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.step}: {self.verdict}" + (f", {self.detail}" if self.detail else "")


class _LeftOut(Exception):
    """Enter was pressed instead."""


class _Ended(Exception):
    """There is no more input, or no reader to go on with."""


class Checklist:
    """One walk through the steps with one reader; `say` is given lines for the person."""

    def __init__(
        self,
        reader: Reader,
        say: Callable[[str], None],
        *,
        simulated: SimulatedReader | None = None,
    ) -> None:
        self._timed = TimedReader(reader)
        self._say = say
        self._simulated = simulated
        self._still = _STILL_SIMULATED if simulated else _STILL
        self._arrived: queue.SimpleQueue[Event | str | None] = queue.SimpleQueue()
        self._events: deque[Event] = deque()
        self._lines: deque[str | None] = deque()
        self._watcher = Watcher(
            self._timed, self._arrived.put, interval=_INTERVAL, misses=_MISSES, backoff=(0.5, 2.0)
        )

    def run(self) -> list[Result]:
        """Walk through; the result of every step, those not reached left out."""
        steps: list[tuple[str, Callable[[], Result]]] = [
            ("open", self._open),
            ("tap", self._tap),
            ("still", self._lie_still),
            ("lift", self._lift),
            ("two chips", self._two),
            ("quick taps", self._quick),
            ("unplug", self._unplug),
            ("replug", self._replug),
            ("write", self._write),
        ]
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()
        self._watcher.start()
        results: list[Result] = []
        try:
            for number, (name, step) in enumerate(steps, 1):
                self._say(_("Step {number} of {count}.").format(number=number, count=len(steps)))
                try:
                    results.append(step())
                except _LeftOut:
                    results.append(Result(name, LEFT_OUT))
                self._say(_told(results[-1]))
        except _Ended:
            results += [Result(name, LEFT_OUT) for name, _step in steps[len(results) :]]
        finally:
            self._watcher.stop()
            self._watcher.join(5.0)
        return results

    # -- the steps -------------------------------------------------------------------------------

    def _open(self) -> Result:
        begun, faults = time.perf_counter(), []
        while not self._events:  # the reader answers first, whatever has been typed meanwhile
            self._sort(self._arrived.get())
        while isinstance(event := self._wait(ReaderCame, ReaderLost, can_skip=False), ReaderLost):
            faults.append(event.fault)
            self._say(event.reason)
            self._say(_("Mend that, or type quit."))
        if faults:
            return Result("open", POOR, f"at first {', '.join(faults)}")
        return Result("open", GOOD, f"{1000 * (time.perf_counter() - begun):.0f} ms")

    def _tap(self) -> Result:
        self._ask(_("Lay a chip on the reader."), "hold 04000000000001")
        self._wait(Tap)
        took = 1000 * (_INTERVAL + self._timed.took)
        return _judged("tap", took <= TAP_GOAL, f"at most {took:.0f} ms")

    def _lie_still(self) -> Result:
        self._say(_("Leave it there and take your hands away, for three seconds."))
        touches = self._gather(self._still)
        return _judged("still", not touches, f"{len(touches)} changes")

    def _lift(self) -> Result:
        self._ask(_("Take the chip away."), "lift")
        self._wait(Lift)
        took = 1000 * (_MISSES * _INTERVAL + self._timed.took)
        return _judged("lift", took <= LIFT_GOAL, f"at most {took:.0f} ms")

    def _two(self) -> Result:
        self._ask(
            _("Lay two chips on the reader at once, side by side."),
            "hold 04000000000001", "add 04000000000002",
        )  # fmt: skip
        self._wait(Tap)
        touches = self._gather(self._still)
        self._ask(_("Take both away."), "lift")
        while self._watcher.present is not None:
            self._wait(Lift)
        # the second one may be seen for a moment while they are laid on
        return _judged("two chips", len(touches) <= 2, f"{len(touches)} changes while they lay")

    def _quick(self) -> Result:
        self._ask(
            _("Tap one chip {number} times, as quickly as you like; then press Enter.").format(
                number=QUICK
            ),
            *["tap 04000000000001"] * QUICK,
            "",
        )
        seen = 0
        while True:
            try:
                self._wait(Tap)
            except _LeftOut:
                break
            seen += 1
        if not seen:
            raise _LeftOut
        return _judged("quick taps", seen == QUICK, f"{seen} of {QUICK}")

    def _unplug(self) -> Result:
        self._ask(_("Pull the reader's plug."), "unplug")
        lost = self._wait(ReaderLost)
        fault = lost.fault if isinstance(lost, ReaderLost) else ""
        return _judged("unplug", fault == "missing", f"told as {fault}")

    def _replug(self) -> Result:
        self._ask(_("Plug the reader in again."), "plug")
        self._wait(ReaderCame)
        self._ask(_("Lay a chip on the reader, and take it away."), "tap 04000000000001")
        self._wait(Tap)
        self._wait(Lift)
        return Result("replug", GOOD)

    def _write(self) -> Result:
        self._ask(
            _(
                "Lay a spare chip on the reader to have it written, or press Enter to leave that "
                "out. What is on it is put back afterwards."
            ),
            "hold 04000000000003",
        )
        tap = self._wait(Tap)
        assert isinstance(tap, Tap)
        begun = time.perf_counter()
        try:
            self._watcher.request(lambda reader: _try_writing(self._timed.reader, tap.uid)).result()
            took = 1000 * (time.perf_counter() - begun)
            result = Result("write", GOOD, f"written, read and put back in {took:.0f} ms")
        except (ChipError, ReaderGone) as error:
            self._say(str(error))
            result = Result("write", POOR, error.fault)
        self._ask(_("Take the chip away."), "lift")
        self._wait(Lift)
        return result

    # -- what comes in ---------------------------------------------------------------------------

    def _ask(self, what: str, *commands: str) -> None:
        """Say what to do now, and for the simulated reader what to type."""
        self._say(what)
        if self._simulated is not None:
            typed = ", ".join(command or _("Enter") for command in commands)
            self._say(_("Type: {commands}").format(commands=typed))

    def _wait(self, *kinds: type, can_skip: bool = True) -> Event:
        """The next event of these kinds. Raises _LeftOut at Enter, _Ended at the end."""
        while True:
            while self._events:
                event = self._events.popleft()
                if isinstance(event, kinds):
                    return event
                if isinstance(event, ReaderLost):
                    self._say(event.reason)
            if self._lines:
                self._take_line(self._lines.popleft(), can_skip=can_skip)
            else:
                self._sort(self._arrived.get())

    def _gather(self, seconds: float) -> list[Event]:
        """The taps and lifts of so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                item = self._arrived.get(timeout=left)
            except queue.Empty:
                break
            if not isinstance(item, str) or self._simulated is not None:
                self._sort(item)  # what people type meanwhile is for no step
        touches: list[Event] = [one for one in self._events if isinstance(one, Tap | Lift)]
        self._events.clear()
        return touches

    def _sort(self, item: Event | str | None) -> None:
        if item is None or isinstance(item, str):
            self._lines.append(item)
        else:
            self._events.append(item)

    def _take_line(self, line: str | None, *, can_skip: bool) -> None:
        if line is None or line.strip().lower() in QUITS:
            raise _Ended
        if not line.strip():
            if can_skip:
                raise _LeftOut
            return
        if self._simulated is None:
            self._say(_("Press Enter to leave this step out, or type quit."))
        else:
            self._obey(self._simulated, line)

    def _obey(self, simulated: SimulatedReader, line: str) -> None:
        """Do with the simulated reader what was typed, and wait until it has been seen."""
        from tags.simulator.__main__ import obey

        answer = obey(simulated, line)
        kind = _SEEN_AS.get(line.split()[0])
        if not answer.startswith("ok"):
            self._say(answer)
        elif kind is not None:
            end = time.monotonic() + _PATIENCE
            while not any(isinstance(event, kind) for event in self._events):
                try:
                    self._sort(self._arrived.get(timeout=max(end - time.monotonic(), 0)))
                except queue.Empty:
                    return

    def _read(self) -> None:
        while (line := lines.read()) is not None:
            self._arrived.put(line)
        self._arrived.put(None)


def _try_writing(reader: object, uid: bytes) -> None:
    """Write a card on the chip and put back what was there. Raises ChipError, ReaderGone."""
    chip: access.ChipAccess = reader  # type: ignore[assignment]
    before = access.read(chip, uid)
    access.write(chip, uid, encode(CrownChip(), "Crown"))
    access.write(chip, uid, before)


def _judged(step: str, good: bool, detail: str) -> Result:
    return Result(step, GOOD if good else POOR, detail)


def _told(result: Result) -> str:
    """The result in a sentence for the person."""
    if result.verdict == LEFT_OUT:
        return _("Left out.")
    if result.verdict == GOOD:
        return _("Good: {figures}.").format(figures=result.detail) if result.detail else _("Good.")
    return _("Not as it should be: {figures}.").format(figures=result.detail)


def report(about: Iterable[str], results: Iterable[Result]) -> Iterator[str]:
    """The lines to be sent in: in English and without anything private."""
    yield from about
    for result in results:
        yield str(result)
