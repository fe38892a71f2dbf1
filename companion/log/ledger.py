"""The ledger: plain tables of every game beside the log; history and statistics are SQL over them.

All of it follows from the log, so the tables can be deleted and made again at any time. A game's
rows count up to a certain row of the log (`last` of `play`). Seats and characters point to their
player's alias (`names`). Only finished games have rows in `character` and `district`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from companion.log import names
from companion.log.digest import CHOSEN, MURDERED, ROBBED, Digest, PlayerResult
from companion.log.game_rows import Times

VERSION = 3
"""The version of the tables and of what is counted; with any other, all of them are made again."""

_TABLES = {
    # `mark`: no row of the log up to this one is missing in the ledger
    "ledger": "version INTEGER NOT NULL, mark INTEGER NOT NULL",
    "play": """game INTEGER PRIMARY KEY, last INTEGER NOT NULL, edition TEXT NOT NULL,
        over INTEGER NOT NULL, rounds INTEGER NOT NULL, moves INTEGER NOT NULL,
        started TEXT NOT NULL, ended TEXT NOT NULL, minutes INTEGER NOT NULL,
        seats INTEGER NOT NULL, points INTEGER NOT NULL, margin INTEGER NOT NULL""",
    "seat": """game INTEGER, seat INTEGER, name INTEGER NOT NULL, place INTEGER NOT NULL,
        total INTEGER NOT NULL, districts INTEGER, five_types INTEGER, complete INTEGER,
        uniques INTEGER, gold INTEGER, city INTEGER, stolen INTEGER, destroyed INTEGER,
        PRIMARY KEY (game, seat)""",
    "character": """name INTEGER, character TEXT, game INTEGER, seat INTEGER,
        chosen INTEGER NOT NULL, murdered INTEGER NOT NULL, robbed INTEGER NOT NULL,
        won INTEGER NOT NULL, PRIMARY KEY (name, character, game, seat)""",
    "district": """district TEXT, game INTEGER, seat INTEGER, built INTEGER NOT NULL,
        destroyed INTEGER NOT NULL, PRIMARY KEY (district, game, seat)""",
}
_IN_ORDER = frozenset({"seat", "character", "district"})
"""Tables stored in the order of their keys, in which they are added up."""

_INDEXES = (
    ("seat_of_name", "seat (name, game, place, total)"),
    ("play_by_end", "play (ended, game)"),
)

_MISSING = """
SELECT id FROM games WHERE id NOT IN (SELECT game FROM play)
UNION SELECT game FROM play WHERE rounds = 0 AND NOT over
UNION SELECT play.game FROM play WHERE play.game IN (SELECT game FROM events WHERE seq > ?)
    AND play.last != (SELECT max(seq) FROM events WHERE events.game = play.game)
ORDER BY 1 DESC
"""
_UNPLAYABLE = "SELECT game FROM play WHERE rounds = 0 AND NOT over ORDER BY 1 DESC"


def has_tables(connection: sqlite3.Connection) -> bool:
    """Whether the tables exist, in this version."""
    if not has_table(connection, "ledger"):
        return False
    row = connection.execute("SELECT version FROM ledger").fetchone()
    return row is not None and row[0] == VERSION


def find_missing(connection: sqlite3.Connection) -> list[int]:
    """The games whose rows are missing or out of date, the newest first: also those that could not
    be played again, as a table's own cards may have changed."""
    if not has_tables(connection):
        return [game for (game,) in connection.execute("SELECT id FROM games ORDER BY id DESC")]
    (mark,) = connection.execute("SELECT mark FROM ledger").fetchone()
    if mark == find_end(connection):
        return [game for (game,) in connection.execute(_UNPLAYABLE)]
    return [game for (game,) in connection.execute(_MISSING, (mark,))]


