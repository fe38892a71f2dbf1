"""Fill a log with random games, for tests and soaks."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from companion.log import digest, game_rows, ledger, names
from companion.log.digest import Digest
from companion.log.store import Store
from engine import record
from tests.engine.playing import random_game


class Random(NamedTuple):
    """A game played at random."""

    setup: dict[str, Any]
    moves: list[str]
    digest: Digest


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


def fill(path: str, games: Iterator[Random], *, undone: bool = False, digests: bool = True) -> None:
    """Write these games into the log at `path`, one per evening; with `undone`, some moves are
    undone and redone. Digests are written to the ledger as at the end of a real game."""
    began = datetime(2001, 1, 1, 19, tzinfo=UTC)
    with Store(path) as store, store.database.write() as connection:
        sequence = itertools.count(store.count() + 1)
        ledger.make(connection)
        for number, game in zip(sequence, games, strict=False):
            at = began + timedelta(days=number)
            connection.execute(
                "INSERT INTO games (id, name) VALUES (?, ?)", (number, f"{at:%Y-%m-%d}-1")
            )
            names.sit(connection, number, game.setup["players"])
            events = [("start", json.dumps(game_rows.store_setup(game.setup)))]
            for place, move in enumerate(game.moves):
                events.append(("move", move))
                if undone and place % 11 == 5:
                    events += [("undo", ""), ("redo", "")]
            if game.digest.over:
                events.append(("finish", ""))
            connection.executemany(
                "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
                [
                    (number, (at + timedelta(seconds=10 * place)).isoformat(
                        timespec="milliseconds"), kind, text)
                    for place, (kind, text) in enumerate(events)
                ],
            )  # fmt: skip
            if digests and game.digest.over:
                (last,) = connection.execute("SELECT max(seq) FROM events").fetchone()
                times = game_rows.read_times(connection, number)
                ledger.put(connection, number, last, times, game.digest)
