"""Measure the reader: the latency from laying a chip down to its event, from lifting to its event,
and the idle cost.

Both loops run in this process through nfcpy's real driver on the same emulated PN532, in its own
process, with 5 ms radio exchanges, a 115200 baud line and a USB converter with a latency of 1 or 16
ms: ours and nfcpy's own ``connect()`` with its defaults. Prints milliseconds and the idle share of
one core, the time and the number of reader commands to write and verify a chip, and how many chips
are reported when a thousand a minute are laid on, each replacing the last.

    python tests/bench/bench_reader.py [--taps 60] [--idle 5]
"""

from __future__ import annotations

import argparse
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

from companion.chips.entries import DistrictChip
from companion.chips.ndef import encode
from tags import access
from tags.readers.nfcpy_open import open_frontend
from tags.readers.nfcpy_reader import NfcpyReader
from tags.readers.paths import parse_place
from tags.watch import Event, Lift, Tap, Watcher
from tests.bench.measuring import figure
from tests.rigs.simulator import EmulatedReader

Report = Callable[[str], None]

HURRY = 0.06
"""Seconds from one chip to the next at a thousand a minute."""


ADAPTERS = (1, 16)
"""Latency of a USB serial converter in milliseconds: tuned, and an FTDI's default."""

BOX = 84
"""The chips of a Classic box: 68 districts, 8 characters, 7 tokens and the crown."""


class Simulator:
    """The emulated reader's process; ``adapter`` in milliseconds, None for an instant line."""

    def __init__(self, adapter: float | None = None) -> None:
        slow = [] if adapter is None else ["--adapter", str(adapter)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.rigs.simulator", "--rf", "0.005", *slow],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        self.path = self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

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
    watcher.join()


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
    thread.join()
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


def measure(
    loop: Loop, taps: int, idle: float, adapter: float | None = None
) -> dict[str, list[float]]:
    """Latencies in milliseconds and the idle CPU share in percent."""
    simulator = Simulator(adapter)
    view: Seen = queue.Queue()
    figures: dict[str, list[float]] = {"tap": [], "lift": [], "idle": []}
    with loop(simulator.path, lambda what: view.put((what, time.perf_counter()))):
        time.sleep(1)
        cpu, wall = time.process_time(), time.perf_counter()
        time.sleep(idle)
        figures["idle"].append(100 * (time.process_time() - cpu) / (time.perf_counter() - wall))
        time_taps(simulator, view, figures, [f"04{number:012X}" for number in range(taps)])
    simulator.quit()
    return figures


def count_hurried(chips: int) -> int:
    """The number of `chips` chips that our loop reports, if each lies there for 60 ms."""
    simulator = Simulator()
    lines: list[str] = []
    with run_our_loop(simulator.path, lines.append):
        time.sleep(1)
        duration = time.perf_counter()
        for number in range(1, chips + 1):
            simulator.do(f"hold 04{number:012X}")
            time.sleep(max(0.0, duration + number * HURRY - time.perf_counter()))
    simulator.quit()
    return lines.count("tap")


def write_chips(chips: int, adapter: float) -> tuple[float, float]:
    """Average seconds and reader commands to write and verify one chip."""
    message = encode(DistrictChip("great_wall", 1), "Great Wall")
    with EmulatedReader(wired=True, adapter=adapter / 1000) as emulated_reader:
        reader = emulated_reader.reader()
        reader.open()
        duration, before = time.perf_counter(), emulated_reader.chip.commands
        for number in range(chips):
            uid = bytes((4, 0, 0, 0, 0, 0, number))
            emulated_reader.hold(uid)
            access.write(reader, uid, message)
        took = time.perf_counter() - duration
        reader.close()
        return took / chips, (emulated_reader.chip.commands - before) / chips


GOALS = {1: "under 60", 16: "under 120"}


def main() -> None:
    """Measure both loops in sequence and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taps", type=int, default=60)
    options.add_argument("--idle", type=float, default=5.0, help="seconds of doing nothing")
    options.add_argument("--hurried", type=int, default=250, help="chips at a thousand a minute")
    options.add_argument("--chips", type=int, default=20, help="chips to write")
    args = options.parse_args()
    loops: dict[str, Loop] = {"our loop": run_our_loop, "nfcpy connect()": connect_loop}
    for adapter in ADAPTERS:
        medians: list[float] = []
        for name, loop in loops.items():
            figures = measure(loop, args.taps, args.idle, adapter)
            tap, lift = (statistics.quantiles(figures[what], n=20) for what in ("tap", "lift"))
            about = f"{name}, {adapter} ms adapter"
            medians.append(tap[9])
            goal = GOALS[adapter] if loop is run_our_loop else "none"
            figure(f"{about}: tap to event, p50", tap[9], "ms", "none")
            figure(f"{about}: tap to event, p95", tap[18], "ms", goal)
            figure(f"{about}: lift to event, p95", lift[18], "ms", "none")
            figure(f"{about}: processor share while idle", figures["idle"][0], "%", "under 1")
        what = f"tap to event, {adapter} ms adapter, against nfcpy's connect()"
        figure(what, medians[0] / medians[1], "times", 0.2, floor=0.6)
        seconds, questions = write_chips(args.chips, adapter)
        figure(f"write and verify, {adapter} ms adapter", 1000 * seconds, "ms", "none")
        figure("questions to the reader for that", questions, "", "at most 60")
        figure(f"a box of {BOX} chips written, {adapter} ms adapter", BOX * seconds, "s", "120")
    share = 100 * count_hurried(args.hurried) / args.hurried
    figure(f"of {args.hurried} chips laid on at a thousand a minute, told", share, "%", "100")


if __name__ == "__main__":
    main()
