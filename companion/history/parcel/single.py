"""A single game from a record file or a file of `companion score`, put beside this table's games.

The file has no times: the game counts as played when the file was last changed. It is added once; a
game that was already here with the same set-up and moves is known, whatever its file is called.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion.history.parcel import form
from companion.history.parcel.form import Carried, Event
from companion.history.parcel.putting import Put, find_free_name, insert
from companion.log import import_rows
from companion.log.log_errors import BadLog

if TYPE_CHECKING:
    import sqlite3

    from companion.log.store import Store
    from engine.record import Record


def put_record(store: Store, path: str, record: Record, *, over: bool) -> Put:
    """Add the game of that file, which is over or not. Raises StoreError."""
    data = record.data()
    moves = data.pop("moves")
    with (
        store.database.errors(Sentence("the games cannot be saved")),
        store.database.write() as rows,
        import_rows.note_imported(rows),
    ):
        if _is_here(rows, data, moves):
            return Put(0, 0, 1, ())
        at = datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
        started = at.isoformat(timespec="milliseconds")
        events = [Event(started, "move", move) for move in moves]
        if over:
            events.append(Event(started, "finish", ""))
        day = at.astimezone().strftime("%Y-%m-%d")
        names = {name for (name,) in rows.execute("SELECT name FROM games")}
        name = find_free_name(f"{day}-1", names)
        insert(rows, Carried(name, started, data, tuple(events)), name)
    return Put(1, 0, 0, ())


def _is_here(rows: sqlite3.Connection, setup: dict[str, Any], moves: list[str]) -> bool:
    for id_, name in rows.execute("SELECT id, name FROM games").fetchall():
        game = form.read_game(rows, id_, name)
        with suppress(BadLog):
            if game and game.setup == setup and form.list_moves(game) == moves:
                return True
    return False
