"""Measure the CPU time to the first painted screen of `companion play` against the smallest Textual
app with as many texts.

Each is started in turn in its own pseudo terminal, until a text is painted that comes with the
whole set-up or table.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import (
    BIN,
    NEW,
    SHORT,
    Terminal,
    compile_ours,
    figure,
    interleave,
    ratio,
    show_spread,
)

SMALLEST = """
from textual.app import App
from textual.widgets import Static
class Smallest(App):
    def compose(self):
        yield from (Static(f"text {n}") for n in range(29)); yield Static("painted")
Smallest().run()
"""


FLOOR = 2.2
"""1.6 before every module imported at its top what it needs; Textual itself is half of the rest."""


def measure_first_screen(words: Sequence[str], text: str) -> float:
    """The CPU time from a program's start, with no saved games, to that text, in milliseconds."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Terminal(words, {"COMPANION_DATA": folder, "XDG_CACHE_HOME": folder}) as terminal,
    ):
        terminal.wait_for(text)
        return terminal.spent()


def main() -> None:
    """Start all alternately and print the ratios."""
    compile_ours()
    play = [str(BIN / "companion"), "play"]
    programs = {
        "smallest Textual app": ([sys.executable, "-c", SMALLEST], "painted"),
        "the set-up": (play, "Start the game"),
        "a new game's table": ([*play, *NEW], "Discard 2 characters"),
    }
    measures = {
        name: partial(measure_first_screen, words, text) for name, (words, text) in programs.items()
    }
    costs = interleave(measures, 5 if SHORT else 12)
    smallest, *ours = costs
    for name, samples in costs.items():
        print(f"{name}: CPU {show_spread(samples)} ms")
    for name in ours:
        figure(f"{name}, CPU to the first screen", ratio(costs[name], costs[smallest]), FLOOR)


if __name__ == "__main__":
    main()
