"""A live latency test: from laying a chip on to the program's event."""

from __future__ import annotations

import queue
import random
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _, translate
from tags.presence import moment
from tags.watch import Lift, ReaderLost, Tap, Watcher

if TYPE_CHECKING:
    from tags.simulator import SimulatedReader
    from tags.watch import Event, ReaderSource


def measure_delay(event: Event, now: float) -> float:
    """The seconds from the poll that saw a tap or a lift to `now` (`tags.presence.moment`)."""
    at = event.at if isinstance(event, Tap | Lift) else None
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
        self._events: queue.SimpleQueue[tuple[Event, float]] = queue.SimpleQueue()

    def run_simulated(self, simulated: SimulatedReader) -> bool:
        """Lay chips on the simulated reader; returns whether all were seen."""

        def lay(number: int) -> Callable[[], None]:
            # at a random moment between two polls, as people do
            time.sleep(random.uniform(0, self._interval))
            uid = bytes((4, 0, 0, 0, 0, number >> 8 & 0xFF, number & 0xFF))
            return lambda: simulated.hold(uid)

        source = Watcher(simulated.reader(), self.on_event, interval=self._interval)
        return self._run(source, lay, simulated.lift)

    def run(self, source: ReaderSource, ask: Callable[[int], None]) -> bool:
        """Have people tap on a reader whose events go to `on_event`; calls `ask` with each tap's
        number. Returns whether all were seen."""
        return self._run(source, lambda number: lambda: ask(number), None)

    def on_event(self, event: Event) -> None:
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
        source: ReaderSource,
        lay: Callable[[int], Callable[[], None]],
        lift: Callable[[], None] | None,
    ) -> bool:
        source.start()
        try:
            for number in range(1, self.taps + 1):
                action = lay(number)
                start = moment()
                action()
                if (tap := self._wait(Tap)) is None:
                    return False
                took = tap[1] - start if lift else self._interval + measure_delay(*tap)
                self.times.append(took * 1000)
                if lift:
                    lift()
                if self._wait(Lift) is None:
                    return False
        finally:
            source.stop()
            source.join(5.0)
        return True

    def _wait(self, kind: type) -> tuple[Event, float] | None:
        """The next event of this kind and its time; None, with `problem` set, if none comes."""
        end = time.monotonic() + self._seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event, when = self._events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, kind):
                return event, when
            if isinstance(event, ReaderLost):
                self.problem = translate(event.reason)
                return None
        sentence = _("No chip was taken away within {seconds} seconds.")
        if kind is Tap:
            sentence = _("No chip was put on the reader within {seconds} seconds.")
        self.problem = sentence.format(seconds=f"{self._seconds:.0f}")
        return None
