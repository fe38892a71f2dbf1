"""What players say of the cards in their hands: stored beside the games, never part of a record.

A row belongs to a seat and to a position of the log: the number of the game's event after which it
holds, 0 before the first. Exports leave these rows out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

_TABLE = """
CREATE TABLE IF NOT EXISTS hands (
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    position INTEGER NOT NULL,
    text TEXT NOT NULL
)
"""


class HandRow(NamedTuple):
    """One thing said: by the player in that seat (from 0), at that position, in words."""

    seat: int
    position: int
    text: str


def read(rows: sqlite3.Connection, game: int) -> list[HandRow]:
    """What was said in that game, oldest first."""
    entries = rows.execute("SELECT 1 FROM sqlite_schema WHERE name = 'hands'").fetchone()
    if entries is None:
        return []
    query = "SELECT seat, position, text FROM hands WHERE game = ? ORDER BY rowid"
    return [
        HandRow(int(seat), int(at), str(text)) for seat, at, text in rows.execute(query, (game,))
    ]


def add(rows: sqlite3.Connection, game: int, new: Iterable[HandRow]) -> None:
    """Add these rows. Use inside a transaction."""
    rows.execute(_TABLE)
    rows.executemany("INSERT INTO hands VALUES (?, ?, ?, ?)", ((game, *row) for row in new))
