"""Measure the time to the first painted screen of `companion play` against the smallest Textual
app.

Each is started in turn in its own pseudo terminal, until a text of its first frame is painted, or
one that comes only with the whole set-up or board; prints the medians of the ratios, of CPU time
and of the time that a person waits.

    python tests/bench/bench_first_screen.py [--samples 12]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import (
    BIN,
    NEW,
    SHORT,
    Terminal,
    compile_ours,
    figure,
    ratio,
    show_spread,
)

SMALLEST = """
from textual.app import App
from textual.widgets import Static
class Smallest(App):
    def compose(self):
        yield Static("painted")
Smallest().run()
"""


LIMITS = {
    "the set-up's first frame": (1.2, 1.35),
    "a new game's first frame": (1.3, 1.45),
    "the whole set-up": (1.35, 1.5),
    "a new game's whole board": (1.5, 1.65),
}
"""The goal and the floor of each, as CPU time."""


def measure_first_screen(words: Sequence[str], text: str, cache: str) -> tuple[float, float]:
    """From a program's start, with no saved games, to that text: its CPU time and the time passed,
    in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"COMPANION_DATA": folder, "XDG_CACHE_HOME": cache}
        with Terminal(words, env) as terminal:
            duration = 1000 * (terminal.wait_for(text) - terminal.started)
            return terminal.spent(), duration


def main() -> None:
    """Start all alternately and print the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=5 if SHORT else 12)
    args = options.parse_args()
    compile_ours()
    play = [str(BIN / "companion"), "play"]
    programs = {
        "smallest Textual app": ([sys.executable, "-c", SMALLEST], "painted"),
        "the set-up's first frame": (play, "Players"),
        "a new game's first frame": ([*play, *NEW], "Kurt"),
        "the whole set-up": (play, "Start the game"),
        "a new game's whole board": ([*play, *NEW], "Discard 2 characters"),
    }
    costs: dict[str, list[float]] = {name: [] for name in programs}
    times: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as cache:
        for sample in range(args.samples + 1):
            for name, (words, text) in programs.items():
                cost, duration = measure_first_screen(words, text, cache)
                if sample:  # the first start fills the settings cache on disk
                    costs[name].append(cost)
                    times[name].append(duration)
    for name, samples in times.items():
        print(f"{name}: {show_spread(samples)} ms, CPU {show_spread(costs[name])} ms")
    smallest = next(iter(programs))
    for name, (goal, floor) in LIMITS.items():
        figure(f"{name}, CPU", ratio(costs[name], costs[smallest]), "times", goal, floor=floor)
        figure(f"{name}, time passed", ratio(times[name], times[smallest]), "times", goal)


if __name__ == "__main__":
    main()
