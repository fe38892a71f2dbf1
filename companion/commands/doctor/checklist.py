"""A guided test of one reader, step by step, for a person at the reader.

Each step gives an instruction and ends when the reader has seen it done; Enter skips it. There is
no time pressure. The results contain no ids, names or paths, so they can be sent in.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from companion.chips.entries import CrownChip
from companion.chips.ndef import encode
from companion.commands.doctor.awaited import Awaited, Ended, LeftOut
from companion.commands.doctor.tap_test import TimedReader
from companion.language import _
from tags import access
from tags.access import ChipError
from tags.readers.base import ReaderGone
from tags.watch import INTERVAL, Lift, ReaderCame, ReaderLost, Tap, Watcher

if TYPE_CHECKING:
    from tags.readers.base import Reader
    from tags.simulator import SimulatedReader

GOOD, POOR, LEFT_OUT = "good", "poor", "left out"

TAP_GOAL = 100.0
"""Milliseconds within which a tap feels immediate."""

LIFT_GOAL = 300.0
QUICK = 5

_MISSES = 2  # without ignoring dropouts: the test measures how often a weak field fails
_STILL = 3.0
_STILL_SIMULATED = 0.3


class Result(NamedTuple):
    """The result of a step: its id, the verdict, and figures."""

    step: str
    verdict: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.step}: {self.verdict}" + (f", {self.detail}" if self.detail else "")


class Checklist:
    """One run through the steps with one reader; `say` gets lines for the person."""

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
        self._awaited = Awaited(say, simulated)
        self._watcher = Watcher(self._timed, self._awaited.put, backoff=(0.5, 2.0), dropout=0)

    def run(self) -> list[Result]:
        """Run the steps; returns every step's result, those not reached as skipped."""
        steps: list[tuple[str, Callable[[], Result]]] = [
            ("open", self._open),
            ("tap", self._tap),
            ("still", self._check_still),
            ("lift", self._lift),
            ("two chips", self._check_two),
            ("quick taps", self._check_quick),
            ("unplug", self._unplug),
            ("replug", self._replug),
            ("write", self._write),
        ]
        self._awaited.start()
        self._watcher.start()
        results: list[Result] = []
        try:
            for number, (name, step) in enumerate(steps, 1):
                self._say(_("Step {number} of {count}.").format(number=number, count=len(steps)))
                try:
                    results.append(step())
                except LeftOut:
                    results.append(Result(name, LEFT_OUT))
                self._say(_describe_verdict(results[-1]))
        except Ended:
            results += [Result(name, LEFT_OUT) for name, _step in steps[len(results) :]]
        finally:
            self._watcher.stop()
            self._watcher.join(5.0)
        return results

    # -- the steps -------------------------------------------------------------------------------

    def _open(self) -> Result:
        duration, faults = time.perf_counter(), []
        self._awaited.wait_for_first()
        while isinstance(
            event := self._awaited.wait(ReaderCame, ReaderLost, can_skip=False), ReaderLost
        ):
            faults.append(event.fault)
            self._say(event.reason)
            self._say(_("Fix that, or type quit."))
        if faults:
            return Result("open", POOR, f"at first {', '.join(faults)}")
        return Result("open", GOOD, f"{1000 * (time.perf_counter() - duration):.0f} ms")

    def _tap(self) -> Result:
        self._ask(_("Put a chip on the reader."), "hold 04000000000001")
        self._awaited.wait(Tap)
        took = 1000 * (INTERVAL + self._timed.took)
        return _judge("tap", took <= TAP_GOAL, f"at most {took:.0f} ms")

    def _check_still(self) -> Result:
        self._say(_("Leave it there, hands off, for three seconds."))
        touches = self._awaited.gather(self._still)
        return _judge("still", not touches, f"{len(touches)} changes")

    def _lift(self) -> Result:
        self._ask(_("Take the chip away."), "lift")
        self._awaited.wait(Lift)
        took = 1000 * (_MISSES * INTERVAL + self._timed.took)
        return _judge("lift", took <= LIFT_GOAL, f"at most {took:.0f} ms")

    def _check_two(self) -> Result:
        self._ask(
            _("Put two chips on the reader at once, side by side."),
            "hold 04000000000001", "add 04000000000002",
        )  # fmt: skip
        self._awaited.wait(Tap)
        touches = self._awaited.gather(self._still)
        self._ask(_("Take both away."), "lift")
        while self._watcher.present is not None:
            self._awaited.wait(Lift)
        # the second one may be seen briefly while they are laid on
        return _judge("two chips", len(touches) <= 2, f"{len(touches)} changes while they lay")

    def _check_quick(self) -> Result:
        self._ask(
            _("Tap one chip {number} times, as quickly as you like; then press Enter.").format(
                number=QUICK
            ),
            *["tap 04000000000001"] * QUICK,
            "",
        )
        count = 0
        while True:
            try:
                self._awaited.wait(Tap)
            except LeftOut:
                break
            count += 1
        if not count:
            raise LeftOut
        return _judge("quick taps", count == QUICK, f"{count} of {QUICK}")

    def _unplug(self) -> Result:
        self._ask(_("Unplug the reader."), "unplug")
        loss = self._awaited.wait(ReaderLost)
        fault = loss.fault if isinstance(loss, ReaderLost) else ""
        return _judge("unplug", fault == "missing", f"told as {fault}")

    def _replug(self) -> Result:
        self._ask(_("Plug the reader back in."), "plug")
        self._awaited.wait(ReaderCame)
        self._ask(_("Put a chip on the reader, then take it away."), "tap 04000000000001")
        self._awaited.wait(Tap)
        self._awaited.wait(Lift)
        return Result("replug", GOOD)

    def _write(self) -> Result:
        self._ask(
            _(
                "Put a spare chip on the reader for a test of writing, or press Enter "
                "to skip that. Its content is restored afterwards."
            ),
            "hold 04000000000003",
        )
        tap = self._awaited.wait(Tap)
        assert isinstance(tap, Tap)
        duration = time.perf_counter()
        try:
            self._watcher.request(lambda reader: _try_writing(self._timed.reader, tap.uid)).result()
            took = 1000 * (time.perf_counter() - duration)
            result = Result("write", GOOD, f"written, read and put back in {took:.0f} ms")
        except (ChipError, ReaderGone) as error:
            self._say(str(error))
            result = Result("write", POOR, error.fault)
        self._ask(_("Take the chip away."), "lift")
        self._awaited.wait(Lift)
        return result

    def _ask(self, what: str, *commands: str) -> None:
        """Say what to do, and for the simulated reader what to type."""
        self._say(what)
        if self._simulated is not None:
            text = ", ".join(command or _("Enter") for command in commands)
            self._say(_("Type: {commands}").format(commands=text))


def _try_writing(reader: object, uid: bytes) -> None:
    """Write a card to the chip and restore its content. Raises ChipError, ReaderGone."""
    chip: access.ChipAccess = reader  # type: ignore[assignment]
    before = access.read(chip, uid)
    access.write(chip, uid, encode(CrownChip(), "Crown"))
    access.write(chip, uid, before)


def _judge(step: str, good: bool, detail: str) -> Result:
    return Result(step, GOOD if good else POOR, detail)


def _describe_verdict(result: Result) -> str:
    """The verdict for the person; the report has the figures."""
    return {GOOD: _("Good."), POOR: _("Failed."), LEFT_OUT: _("Skipped.")}[result.verdict]


def report(about: Iterable[str], results: Iterable[Result]) -> Iterator[str]:
    """The report in lines: in English, and without private data."""
    yield from about
    for result in results:
        yield str(result)
