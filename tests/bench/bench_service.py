"""Measure the reader service: the latency from laying down or lifting a chip to the event read by a
client.

The service, the emulated PN532 (5 ms radio exchanges) and the client are three processes; readers
are polled every 50 ms through nfcpy's real driver. The yardstick, in turn with the service, is
nfcpy's own `connect()` loop on another emulated reader. The idle share is the service process's.

    python tests/bench/bench_service.py [--taps 60] [--idle 5]
"""

from __future__ import annotations

import argparse
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench_reader import Simulator, connect_loop, measure, time_taps
from measuring import figure

from tags.service import parse_message
from tags.service.endpoint import Endpoint
from tags.watch import Lift, Tap

ROOT = Path(__file__).resolve().parents[2]
CHIP = "04A2B3C4D5E680"


ROUNDS = 5
NAMES = {
    "tap": "tap to an event of the service",
    "lift": "lift to an event of the service",
    "idle": "the idle service, CPU",
}
LIMITS = (
    ("tap", 50, 0.15, 0.4),
    ("tap", 95, 0.2, 0.6),
    ("lift", 95, 1.0, 1.3),
    ("idle", 50, 2.7, 6.0),
)
"""What is measured, the percentile, the goal and the floor."""


def processor_time(pid: int) -> float:
    """A process's CPU time in seconds (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def daemon(reader: str, folder: str) -> Iterator[tuple[int, Endpoint]]:
    """Run the service in its own process; it knows the chip."""
    Path(folder, "tags.yaml").write_text(f"chips:\n  '{CHIP}': crown\n", encoding="utf-8")
    env = {**os.environ, "COMPANION_DATA": folder, "XDG_RUNTIME_DIR": folder}
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "daemon", "--reader", reader],
        cwd=ROOT,
        env=env,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    if "is listening at" not in process.stderr.readline():
        raise RuntimeError("the service did not start")
    yield process.pid, Endpoint(os.path.join(folder, "citadels-companion"))
    process.terminate()
    process.communicate(timeout=10)


def listen(endpoint: Endpoint, view: queue.Queue[tuple[str, float]]) -> None:
    """Queue each tap and lift with the time its line was read."""
    with endpoint.connect(5) as link, link.makefile("rb") as lines:
        link.settimeout(None)
        for line in lines:
            when = time.perf_counter()
            event = parse_message(line)
            if isinstance(event, Tap | Lift):
                view.put(("tap" if isinstance(event, Tap) else "lift", when))


def measure_service(taps: int, idle: float) -> dict[str, list[float]]:
    """Latencies through the service in milliseconds, and its idle CPU share in percent."""
    simulator = Simulator()
    view: queue.Queue[tuple[str, float]] = queue.Queue()
    figures: dict[str, list[float]] = {"tap": [], "lift": [], "idle": []}
    with tempfile.TemporaryDirectory() as folder, daemon(simulator.path, folder) as (pid, endpoint):
        threading.Thread(target=listen, args=(endpoint, view), daemon=True).start()
        time.sleep(1)
        cpu, wall = processor_time(pid), time.perf_counter()
        time.sleep(idle)
        share = (processor_time(pid) - cpu) / (time.perf_counter() - wall)
        figures["idle"].append(100 * share)
        time_taps(simulator, view, figures, [CHIP] * taps)
    simulator.quit()
    return figures


def main() -> None:
    """Measure the service, then nfcpy's own loop, and print one figure per line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taps", type=int, default=60)
    options.add_argument("--idle", type=float, default=5.0, help="seconds of doing nothing")
    args = options.parse_args()
    taps, idle = -(-args.taps // ROUNDS), args.idle / ROUNDS
    ours: dict[str, list[float]] = {"tap": [], "lift": [], "idle": []}
    theirs: dict[str, list[float]] = {"tap": [], "lift": [], "idle": []}
    for _ in range(ROUNDS):
        for all_of_them, once in (
            (ours, measure_service(taps, idle)),
            (theirs, measure(connect_loop, taps, idle)),
        ):
            for what, samples in once.items():
                all_of_them[what] += samples
    for what, share, goal, floor in LIMITS:
        own, other = (
            statistics.quantiles(one[what], n=20, method="inclusive")[share // 5 - 1]
            for one in (ours, theirs)
        )
        print(f"{what}, p{share}: {own:.2f}, nfcpy's {other:.2f}", flush=True)
        name = f"{NAMES[what]}, p{share}, against nfcpy's connect()"
        figure(name, own / other, "times", goal, floor=floor)


if __name__ == "__main__":
    main()
