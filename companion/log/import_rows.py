"""Which rows of the log were imported from another computer.

An import is one range of rows. A game is this table's own if a row of it was written here: begun or
played on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_IMPORTS = """
CREATE TABLE IF NOT EXISTS imports (first INTEGER PRIMARY KEY, last INTEGER NOT NULL)
"""
_LAST = "SELECT max(seq) FROM events WHERE seq < ?"
_BEFORE = """
SELECT seq, game FROM events WHERE seq < ? AND game IS NOT ? ORDER BY seq DESC LIMIT 1
"""
_BLOCK = "SELECT first FROM imports WHERE ? BETWEEN first AND last"
_ROW_LIMIT = 2**63 - 1


@contextmanager
def note_imported(rows: sqlite3.Connection) -> Iterator[None]:
    """Mark the rows written in the block as imported. Use inside a transaction."""
    before = _find_last(rows, _ROW_LIMIT) or 0
    yield
    after = _find_last(rows, _ROW_LIMIT) or 0
    if after > before:
        rows.execute(_IMPORTS)
        rows.execute("INSERT INTO imports VALUES (?, ?)", (before + 1, after))


def walk_own(rows: sqlite3.Connection) -> Iterator[int]:
    """This table's own games, the most recently played here first; a game may come again."""
    entries = rows.execute("SELECT 1 FROM sqlite_schema WHERE name = 'imports'").fetchone()
    below, last = _ROW_LIMIT, None
    while (match := rows.execute(_BEFORE, (below, last)).fetchone()) is not None:
        block = rows.execute(_BLOCK, (match[0],)).fetchone() if entries else None
        below, last = (match[0], int(match[1])) if block is None else (block[0], None)
        if last is not None:
            yield last


def _find_last(rows: sqlite3.Connection, below: int) -> int | None:
    index: int | None = rows.execute(_LAST, (below,)).fetchone()[0]
    return index
