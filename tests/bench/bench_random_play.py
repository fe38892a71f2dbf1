"""Measure the engine: random play with the full list of legal moves at every decision, compared
with chess.

Random games of `classic_2016` with four players and of `deluxe_2016` with six (random casts of its
27 characters and 14 of its unique districts), playing `choice(referee.list_legal_moves())`,
alternate in this process with random games of python-chess (`list(board.legal_moves)` and `push`).
Prints the median decisions and moves per second of CPU time, and their ratio. Recorded choices are
listed but not made: always legal and quickly judged, they would be two decisions in three, and the
ratios would say little about turns.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

import chess

from engine import casts
from engine.editions import editions
from engine.referee import Referee
from engine.table import Table
from tests.bench.measuring import SHORT, figure, interleave, ratio
from tests.engine.playing import make_ordinary

NAMES = ("Anna", "Kurt", "Ashley", "Ben", "Zoe", "Li", "Max", "Mia")
MAX_PLIES = 400  # most random chess games end near here anyway, in a draw
YARDSTICK = "python-chess"
SECONDS = 0.4  # of one sample


class Measured(NamedTuple):
    """A kind of table, and the required ratio of its decisions to chess moves."""

    edition: str
    players: int
    any_cast: bool
    floor: float

    @property
    def name(self) -> str:
        """The printed name."""
        return f"{self.edition} with {self.players}"


TABLES = (
    Measured("classic_2016", 4, False, 3.0),
    Measured("deluxe_2016", 6, True, 2.0),
)


def citadels_game(chance: random.Random, benchmark: Measured) -> int:
    """Play one random game to its end; returns the number of decisions."""
    names = NAMES[: benchmark.players]
    if benchmark.any_cast:
        cast = casts.draw(editions()[benchmark.edition], benchmark.players, chance.choice)
        rules = make_ordinary(
            benchmark.edition, names, cast=cast.characters, uniques=cast.districts
        )
    else:
        rules = make_ordinary(benchmark.edition, names)
    referee = Referee(Table(rules, 0))
    while legal := referee.list_legal_moves():
        if referee.table.phase == "selection":
            legal = [move for move in legal if move.verb != "choose"]
        referee.push(chance.choice(legal))
    return len(referee.moves)


def chess_game(chance: random.Random) -> int:
    """Play one random game to its end or its 400th ply; returns the number of moves."""
    board = chess.Board()
    for _ in range(MAX_PLIES):
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(chance.choice(legal))
    return len(board.move_stack)


def per_second(game: Callable[[], int]) -> float:
    """Decisions per second of CPU time over whole games, played for about `SECONDS`."""
    decisions, duration = 0, time.process_time()
    while True:
        decisions += game()
        total = time.process_time() - duration
        if total >= SECONDS:
            return decisions / total


def games(chance: random.Random) -> dict[str, Callable[[], int]]:
    """All games measured, by name."""
    measured: dict[str, Callable[[], int]] = {YARDSTICK: lambda: chess_game(chance)}
    for benchmark in TABLES:
        measured[benchmark.name] = partial(citadels_game, chance, benchmark)
    return measured


def main() -> None:
    """Measure all in turn and print a line for each."""
    measured = games(random.Random(1))
    measures = {name: partial(per_second, game) for name, game in measured.items()}
    rates = interleave(measures, 5 if SHORT else 15)
    for name, samples in rates.items():
        low, high = min(samples), max(samples)
        median = statistics.median(samples)
        print(f"{name:20}{median:9.0f} decisions/s  (from {low:.0f} to {high:.0f})")
    for benchmark in TABLES:
        what = f"random play, {benchmark.name}, against {YARDSTICK}"
        value = ratio(rates[benchmark.name], rates[YARDSTICK])
        figure(what, value, benchmark.floor, at_least=True)


if __name__ == "__main__":
    main()
