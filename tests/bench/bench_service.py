"""Measure the reader service: the latency from laying down or lifting a chip to the event read by a
client.

The service, the emulated PN532 (5 ms radio exchanges) and the client are three processes; readers
are polled every 50 ms through nfcpy's real driver. nfcpy's own `connect()` loop is measured right
after on another emulated reader. The idle share is the service process's.

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

from tags.service.endpoint import Endpoint
from tags.service.protocol import parse_message
from tags.watch import Lift, Tap

ROOT = Path(__file__).resolve().parents[2]
CHIP = "04A2B3C4D5E680"


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


def listen(endpoint: Endpoint, seen: queue.Queue[tuple[str, float]]) -> None:
    """Queue each tap and lift with the time its line was read."""
    with endpoint.connect(5) as link, link.makefile("rb") as lines:
        link.settimeout(None)
        for line in lines:
            when = time.perf_counter()
            event = parse_message(line)
            if isinstance(event, Tap | Lift):
                seen.put(("tap" if isinstance(event, Tap) else "lift", when))


def measure_service(taps: int, idle: float) -> dict[str, list[float]]:
    """Latencies through the service in milliseconds, and its idle CPU share in percent."""
    simulator = Simulator()
    seen: queue.Queue[tuple[str, float]] = queue.Queue()
    figures: dict[str, list[float]] = {"tap": [], "lift": [], "idle": []}
    with tempfile.TemporaryDirectory() as folder, daemon(simulator.path, folder) as (pid, endpoint):
        threading.Thread(target=listen, args=(endpoint, seen), daemon=True).start()
        time.sleep(1)
        cpu, wall = processor_time(pid), time.perf_counter()
        time.sleep(idle)
        share = (processor_time(pid) - cpu) / (time.perf_counter() - wall)
        figures["idle"].append(100 * share)
        time_taps(simulator, seen, figures, [CHIP] * taps)
    simulator.quit()
    return figures


def main() -> None:
    """Measure the service, then nfcpy's own loop, and print one figure per line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taps", type=int, default=60)
    options.add_argument("--idle", type=float, default=5.0, help="seconds of doing nothing")
    given = options.parse_args()
    ours, theirs = (
        measure_service(given.taps, given.idle),
        measure(connect_loop, given.taps, given.idle),
    )
    tap, lift = (statistics.quantiles(ours[what], n=20) for what in ("tap", "lift"))
    figure("tap to an event read from the service, p50", tap[9], "ms", "at most 35")
    figure("tap to an event read from the service, p95", tap[18], "ms", "at most 60")
    figure("lift to an event read from the service, p95", lift[18], "ms", "at most 450")
    figure("the service's processor share while idle", ours["idle"][0], "%", "under 1")
    for what in ("tap", "lift"):
        parts = statistics.quantiles(theirs[what], n=20)
        print(f"nfcpy connect(), {what}: p50 {parts[9]:.1f} ms, p95 {parts[18]:.1f} ms", flush=True)
    print(f"nfcpy connect(), processor share while idle: {theirs['idle'][0]:.2f} %", flush=True)


if __name__ == "__main__":
    main()
