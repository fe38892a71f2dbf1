"""Fill a log with random games of all boxes, for benchmarks and soaks.

    python tests/bench/many_games.py FOLDER [--games 10000] [--distinct 200] [--moves 300]

`--distinct` games are played at random to their end, in about `--moves` moves; each is written as
often as needed, on different days.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.log import digest, game_rows, ledger, names
from companion.log.digest import Digest
from companion.log.store import Store
from engine import record
from engine.editions import editions
from tests.engine.playing import random_game

PEOPLE = (
    "Anna",
    "Kurt",
    "Ashley",
    "Ben",
    "Zoë",
    "van Dyk",
    "Li",
    "Анна",
    "Max",
    "Eva",
    "Jo",
    "Uli",
)


class Random(NamedTuple):
    """A game played at random."""

    setup: dict[str, Any]
    moves: list[str]
    digest: Digest


def play(seed: int) -> Random:
    """A random game of one of the boxes, with players of `PEOPLE`."""
    chance = random.Random(seed)
    edition = list(editions())[seed % len(editions())]
    box = editions()[edition]
    players = chance.sample(PEOPLE, chance.randint(box.min_players, box.max_players))
    return play_setup({"edition": edition, "players": players, "crown": players[-1]}, seed)


def play_setup(head: dict[str, Any], seed: int) -> Random:
    """A random game from the head of a record; it is played once in a process."""
    game = _play_once(json.dumps(head), seed)
    return game._replace(setup=copy.deepcopy(game.setup), moves=[*game.moves])


@cache
def _play_once(head: str, seed: int) -> Random:
    setup = record.read_setup(json.loads(head))
    *_moments, referee = random_game(setup.table(), seed)
    counted = digest.count(referee.start, referee.list_latest())
    return Random(setup.data(), [move.text for move in referee.moves], counted)


def draw(number: int, *, moves: int = 300) -> list[Random]:
    """Play `number` random games that end after about `moves` moves."""
    usual = range(moves // 2, 3 * moves // 2)
    games = (game for game in map(play, itertools.count()) if len(game.moves) in usual)
    return list(itertools.islice((game for game in games if game.digest.over), number))


def fill(path: str, games: Iterator[Random], *, undone: bool = False, digests: bool = True) -> None:
    """Write these games into the log at `path`, one per evening; with `undone`, some moves are
    undone and redone. Digests are written to the ledger as at the end of a real game."""
    began = datetime(2001, 1, 1, 19, tzinfo=UTC)
    with Store(path) as store, store.database.write() as rows:
        sequence = itertools.count(store.count() + 1)
        ledger.make(rows)
        for number, game in zip(sequence, games, strict=False):
            at = began + timedelta(days=number)
            rows.execute("INSERT INTO games (id, name) VALUES (?, ?)", (number, f"{at:%Y-%m-%d}-1"))
            names.sit(rows, number, game.setup["players"])
            events = [("start", json.dumps(game_rows.store_setup(game.setup)))]
            for place, move in enumerate(game.moves):
                events.append(("move", move))
                if undone and place % 11 == 5:
                    events += [("undo", ""), ("redo", "")]
            if game.digest.over:
                events.append(("finish", ""))
            rows.executemany(
                "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
                [
                    (number, (at + timedelta(seconds=10 * place)).isoformat(
                        timespec="milliseconds"), kind, text)
                    for place, (kind, text) in enumerate(events)
                ],
            )  # fmt: skip
            if digests and game.digest.over:
                (last,) = rows.execute("SELECT max(seq) FROM events").fetchone()
                times = game_rows.read_times(rows, number)
                ledger.put(rows, number, last, times, game.digest)


def main() -> None:
    """Fill a log."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder")
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--distinct", type=int, default=200)
    options.add_argument("--moves", type=int, default=300)
    options.add_argument("--bare", action="store_true", help="keep no digests")
    args = options.parse_args()
    chances = draw(args.distinct, moves=args.moves)
    lengths = [len(game.moves) for game in chances]
    print(f"{args.distinct} games, {sum(lengths) / len(lengths):.0f} moves each on average")
    games = itertools.islice(itertools.cycle(chances), args.games)
    fill(str(Path(args.folder) / "games.sqlite3"), games, digests=not args.bare)


if __name__ == "__main__":
    main()
