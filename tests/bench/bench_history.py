"""Measure the history of 10,000 games: statistics the first time and afterwards, and whether the
number of games slows down other commands.

The log is that of `many_games.py`: games of all boxes with about 300 moves each. Times are of the
whole command; the lowest of several, as other programs only add to it.

    python tests/bench/bench_history.py [--games 10000] [--distinct 100] [--samples 7]
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.files.locations import APP, GAMES_NAME
from tests.bench.many_games import draw, fill
from tests.bench.measuring import BIN, compile_ours, figure


def shortest(words: Sequence[str], folder: Path, samples: int, *, first: bool = False) -> float:
    """Milliseconds of the command in that data folder; `first` clears the caches before each
    start."""
    cache = folder / "cache"
    env = {**os.environ, "COMPANION_DATA": str(folder), "XDG_CACHE_HOME": str(cache)}
    times = []
    for _sample in range(samples + 1):
        if first:
            shutil.rmtree(cache / APP / "statistics", ignore_errors=True)
        begun = time.perf_counter()
        command = [str(BIN / "companion"), *words]
        subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
        times.append(1000 * (time.perf_counter() - begun))
    return min(times[1:])  # the first start fills caches of settings and cards


def main() -> None:
    """Write the games, query the history and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--distinct", type=int, default=100)
    options.add_argument("--samples", type=int, default=7)
    given = options.parse_args()
    compile_ours()
    played = draw(given.distinct)
    with tempfile.TemporaryDirectory() as folder:
        many, one = Path(folder, "many"), Path(folder, "one")
        fill(str(many / GAMES_NAME), itertools.islice(itertools.cycle(played), given.games))
        fill(str(one / GAMES_NAME), iter(played[:1]))
        stats = ["stats", "--json"]
        first = shortest(stats, many, 3, first=True)
        figure(f"statistics of {given.games} games, the first time", first, "ms", "under 2000")
        later = shortest(stats, many, given.samples)
        figure(f"statistics of {given.games} games, afterwards", later, "ms", "under 200")
        for word in ("score", "record"):
            alone = shortest([word], one, given.samples)
            among = shortest([word], many, given.samples)
            what = f"ratio of companion {word} with {given.games} games and with one"
            figure(what, among / alone, "times", "about 1")


if __name__ == "__main__":
    main()
