"""Who has played, and which names mean the same person: stored beside the games, whose records keep
the names they were played with."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.log import game_rows
from companion.log.log_errors import BadLog

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

_TABLE = "CREATE TABLE IF NOT EXISTS names (was TEXT PRIMARY KEY, now TEXT NOT NULL)"


_TABLES = """
SELECT start.text FROM games JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
ORDER BY games.id DESC LIMIT ?
"""


def list_tables(rows: sqlite3.Connection, most: int = -1) -> Iterator[tuple[str, ...]]:
    """The players of each game, newest first, or of `most` games; damaged games are skipped."""
    for (text,) in rows.execute(_TABLES, (most,)):
        with suppress(BadLog):
            names = game_rows.setup(text).get("players")
            if isinstance(names, list) and all(isinstance(name, str) for name in names):
                yield tuple(names)


def read(rows: sqlite3.Connection) -> dict[str, str]:
    """Current names by former ones, which are folded for comparison."""
    known = rows.execute("SELECT 1 FROM sqlite_schema WHERE name = 'names'").fetchone()
    if known is None:
        return {}
    return {str(was): str(now) for was, now in rows.execute("SELECT was, now FROM names")}


def write(rows: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Replace all stored names by these."""
    rows.execute(_TABLE)
    rows.execute("DELETE FROM names")
    rows.executemany("INSERT INTO names VALUES (?, ?)", names.items())
