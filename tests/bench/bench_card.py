"""Measure the start of a short command: `companion card temple` against a bare `python -c pass`.

Both are started alternately; prints the ratio of their median run times.

    python tests/bench/bench_card.py [--samples 40]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import BIN, compile_ours, figure, show_spread


def main() -> None:
    """Start both alternately and print the ratio."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--samples", type=int, default=40)
    given = options.parse_args()
    compile_ours()
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "companion card temple": [str(BIN / "companion"), "card", "temple"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "COMPANION_DATA": folder, "XDG_CACHE_HOME": folder}
        for sample in range(given.samples + 2):
            for name, words in commands.items():
                begun = time.perf_counter()
                subprocess.run(words, env=env, stdout=subprocess.DEVNULL, check=True)
                if sample > 1:  # the first runs fill caches
                    times[name].append(1000 * (time.perf_counter() - begun))
    for name, samples in times.items():
        print(f"{name}: {show_spread(samples)} ms")
    bare, card = (statistics.median(samples) for samples in times.values())
    figure("companion card temple, against python -c pass", card / bare, "times", "at most 4")


if __name__ == "__main__":
    main()
