"""Measure the starts of short commands against a bare `python -c pass`: CPU time of the processes,
started in turn.

    python tests/bench/bench_starts.py [--samples 15]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import (
    BIN,
    SHORT,
    compile_ours,
    figure,
    interleave,
    ratio,
    show_spread,
    spend,
)

YARDSTICK = "python -c pass"
COMMANDS = {
    "--version": (1.6, 1.6),
    "--help": (2.2, 2.3),
    "card temple": (2.8, 2.8),
    "editions": (4.0, 4.2),
    "stats": (4.5, 5.0),
    "score": (4.5, 4.8),
}
"""Each command, in an empty data folder, with its goal and its floor."""


def main() -> None:
    """Start all in turn and print the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=7 if SHORT else 15)
    args = options.parse_args()
    compile_ours()
    with tempfile.TemporaryDirectory() as folder:
        env = {"COMPANION_DATA": folder, "XDG_CACHE_HOME": folder, "PYTHONDONTWRITEBYTECODE": ""}
        programs = {YARDSTICK: [sys.executable, "-c", "pass"]}
        programs |= {words: [str(BIN / "companion"), *words.split()] for words in COMMANDS}
        measures = {name: partial(spend, words, env) for name, words in programs.items()}
        times = interleave(measures, args.samples)
    for name, samples in times.items():
        print(f"{name}: {show_spread(samples)} ms")
    for words, (goal, floor) in COMMANDS.items():
        what = f"companion {words}, CPU against {YARDSTICK}"
        figure(what, ratio(times[words], times[YARDSTICK]), "times", goal, floor=floor)


if __name__ == "__main__":
    main()