def find_end(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT ifnull(max(seq), 0) FROM events").fetchone()[0])


def make(connection: sqlite3.Connection) -> None:
    if has_tables(connection):
        return
    for table, columns in _TABLES.items():
        connection.execute(f"DROP TABLE IF EXISTS {table}")
        order = " WITHOUT ROWID" if table in _IN_ORDER else ""
        connection.execute(f"CREATE TABLE {table} ({columns}){order}")
    for index, columns in _INDEXES:
        connection.execute(f"CREATE INDEX {index} ON {columns}")
    connection.execute("INSERT INTO ledger VALUES (?, 0)", (VERSION,))


def is_complete(connection: sqlite3.Connection) -> bool:
    """Whether it was noted that no game up to the end of the log is missing."""
    if not has_tables(connection):
        return False
    (mark,) = connection.execute("SELECT mark FROM ledger").fetchone()
    return bool(mark == find_end(connection))


def note_complete(connection: sqlite3.Connection, end: int) -> None:
    """Note that no game is missing up to that row of the log."""
    connection.execute("UPDATE ledger SET mark = ?", (end,))


def put(connection: sqlite3.Connection, game: int, last: int, times: Times, digest: Digest) -> None:
    """Write a game's rows, which count up to the row `last` of the log."""
    forget(connection, game)
    totals = sorted((player.total for player in digest.players), reverse=True)
    margin = totals[0] - totals[1] if len(totals) > 1 else 0
    head = (digest.edition, digest.over, digest.rounds, digest.moves)
    tail = (len(totals), sum(totals), margin)
    connection.execute(
        "INSERT INTO play VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (game, last, *head, *times, *tail),
    )
    players = [player.name for player in digest.players]
    ids = names.find_players(connection, game)
    ids = ids if len(ids) == len(players) else names.sit(connection, game, players)
    for seat, (name, player) in enumerate(zip(ids, digest.players, strict=True)):
        connection.execute(
            "INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (game, seat, name, player.place, player.total, *_list_figures(player)),
        )
        if digest.over:
            _put_cards(connection, game, seat, name, player)


def _list_figures(player: PlayerResult) -> tuple[int | None, ...]:
    """The columns of a seat after the total; empty if only that is known."""
    if len(player.parts) == 1:
        return (None,) * 8
    count = sum(player.destroyed.values())
    return (*player.parts, player.gold, player.city, player.stolen, count)


def _put_cards(
    connection: sqlite3.Connection, game: int, seat: int, name: int, player: PlayerResult
) -> None:
    won_with = set(player.last) if player.place == 1 else set()
    none = [0, 0, 0]
    characters = [
        (name, id_, game, seat, counts[CHOSEN], counts[MURDERED], counts[ROBBED], id_ in won_with)
        for id_ in {*player.characters, *won_with}
        for counts in [player.characters.get(id_, none)]
    ]
    connection.executemany("INSERT INTO character VALUES (?, ?, ?, ?, ?, ?, ?, ?)", characters)
    districts = [
        (id_, game, seat, player.built.get(id_, 0), player.destroyed.get(id_, 0))
        for id_ in {*player.built, *player.destroyed}
    ]
    connection.executemany("INSERT INTO district VALUES (?, ?, ?, ?, ?)", districts)


def forget(connection: sqlite3.Connection, game: int) -> None:
    before = connection.execute("SELECT over FROM play WHERE game = ?", (game,)).fetchone()
    if before is None:
        return
    # the last two are in another order, and searched as a whole
    for table in ("play", "seat", "character", "district")[: 4 if before[0] else 2]:
        connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608 - those above


def read_winners(connection: sqlite3.Connection, game: int) -> list[tuple[str, int]]:
    """The winners of a game, as they were called in it, with their points; none if it is missing
    here or not over."""
    query = """
        SELECT text, total FROM play JOIN seat USING (game) JOIN alias ON alias.id = seat.name
        WHERE play.game = ? AND place = 1
            AND last = (SELECT max(seq) FROM events WHERE game = play.game) ORDER BY seat
    """
    winners = connection.execute(query, (game,)) if has_tables(connection) else ()
    return [(str(name), int(total)) for name, total in winners]


def move_players(connection: sqlite3.Connection, games: Iterable[int]) -> None:
    """Note in the rows of these games who plays in them, after a change."""
    if has_tables(connection):
        for game in games:
            for seat, alias in enumerate(names.find_players(connection, game)):
                for table in ("seat", "character"):
                    update = f"UPDATE {table} SET name = ? WHERE game = ? AND seat = ?"  # noqa: S608
                    connection.execute(update, (alias, game, seat))


def has_table(connection: sqlite3.Connection, table: str) -> bool:
    query = "SELECT 1 FROM sqlite_schema WHERE name = ?"
    return connection.execute(query, (table,)).fetchone() is not None
