"""Measure the start of `companion score` against a bare `python -c pass`: CPU time of the
processes, started in turn, with an empty data folder.
"""

from __future__ import annotations

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
COMMAND = "score"
FLOOR = 12


def main() -> None:
    """Start all in turn and print the ratios."""
    compile_ours()
    with tempfile.TemporaryDirectory() as folder:
        env = {"COMPANION_DATA": folder, "XDG_CACHE_HOME": folder, "PYTHONDONTWRITEBYTECODE": ""}
        programs = {
            YARDSTICK: [sys.executable, "-c", "pass"],
            COMMAND: [str(BIN / "companion"), COMMAND],
        }
        measures = {name: partial(spend, words, env) for name, words in programs.items()}
        times = interleave(measures, 7 if SHORT else 15)
    for name, samples in times.items():
        print(f"{name}: {show_spread(samples)} ms")
    what = f"companion {COMMAND}, CPU against {YARDSTICK}"
    figure(what, ratio(times[COMMAND], times[YARDSTICK]), FLOOR)


if __name__ == "__main__":
    main()
