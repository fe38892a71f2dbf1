"""Measures the engine: random play with the full legal list at every decision, against chess.

Random games of `classic_2016` (`Referee.play(choice(referee.legal()))`) and random games of
python-chess (`list(board.legal_moves)` and `push`) take turns in this process; printed are the
median decisions and moves per second and their ratio (goal 3.0, floor 1.5).

    python tests/bench/bench_random_play.py [--players 4] [--samples 15] [--seconds 0.4]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import chess

from engine.referee import Referee
from engine.ruleset import ordinary
from engine.table import Table

NAMES = ("Anna", "Kurt", "Ashley", "Ben", "Zoe", "Li", "Max")
MAX_PLIES = 400  # random chess games end by themselves near here, most of them by a draw
GOAL, FLOOR = 3.0, 1.5


def citadels_game(chance: random.Random, players: int) -> int:
    """One random game to its end; the number of decisions."""
    referee = Referee(Table(ordinary("classic_2016", NAMES[:players]), 0))
    while legal := referee.legal():
        referee.play(chance.choice(legal))
    return len(referee.moves)


def chess_game(chance: random.Random) -> int:
    """One random game until nobody can move, or to its 400th ply; the number of moves."""
    board = chess.Board()
    for _ in range(MAX_PLIES):
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(chance.choice(legal))
    return len(board.move_stack)


def per_second(game: Callable[[], int], seconds: float) -> float:
    """Decisions per second of whole games, played for about so long."""
    decisions, begun = 0, time.perf_counter()
    while True:
        decisions += game()
        passed = time.perf_counter() - begun
        if passed >= seconds:
            return decisions / passed


def main() -> int:
    """Measure both in turns and print a line for each; 1 below the floor."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, default=4)
    options.add_argument("--samples", type=int, default=15)
    options.add_argument("--seconds", type=float, default=0.4, help="of one sample")
    given = options.parse_args()
    chance = random.Random(1)
    games: dict[str, Callable[[], int]] = {
        "citadels": lambda: citadels_game(chance, given.players),
        "python-chess": lambda: chess_game(chance),
    }
    rates: dict[str, list[float]] = {name: [] for name in games}
    for game in games.values():
        per_second(game, 0.2)  # imports, data and caches
    for _ in range(given.samples):
        for name, game in games.items():
            rates[name].append(per_second(game, given.seconds))
    medians = {name: statistics.median(samples) for name, samples in rates.items()}
    for name, median in medians.items():
        low, high = min(rates[name]), max(rates[name])
        print(f"{name:14}{median:9.0f} decisions/s  (from {low:.0f} to {high:.0f})")
    ratio = medians["citadels"] / medians["python-chess"]
    print(f"ratio of medians {ratio:5.2f}  (goal {GOAL}, floor {FLOOR})")
    return int(ratio < FLOOR)


if __name__ == "__main__":
    sys.exit(main())
