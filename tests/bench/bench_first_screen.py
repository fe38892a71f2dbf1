"""Measure the time to the first painted screen of `companion play` against the smallest Textual
app.

Each is started alternately in its own pseudo terminal, and timed until a text found only on its
first screen is painted; prints the medians of the ratios.

    python tests/bench/bench_first_screen.py [--samples 12]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import BIN, NEW, Terminal, compile_ours, figure, show_spread

SMALLEST = """
from textual.app import App
from textual.widgets import Static
class Smallest(App):
    def compose(self):
        yield Static("painted")
Smallest().run()
"""


def measure_first_screen(words: Sequence[str], text: str, cache: str) -> float:
    """Milliseconds from a program's start, with no saved games, to that text."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"COMPANION_DATA": folder, "XDG_CACHE_HOME": cache}
        with Terminal(words, env) as terminal:
            return 1000 * (terminal.wait_for(text) - terminal.started)


def main() -> None:
    """Start all alternately and print the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=12)
    given = options.parse_args()
    compile_ours()
    play = [str(BIN / "companion"), "play"]
    programs = {
        "smallest Textual app": ([sys.executable, "-c", SMALLEST], "painted"),
        "companion play, the set-up": (play, "Players"),
        "companion play, a new game": ([*play, *NEW], "Kurt"),
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as cache:
        for sample in range(given.samples + 1):
            for name, (words, text) in programs.items():
                painted = measure_first_screen(words, text, cache)
                if sample:  # the first start fills the settings cache on disk
                    times[name].append(painted)
    for name, samples in times.items():
        print(f"{name}: {show_spread(samples)} ms")
    smallest, *ours = times
    for name in ours:
        # ratios of adjacent samples: other load on the machine slows down both
        ratios = [ours / small for small, ours in zip(times[smallest], times[name], strict=True)]
        what = f"{name}, against the {smallest}"
        figure(what, statistics.median(ratios), "times", "at most 1.3")


if __name__ == "__main__":
    main()
