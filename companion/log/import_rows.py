"""Which rows of the log were imported from another computer.

An import is one range of rows. The last game of this table is the one most recently played here,
whatever has been imported since.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_TABLE = """
CREATE TABLE IF NOT EXISTS imports (first INTEGER PRIMARY KEY, last INTEGER NOT NULL)
"""
_LAST = "SELECT max(seq) FROM events WHERE seq < ?"
_GAME = "SELECT game FROM events WHERE seq = ?"
_BLOCK = "SELECT first FROM imports WHERE ? BETWEEN first AND last"
_ROW_LIMIT = 2**63 - 1


@contextmanager
def note_imported(rows: sqlite3.Connection) -> Iterator[None]:
    """Mark the rows written in the block as imported. Use inside a transaction."""
    before = _find_last(rows, _ROW_LIMIT) or 0
    yield
    after = _find_last(rows, _ROW_LIMIT) or 0
    if after > before:
        rows.execute(_TABLE)
        rows.execute("INSERT INTO imports VALUES (?, ?)", (before + 1, after))


def find_last_game(rows: sqlite3.Connection) -> int | None:
    """The game most recently played here; if all were imported, the last of them."""
    newest = last = _find_last(rows, _ROW_LIMIT)
    known = rows.execute("SELECT 1 FROM sqlite_schema WHERE name = 'imports'").fetchone()
    while known and last is not None:
        block = rows.execute(_BLOCK, (last,)).fetchone()
        if block is None:
            break
        last = _find_last(rows, block[0])
    found = rows.execute(_GAME, (newest if last is None else last,)).fetchone()
    return int(found[0]) if found else None


def _find_last(rows: sqlite3.Connection, below: int) -> int | None:
    found: int | None = rows.execute(_LAST, (below,)).fetchone()[0]
    return found
