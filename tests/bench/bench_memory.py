"""Measure resident memory: the full screen, the lines and the host for phones, at a game of four,
against the smallest Textual app and the bare interpreter (Linux).

    python tests/bench/bench_memory.py
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.bench_evening import SMALLEST
from tests.bench.measuring import BIN, Terminal, begin_game, compile_ours, figure

ROWS = {
    "the full screen": (["play", "--resume", "--reader", "none"], "Has everybody", 1.3, 1.45),
    "the lines": (["play", "--resume", "--plain", "--reader", "none"], "Has everybody", 2.8, 3.1),
    "the host": (["host", "--host", "127.0.0.1", "--port", "0"], "http", 3.5, 4.8),
}
"""Each program: its words, what it prints when it is ready, its goal and its floor."""


def measure(words: list[str], ready: str, folder: str) -> float:
    """The resident memory in MB of a program at rest."""
    with Terminal(words, {"COMPANION_DATA": folder}) as terminal:
        terminal.wait_for(ready)
        terminal.let_run(1.0)
        return terminal.resident()


def main() -> None:
    """Start each, and print the figures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    compile_ours()
    with tempfile.TemporaryDirectory() as folder:
        begin_game(folder)
        bare_words = "import time; print('ready', flush=True); time.sleep(60)"
        bare = measure([sys.executable, "-c", bare_words], "ready", folder)
        smallest = measure([sys.executable, "-c", SMALLEST], "line 9", folder)
        print(f"bare Python {bare:.1f} MB, smallest Textual app {smallest:.1f} MB")
        for name, (words, ready, goal, floor) in ROWS.items():
            own = measure([str(BIN / "companion"), *words], ready, folder)
            screen = name == "the full screen"
            yardstick, base = ("the smallest app", smallest) if screen else ("bare Python", bare)
            print(f"{name}: {own:.1f} MB")
            what = f"memory of {name}, against {yardstick}"
            figure(what, own / base, "times", goal, floor=floor)


if __name__ == "__main__":
    main()
