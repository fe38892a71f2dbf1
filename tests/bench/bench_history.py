"""Measure the history of 10,000 games: statistics the first time and afterwards, and whether the
number of games slows down other commands. The yardstick is `companion score` of the last game.

The log is that of `many_games.py`: games of all boxes with about 300 moves each. All commands run
in turn; figures are of their CPU time.

    python tests/bench/bench_history.py [--games 10000] [--distinct 100] [--samples 7]
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.files.locations import APP, GAMES_NAME
from tests.bench.many_games import draw, fill
from tests.bench.measuring import (
    BIN,
    compile_ours,
    figure,
    interleave,
    ratio,
    show_spread,
    spend,
)

ROWS = (
    ("stats, first", "score", 8.0, 20.0),
    ("stats", "score", 1.5, 4.0),
    ("score", "score alone", 1.0, 1.3),
    ("record", "record alone", 1.0, 1.3),
)
"""A command, the one that it is measured against, the goal and the floor."""


def spend_on(words: Sequence[str], folder: Path, *, first: bool = False) -> float:
    """The CPU time in milliseconds of the command in that folder; `first` clears its caches."""
    cache = folder / "cache"
    if first:
        shutil.rmtree(cache / APP / "statistics", ignore_errors=True)
    env = {"COMPANION_DATA": str(folder), "XDG_CACHE_HOME": str(cache)}
    return spend([str(BIN / "companion"), *words], env)


def main() -> None:
    """Write the games, query the history and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--distinct", type=int, default=100)
    options.add_argument("--samples", type=int, default=5)
    given = options.parse_args()
    compile_ours()
    played = draw(given.distinct)
    with tempfile.TemporaryDirectory() as folder:
        many, one = Path(folder, "many"), Path(folder, "one")
        fill(str(many / GAMES_NAME), itertools.islice(itertools.cycle(played), given.games))
        fill(str(one / GAMES_NAME), iter(played[:1]))
        stats = ["stats", "--json"]
        measures = {
            "score": partial(spend_on, ["score"], many),
            "stats, first": partial(spend_on, stats, many, first=True),
            "stats": partial(spend_on, stats, many),
            "record": partial(spend_on, ["record"], many),
            "score alone": partial(spend_on, ["score"], one),
            "record alone": partial(spend_on, ["record"], one),
        }
        times = interleave(measures, given.samples)
    for name, samples in times.items():
        print(f"{name}: {show_spread(samples)} ms")
    for name, yardstick, goal, floor in ROWS:
        what = f"{name}, {given.games} games, CPU against {yardstick}"
        figure(what, ratio(times[name], times[yardstick]), "times", goal, floor=floor)


if __name__ == "__main__":
    main()
