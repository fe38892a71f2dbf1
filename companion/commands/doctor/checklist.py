"""A guided test of one reader, step by step, for a person at the reader; and its latency.

Each step gives an instruction and ends when the reader has seen it done; Enter skips it. There is
no time pressure. The results contain no ids, names or paths, so they can be sent in.
"""

from __future__ import annotations

import queue
import random
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from common import NamedTuple
from companion.chips.entries import CrownChip
from companion.chips.ndef import encode
from companion.language import _, translate, vocabulary
from companion.terminal.inbox import Inbox
from tags import watch
from tags.access import ChipError
from tags.presence import moment
from tags.readers import ReaderError

if TYPE_CHECKING:
    from tags.simulator import SimulatedReader


GOOD, FAILED, SKIPPED = "good", "poor", "left out"

TAP_GOAL = 100.0
"""Milliseconds within which a tap feels immediate."""

LIFT_GOAL = 300.0
QUICK = 5

_MISSES = 2  # without ignoring dropouts: the test measures how often a weak field fails
_STILL = 3.0
_STILL_SIMULATED = 0.3

_PATIENCE = 10.0  # seconds for the simulated reader to see a chip moved by typing
_SEEN_AS = {
    "hold": watch.Tap,
    "tap": watch.Lift,
    "lift": watch.Lift,
    "unplug": watch.ReaderDisconnected,
    "plug": watch.ReaderConnected,
}


def measure_delay(event: watch.Event, now: float) -> float:
    """The seconds from the poll that saw a tap or a lift to `now` (`tags.presence.moment`)."""
    at = event.at if isinstance(event, watch.Tap | watch.Lift) else None
    return 0.0 if at is None else max(0.0, now - at)


class TapTest:
    """`taps` taps on one reader; each step times out after `seconds`."""

    def __init__(self, taps: int, *, seconds: float = 30.0, interval: float = 0.05) -> None:
        self.taps = taps
        self.times: list[float] = []
        """Milliseconds per tap: from laying on to the event for simulated chips; otherwise the
        longest possible delay: one interval, and from the poll to the event."""
        self.problem = ""
        self._seconds = seconds
        self._interval = interval
        self._events: queue.SimpleQueue[tuple[watch.Event, float]] = queue.SimpleQueue()

    def run_simulated(self, simulated: SimulatedReader) -> bool:
        """Lay chips on the simulated reader; returns whether all were seen."""

        def lay(number: int) -> Callable[[], None]:
            # at a random moment between two polls, as people do
            time.sleep(random.uniform(0, self._interval))
            uid = bytes((4, 0, 0, 0, 0, number >> 8 & 0xFF, number & 0xFF))
            return lambda: simulated.hold(uid)

        source = watch.Watcher(simulated.reader(), self.on_event, interval=self._interval)
        return self._run(source, lay, simulated.lift)

    def run(self, source: watch.ReaderSource, ask: Callable[[int], None]) -> bool:
        """Have people tap on a reader whose events go to `on_event`; calls `ask` with each tap's
        number. Returns whether all were seen."""
        return self._run(source, lambda number: lambda: ask(number), None)

    def on_event(self, event: watch.Event) -> None:
        """Receive an event of the reader; thread-safe."""
        self._events.put((event, moment()))

    def summary(self) -> str:
        """The results in a sentence."""
        if not self.times:
            return _("No tap was seen.")
        ranking = sorted(self.times)
        late = ranking[min(len(ranking) - 1, int(0.95 * len(ranking)))]
        return _("{seen} of {taps} taps seen; p50 {usual} ms, p95 {late} ms.").format(
            seen=len(ranking),
            taps=self.taps,
            usual=f"{statistics.median(ranking):.0f}",
            late=f"{late:.0f}",
        )

    def _run(
        self,
        source: watch.ReaderSource,
        lay: Callable[[int], Callable[[], None]],
        lift: Callable[[], None] | None,
    ) -> bool:
        source.start()
        try:
            for number in range(1, self.taps + 1):
                action = lay(number)
                start = moment()
                action()
                if (tap := self._wait(watch.Tap)) is None:
                    return False
                took = tap[1] - start if lift else self._interval + measure_delay(*tap)
                self.times.append(took * 1000)
                if lift:
                    lift()
                if self._wait(watch.Lift) is None:
                    return False
        finally:
            source.stop()
            source.join(5.0)
        return True

    def _wait(self, kind: type) -> tuple[watch.Event, float] | None:
        """The next event of this kind and its time; None, with `problem` set, if none comes."""
        end = time.monotonic() + self._seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event, when = self._events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, kind):
                return event, when
            if isinstance(event, watch.ReaderDisconnected):
                self.problem = translate(event.reason)
                return None
        sentence = _("No chip was taken away within {seconds} seconds.")
        if kind is watch.Tap:
            sentence = _("No chip was put on the reader within {seconds} seconds.")
        self.problem = sentence.format(seconds=f"{self._seconds:.0f}")
        return None


