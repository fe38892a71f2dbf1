"""Measure the latency from laying a chip down to its event, against nfcpy's own `connect()`.

Both loops run in this process through nfcpy's real driver on the same emulated PN532, in its own
process, with 5 ms radio exchanges, a 115200 baud line and a USB converter with a latency of 1 ms.
"""

from __future__ import annotations

import queue
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tags.readers.nfcpy_open import open_frontend
from tags.readers.nfcpy_reader import NfcpyReader
from tags.readers.roads import parse_place
from tags.watch import Event, Lift, Tap, Watcher
from tests.bench.measuring import SHORT, figure, show_spread
from tests.waiting import PATIENCE, read_line

Report = Callable[[str], None]

ADAPTER = "1"  # milliseconds: a USB serial converter that is tuned


class Simulator:
    """The emulated reader's process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.rigs.simulator", "--rf", "0.005", "--adapter", ADAPTER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        self.path = self._line()

    def _line(self) -> str:
        return str(read_line(self._process)).strip()

    def do(self, command: str) -> float:
        """Execute ``command``; returns its time, in seconds on the performance counter."""
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        word, _, when = self._line().partition(" ")
        if word != "ok":
            raise RuntimeError(when)
        return float(when)

    def quit(self) -> None:
        """End the process."""
        self._process.communicate("quit\n", timeout=10)


@contextmanager
def run_our_loop(path: str, report: Report) -> Iterator[None]:
    """Report taps and lifts from the watcher."""

    def listen(event: Event) -> None:
        if isinstance(event, Tap | Lift):
            report("tap" if isinstance(event, Tap) else "lift")

    watcher = Watcher(NfcpyReader(path), listen)
    watcher.start()
    yield
    watcher.stop()
    watcher.join(PATIENCE)


@contextmanager
def connect_loop(path: str, report: Report) -> Iterator[None]:
    """Report taps and lifts from nfcpy's own loop."""
    frontend = open_frontend(parse_place(path))
    stop = threading.Event()

    def report_tap(tag: Any) -> bool:
        report("tap")
        return True

    options = {
        "on-connect": report_tap,
        "on-release": lambda tag: report("lift"),
        "beep-on-connect": False,
    }
    thread = threading.Thread(
        target=lambda: frontend.connect(rdwr=options, terminate=stop.is_set), daemon=True
    )
    thread.start()
    yield
    stop.set()
    thread.join(PATIENCE)
    frontend.close()


Loop = Callable[[str, Report], Any]


Seen = queue.Queue[tuple[str, float]]


def time_taps(
    simulator: Simulator, view: Seen, figures: dict[str, list[float]], chips: Sequence[str]
) -> None:
    """Lay each chip down and lift it, recording the milliseconds until each event.

    `view` receives the events with their times. Raises RuntimeError for an unexpected event,
    queue.Empty after ten seconds without one.
    """
    chance = random.Random(1)  # taps come at varying times between two polls
    for chip in chips:
        for what, command in (("tap", f"hold {chip}"), ("lift", "lift")):
            time.sleep(chance.uniform(0.15, 0.4))
            duration = simulator.do(command)
            kind, when = view.get(timeout=10)
            if kind != what:
                raise RuntimeError(f"expected a {what} and saw a {kind}")
            figures[what].append(1000 * (when - duration))


def measure(loop: Loop, taps: int) -> dict[str, list[float]]:
    """Latencies in milliseconds of taps and lifts."""
    simulator = Simulator()
    view: Seen = queue.Queue()
    figures: dict[str, list[float]] = {"tap": [], "lift": []}
    with loop(simulator.path, lambda what: view.put((what, time.perf_counter()))):
        time.sleep(1)
        time_taps(simulator, view, figures, [f"04{number:012X}" for number in range(taps)])
    simulator.quit()
    return figures


FLOOR = 0.2


def main() -> None:
    """Measure both loops in sequence and print a line for each."""
    loops: dict[str, Loop] = {"our loop": run_our_loop, "nfcpy connect()": connect_loop}
    taps = {name: measure(loop, 20 if SHORT else 60)["tap"] for name, loop in loops.items()}
    for name, samples in taps.items():
        print(f"{name}: tap to event {show_spread(samples)} ms")
    ours, theirs = (statistics.median(samples) for samples in taps.values())
    figure("tap to event, against nfcpy's connect()", ours / theirs, FLOOR)


if __name__ == "__main__":
    main()
