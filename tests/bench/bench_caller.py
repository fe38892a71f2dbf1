"""Measure the full-screen caller with a reader: the latency from a chip laid down to its painted
effect, and the idle CPU share.

The caller runs in a pseudo terminal, the emulated PN532 in its own process, with 5 ms radio
exchanges and the real driver between them. Chips undo and redo a move, so each tap is judged,
written to the log and painted. Times are from laying the chip down until the terminal has the words
of the effect.

The yardstick, in turn with it, is a tap on another emulated reader until our loop has the event.

    python tests/bench/bench_caller.py [--taps 60] [--idle 10]
"""

from __future__ import annotations

import argparse
import queue
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.bench_reader import Seen, Simulator, run_our_loop
from tests.bench.measuring import (
    BIN,
    Terminal,
    begin_game,
    compile_ours,
    figure,
    percentile,
    show_spread,
)

PAINTED = {"undo": "Undone", "redo": "Redone"}
PAIRS = 4  # chips of each: the same one again within a second is not taken as a tap


def taps(
    terminal: Terminal, reader: Simulator, bare: Simulator, view: Seen, number: int
) -> tuple[list[float], list[float]]:
    """Milliseconds from laying a chip down to the painted effect, for `number` pairs of taps, and
    to the event on the `bare` reader, whose events `view` receives."""
    chance = random.Random(1)
    matches, events = [], []
    for pair in range(number):
        for action, words in PAINTED.items():
            terminal.let_run(chance.uniform(0.2, 0.4))
            moment = reader.do(f"hold {_uid(action, pair % PAIRS)}")
            matches.append(1000 * (terminal.wait_for(words) - moment))
            terminal.let_run(0.05)
            reader.do("lift")
            time.sleep(chance.uniform(0.1, 0.2))
            moment = bare.do(f"hold {_uid(action, pair % PAIRS)}")
            events.append(1000 * (view.get(timeout=10)[1] - moment))
            bare.do("lift")
            view.get(timeout=10)
    return matches, events


def _uid(action: str, pair: int) -> str:
    return f"04{list(PAINTED).index(action):02X}{pair:010X}"


def measure_idle(terminal: Terminal, seconds: float) -> float:
    """The idle caller's CPU usage, in percent of one core."""
    duration, usage = time.perf_counter(), terminal.processor_time()
    terminal.let_run(seconds)
    return 100 * (terminal.processor_time() - usage) / (time.perf_counter() - duration)


def main() -> None:
    """Play in a terminal and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taps", type=int, default=40, help="pairs of taps")
    options.add_argument("--idle", type=float, default=10.0, help="seconds of doing nothing")
    args = options.parse_args()
    compile_ours()
    reader, bare = Simulator(), Simulator()
    view: Seen = queue.Queue()
    with tempfile.TemporaryDirectory() as folder:
        chips = [(_uid(action, pair), action) for action in PAINTED for pair in range(PAIRS)]
        lines = "".join(f"  {uid}: action {action}\n" for uid, action in chips)
        (Path(folder) / "tags.yaml").write_text(f"chips:\n{lines}", encoding="utf-8")
        begin_game(folder)
        words = [str(BIN / "companion"), "play", "--resume", "--reader", reader.path]
        loop = run_our_loop(bare.path, lambda what: view.put((what, time.perf_counter())))
        with Terminal(words, {"COMPANION_DATA": folder}) as terminal, loop:
            terminal.wait_for("is ready")
            terminal.let_run(1.0)
            matches, events = taps(terminal, reader, bare, view, args.taps)
            terminal.let_run(1.0)
            idle = measure_idle(terminal, args.idle) if sys.platform == "linux" else None
    reader.quit()
    bare.quit()
    print(f"tap to painted effect: {show_spread(matches)} ms; to event: {show_spread(events)} ms")
    value = statistics.median(matches) / statistics.median(events)
    figure("tap to painted effect, against tap to event", value, "times", 2.0, floor=4.0)
    figure(
        "tap to painted effect, 95 of 100 taps within", percentile(matches, 95), "ms", "under 100"
    )
    if idle is not None:
        figure("idle caller with a polling reader, share of a processor", idle, "%", "under 2")


if __name__ == "__main__":
    main()
