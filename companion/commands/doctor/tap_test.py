"""A live latency test: from laying a chip on to the program's event."""

from __future__ import annotations

import queue
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.language import _, translate
from tags.readers.base import find_road
from tags.watch import Lift, ReaderLost, Tap, Watcher

if TYPE_CHECKING:
    from tags.readers.base import Reader
    from tags.simulator import SimulatedReader
    from tags.watch import Event


class TimedReader:
    """A reader with a stopwatch: `took` is the duration of its last poll in seconds."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name = reader.name
        self.road = find_road(reader)
        self.took = 0.0

    def open(self) -> None:
        """Open the reader."""
        self.reader.open()

    def poll(self) -> Sequence[bytes]:
        """Poll the reader, and time it."""
        duration = time.perf_counter()
        try:
            return self.reader.poll()
        finally:
            self.took = time.perf_counter() - duration

    def close(self) -> None:
        """Close the reader."""
        self.reader.close()


class TapTest:
    """`taps` taps on one reader; each step times out after `seconds`."""

    def __init__(self, taps: int, *, seconds: float = 30.0, interval: float = 0.05) -> None:
        self.taps = taps
        self.times: list[float] = []
        """Milliseconds per tap: from laying on to the event for simulated chips; otherwise the
        longest possible delay: one interval and the poll."""
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

        return self._run(simulated.reader(), lay, simulated.lift)

    def run(self, reader: Reader, ask: Callable[[int], None]) -> bool:
        """Have people tap; calls `ask` with each tap's number. Returns whether all were seen."""
        return self._run(reader, lambda number: lambda: ask(number), None)

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
        reader: Reader,
        lay: Callable[[int], Callable[[], None]],
        lift: Callable[[], None] | None,
    ) -> bool:
        timed_reader = TimedReader(reader)
        watcher = Watcher(
            timed_reader,
            lambda event: self._events.put((event, time.perf_counter())),
            interval=self._interval,
        )
        watcher.start()
        try:
            for number in range(1, self.taps + 1):
                action = lay(number)
                duration = time.perf_counter()
                action()
                view = self._wait(Tap)
                if view is None:
                    return False
                took = view - duration if lift else self._interval + timed_reader.took
                self.times.append(took * 1000)
                if lift:
                    lift()
                if self._wait(Lift) is None:
                    return False
        finally:
            watcher.stop()
            watcher.join(5.0)
        return True

    def _wait(self, kind: type) -> float | None:
        """The time of the next event of this kind; None, with `problem` set, if none comes."""
        end = time.monotonic() + self._seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event, when = self._events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, kind):
                return when
            if isinstance(event, ReaderLost):
                self.problem = translate(event.reason)
                return None
        sentence = _("No chip was taken away within {seconds} seconds.")
        if kind is Tap:
            sentence = _("No chip was put on the reader within {seconds} seconds.")
        self.problem = sentence.format(seconds=f"{self._seconds:.0f}")
        return None
