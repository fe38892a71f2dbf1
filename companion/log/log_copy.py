"""The copy beside the log: made when a game begins or is left, and when a name is changed.

A log that is gone begins again with its copy. One that lacks games, or moves, which the copy has
gets them back before the copy is replaced; only `Store.remove` takes a game from both.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import NamedTuple

from common import own_files
from companion.log import BadLog, StoreError, adding, game_rows, log_file
from companion.log.game_rows import HandRow

_LARGEST = 2**30  # bytes


class KeptGame(NamedTuple):
    """A game, whole: from a copy, or from memory."""

    name: str
    uuid: str
    events: Sequence[tuple[str, str, str]]
    """Time, kind and text of each row, the first one included."""

    hands: Sequence[HandRow]


def find_copy(path: str) -> str:
    return f"{path}.backup"


def restore(path: str) -> bool:
    """Begin the missing log again with its copy; returns whether there is one. Raises OSError."""
    copy = find_copy(path)
    if path == log_file.MEMORY or not any(_list_games(copy, {})):
        return False
    log_file.drop_journal(path)
    own_files.replace(path, own_files.read(copy, _LARGEST))
    return True


def list_lacking(connection: sqlite3.Connection, path: str) -> list[KeptGame]:
    """The games of which the log's copy has more than these rows of the log."""
    counts = dict(connection.execute("SELECT game, count(*) FROM events GROUP BY game"))
    ids = game_rows.list_uuids(connection)
    return [*_list_games(find_copy(path), {uuid: counts[id_] for uuid, id_ in ids.items()})]


def put_back(connection: sqlite3.Connection, games: Sequence[KeptGame]) -> bool:
    """Write these games to the log, as far as it lacks them; returns whether that was anything. Use
    inside a transaction."""
    ids = game_rows.list_uuids(connection)
    return any([put(connection, game, ids.get(game.uuid)) for game in games])


def put(connection: sqlite3.Connection, game: KeptGame, id_: int | None) -> int | None:
    """Write what the log, where the game has that id if it is there, lacks of it. Returns its id;
    None, having written nothing, if the game went on differently there. Use inside a
    transaction."""
    if id_ is None:
        id_ = adding.insert(connection, game.name, game.uuid, game.events)
    else:
        query = "SELECT kind, text FROM events WHERE game = ? ORDER BY seq"
        there = connection.execute(query, (id_,)).fetchall()
        if there[1:] != [event[1:] for event in game.events[1 : len(there)]]:
            return None
        adding.add(connection, id_, game.events[len(there) :])
    told = game_rows.read(connection, id_)
    if new := game.hands[len(told) :]:
        game_rows.add(connection, id_, new)
    return id_


def _list_games(copy: str, counts: Mapping[str, int]) -> Iterator[KeptGame]:
    """The games of a copy that have more rows there than these numbers, by their UUIDs; none of one
    that cannot be read."""
    if not os.path.isfile(copy):  # or SQLite would make one
        return
    with (
        suppress(sqlite3.Error, StoreError, BadLog, OSError, ValueError, TypeError),
        closing(log_file.open_copy(copy)) as kept,
    ):
        name_of = dict(kept.execute("SELECT id, name FROM games").fetchall())
        query = "SELECT at, kind, text FROM events WHERE game = ? ORDER BY seq"
        for uuid, id_ in game_rows.list_uuids(kept).items():
            events = kept.execute(query, (id_,)).fetchall()
            if len(events) > counts.get(uuid, 0):
                yield KeptGame(name_of[id_], uuid, events, game_rows.read(kept, id_))
