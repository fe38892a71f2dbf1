"""Measures the first painted screen of `companion play` against the smallest Textual app.

Each is started in a pseudo terminal of its own, in turns, and timed from its start until the text
that only its first screen shows has been painted; printed are the ratios of the medians.

    python tests/bench/bench_first_screen.py [--samples 12]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import BIN, Terminal, compile_ours, figure, spread

SMALLEST = """
from textual.app import App
from textual.widgets import Static
class Smallest(App):
    def compose(self):
        yield Static("painted")
Smallest().run()
"""
NEW = ["--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt"]


def main() -> None:
    """Start all in turns and print the ratios."""
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
    for sample in range(given.samples + 1):
        for name, (words, text) in programs.items():
            with tempfile.TemporaryDirectory() as folder:
                env = {"COMPANION_DATA": folder, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
                with Terminal(words, env) as terminal:
                    painted = terminal.wait_for(text) - terminal.started
                    if sample:  # the first one fills caches
                        times[name].append(1000 * painted)
    for name, samples in times.items():
        print(f"{name}: {spread(samples)} ms")
    smallest, *ours = ((name, statistics.median(samples)) for name, samples in times.items())
    for name, median in ours:
        figure(
            f"{name}, against the smallest Textual app",
            median / smallest[1],
            "times",
            "at most 1.3",
        )


if __name__ == "__main__":
    main()
