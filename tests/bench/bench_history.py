"""Measure the history of 10,000 games: the commands over all of them as ratios to `companion score`
in the same run, and whether the number of games slows down other commands.

The log is that of `many_games.py`: games of all boxes with about 300 moves each. Times are those of
the processor for whole commands, which take turns; of each the median counts. Export is compared
with packing its own content, by the clock, because it packs while it reads, and by the processor.

    python tests/bench/bench_history.py [--games 10000] [--distinct 100] [--samples 7]
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.files.locations import GAMES_NAME
from tests.bench.many_games import draw, fill
from tests.bench.measuring import BIN, compile_ours, figure

IMPORTED = 500
GOALS = {"stats": 5.0, "history": 1.2, "players": 1.5}
"""Times `companion score`."""


def measure(words: Sequence[str], folder: Path) -> tuple[float, float]:
    """The command's processor time and its time by the clock, in milliseconds."""
    env = {**os.environ, "COMPANION_DATA": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    nowhere = [
        (os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)
    ]  # standard output and error
    duration, command = time.perf_counter(), str(BIN / "companion")
    child = os.posix_spawn(command, [command, *words], env, file_actions=nowhere)
    _child, status, struct_rusage = os.wait4(child, 0)
    assert status == 0, words
    took = time.perf_counter() - duration
    return 1000 * (struct_rusage.ru_utime + struct_rusage.ru_stime), 1000 * took


def compare(commands: dict[str, tuple[list[str], Path]], samples: int) -> dict[str, float]:
    """The median processor time of each command; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _sample in range(samples + 1):
        for name, (words, folder) in commands.items():
            times[name].append(measure(words, folder)[0])
    # the first start fills caches of settings and cards, and counts what is new
    return {name: statistics.median(matches[1:]) for name, matches in times.items()}


def measure_packing(path: Path) -> tuple[float, float]:
    """The processor time of packing the file's content, and by the clock, in milliseconds."""
    content = gzip.decompress(path.read_bytes())
    duration, processor = time.perf_counter(), time.process_time()
    gzip.compress(content, 6)
    return 1000 * (time.process_time() - processor), 1000 * (time.perf_counter() - duration)


def compare_export(folder: Path, samples: int) -> None:
    """Print how the export of these games compares with packing, each sample after the other."""
    file = folder.parent / "games.citadels"
    ratios = []
    for _sample in range(samples):
        file.unlink(missing_ok=True)
        times = measure(["export", str(file)], folder)
        ratios.append([t / p for t, p in zip(times, measure_packing(file), strict=True)])
    used, took = map(statistics.median, zip(*ratios, strict=True))
    figure("export of all games, times its packing, by the clock", took, "times", "1.5")
    figure("export of all games, times its packing, by the processor", used, "times", "-")


def main() -> None:
    """Write the games, query the history and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--distinct", type=int, default=100)
    options.add_argument("--samples", type=int, default=7)
    args = options.parse_args()
    compile_ours()
    chances = draw(args.distinct)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        many, one, some = folder / "many", folder / "one", folder / "some"
        fill(str(many / GAMES_NAME), itertools.islice(itertools.cycle(chances), args.games))
        last = (args.games - 1) % args.distinct
        fill(str(one / GAMES_NAME), iter(chances[last : last + 1]))  # the last of the many, too
        fill(str(some / GAMES_NAME), itertools.islice(itertools.cycle(chances), IMPORTED))
        pages = {
            "stats": ["stats"],
            "history": ["history", "--limit", "50"],
            "players": ["players"],
        }
        everywhere = {command: (words, many) for command, words in pages.items()}
        alone = {f"{word} of one": ([word], one) for word in ("score", "record")}
        among = {word: ([word], many) for word in ("score", "record")}
        results = compare({**everywhere, **alone, **among}, args.samples)
        figure("companion score", results["score"], "ms", "-")
        for command, goal in GOALS.items():
            what = f"{command} of {args.games} games, times score"
            figure(what, results[command] / results["score"], "times", f"{goal}")
        for word in ("score", "record"):
            what = f"ratio of companion {word} with {args.games} games and with one"
            figure(what, results[word] / results[f"{word} of one"], "times", "about 1")
        small = folder / "some.citadels"
        measure(["export", str(small)], some)
        took, _clock = measure(["import", str(small)], folder / "new")
        what = f"import of {IMPORTED} games, times score"
        figure(what, took / results["score"], "times", "60")
        compare_export(many, args.samples)


if __name__ == "__main__":
    main()