class SkippedError(Exception):
    """Enter was pressed to skip the step."""


class EndedError(Exception):
    """The input ended, or the person quit."""


class StepResult(NamedTuple):
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
        open_source: Callable[[Callable[[watch.Event], None]], watch.ReaderSource],
        say: Callable[[str], None],
        *,
        simulated: SimulatedReader | None = None,
    ) -> None:
        """`open_source` gets the function to call with the reader's events."""
        self._say = say
        self._simulated = simulated
        self._still = _STILL_SIMULATED if simulated else _STILL
        self._events: deque[watch.Event] = deque()
        self.inbox = Inbox(self._on_event)
        self.source = open_source(self.inbox.put)

    def run(self) -> list[StepResult]:
        """Run the steps; returns every step's result, those not reached as skipped."""
        steps: list[tuple[str, Callable[[], StepResult]]] = [
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
        self.inbox.start()
        self.source.start()
        results: list[StepResult] = []
        try:
            for number, (name, step) in enumerate(steps, 1):
                self._say(_("Step {number} of {count}.").format(number=number, count=len(steps)))
                try:
                    results.append(step())
                except SkippedError:
                    results.append(StepResult(name, SKIPPED))
                self._say(_describe_verdict(results[-1]))
        except EndedError:
            results += [StepResult(name, SKIPPED) for name, _step in steps[len(results) :]]
        finally:
            self.source.stop()
            self.source.join(5.0)
            self.inbox.close()
        return results

    # -- events and typed lines ------------------------------------------------------------------

    def _on_event(self, event: watch.Event) -> None:
        self._events.append(event)
        self.inbox.interrupt()

    def _wait(self, *kinds: type, can_skip: bool = True) -> watch.Event:
        """The next event of these kinds. Raises SkippedError on Enter, and EndedError."""
        while True:
            while self._events:
                event = self._events.popleft()
                if isinstance(event, kinds):
                    return event
                if isinstance(event, watch.ReaderDisconnected):
                    self._say(event.reason)
            line = self.inbox.read_line()
            if (line is None and not self._events) or vocabulary.match_word(
                line or "", "quit", "q"
            ):
                raise EndedError
            if line is not None:
                self._take_line(line, can_skip=can_skip)

    def _gather(self, seconds: float) -> list[watch.Event]:
        """The taps and lifts of the next `seconds`."""
        self.inbox.handle_until(lambda: False, seconds)
        if self._simulated is None:
            self.inbox.drop_lines()  # lines typed during this belong to no step
        touches: list[watch.Event] = [
            one for one in self._events if isinstance(one, watch.Tap | watch.Lift)
        ]
        self._events.clear()
        return touches

    def _take_line(self, line: str, *, can_skip: bool) -> None:
        """Skip the step, or carry out a command for the simulated reader, and wait until it was
        seen."""
        if not line.strip():
            if can_skip:
                raise SkippedError
        elif self._simulated is None:
            self._say(_("Press Enter to skip this step, or type quit."))
        elif not (answer := self._simulated.obey(line)).startswith("ok"):
            self._say(answer)
        elif kind := _SEEN_AS.get(line.split()[0]):
            self.inbox.handle_until(
                lambda: any(isinstance(event, kind) for event in self._events), _PATIENCE
            )

    # -- the steps -------------------------------------------------------------------------------

    def _open(self) -> StepResult:
        duration, faults = time.perf_counter(), []
        self.inbox.stay()  # lines typed before that wait
        while isinstance(
            event := self._wait(watch.ReaderConnected, watch.ReaderDisconnected, can_skip=False),
            watch.ReaderDisconnected,
        ):
            faults.append(event.fault)
            self._say(event.reason)
            self._say(_("Fix that, or type quit."))
        if faults:
            return StepResult("open", FAILED, f"at first {', '.join(faults)}")
        return StepResult("open", GOOD, f"{1000 * (time.perf_counter() - duration):.0f} ms")

    def _tap(self) -> StepResult:
        self._ask(_("Put a chip on the reader."), "hold 04000000000001")
        delay = measure_delay(self._wait(watch.Tap), moment())
        took = 1000 * (watch.INTERVAL + delay)
        return _judge("tap", took <= TAP_GOAL, f"at most {took:.0f} ms")

    def _check_still(self) -> StepResult:
        self._say(_("Leave it there, hands off, for three seconds."))
        touches = self._gather(self._still)
        return _judge("still", not touches, f"{len(touches)} changes")

    def _lift(self) -> StepResult:
        self._ask(_("Take the chip away."), "lift")
        delay = measure_delay(self._wait(watch.Lift), moment())
        took = 1000 * (_MISSES * watch.INTERVAL + delay)
        return _judge("lift", took <= LIFT_GOAL, f"at most {took:.0f} ms")

    def _check_two(self) -> StepResult:
        self._ask(
            _("Put two chips on the reader at once, side by side."),
            "hold 04000000000001", "add 04000000000002",
        )  # fmt: skip
        self._wait(watch.Tap)
        touches = self._gather(self._still)
        self._ask(_("Take both away."), "lift")
        while self.source.present is not None:
            self._wait(watch.Lift)
        # the second one may be seen briefly while they are laid on
        return _judge("two chips", len(touches) <= 2, f"{len(touches)} changes while they lay")

    def _check_quick(self) -> StepResult:
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
                self._wait(watch.Tap)
            except SkippedError:
                break
            count += 1
        if not count:
            raise SkippedError
        return _judge("quick taps", count == QUICK, f"{count} of {QUICK}")

    def _unplug(self) -> StepResult:
        self._ask(_("Unplug the reader."), "unplug")
        loss = self._wait(watch.ReaderDisconnected)
        fault = loss.fault if isinstance(loss, watch.ReaderDisconnected) else ""
        return _judge("unplug", fault == "missing", f"told as {fault}")

    def _replug(self) -> StepResult:
        self._ask(_("Plug the reader back in."), "plug")
        self._wait(watch.ReaderConnected)
        self._ask(_("Put a chip on the reader, then take it away."), "tap 04000000000001")
        self._wait(watch.Tap)
        self._wait(watch.Lift)
        return StepResult("replug", GOOD)

    def _write(self) -> StepResult:
        self._ask(
            _(
                "Put a spare chip on the reader for a test of writing, or press Enter "
                "to skip that. Its content is restored afterwards."
            ),
            "hold 04000000000003",
        )
        tap = self._wait(watch.Tap)
        assert isinstance(tap, watch.Tap)
        duration = time.perf_counter()
        try:
            self._try_writing(tap.uid)
            took = 1000 * (time.perf_counter() - duration)
            result = StepResult("write", GOOD, f"written, read and put back in {took:.0f} ms")
        except (ChipError, ReaderError) as error:
            self._say(str(error))
            result = StepResult("write", FAILED, error.fault)
        self._ask(_("Take the chip away."), "lift")
        self._wait(watch.Lift)
        return result

    def _try_writing(self, uid: bytes) -> None:
        """Write a card to the chip and restore its content. Raises ChipError, ReaderError."""
        before = self.source.perform("read", uid).result()
        self.source.perform("write", uid, encode(CrownChip(), "Crown")).result()
        self.source.perform("write", uid, before).result()

    def _ask(self, what: str, *commands: str) -> None:
        """Say what to do, and for the simulated reader what to type."""
        self._say(what)
        if self._simulated is not None:
            text = ", ".join(command or _("Enter") for command in commands)
            self._say(_("Type: {commands}").format(commands=text))


def _judge(step: str, good: bool, detail: str) -> StepResult:
    return StepResult(step, GOOD if good else FAILED, detail)


def _describe_verdict(result: StepResult) -> str:
    """The verdict for the person; the report has the figures."""
    return {GOOD: _("Good."), FAILED: _("Failed."), SKIPPED: _("Skipped.")}[result.verdict]


def report(about: Iterable[str], results: Iterable[StepResult]) -> Iterator[str]:
    """The report in lines: in English, and without private data."""
    yield from about
    for result in results:
        yield str(result)
