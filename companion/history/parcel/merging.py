"""Puts games from elsewhere beside this table's, each once; one played on elsewhere is
continued."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from common.clean import write_moment
from companion.history.parcel.format import (
    ArchivedGame,
    CheckedGame,
    LogRow,
    Notes,
    key_of,
    leave_out_notes,
    list_moves,
    read_game,
)
from companion.log import BadLog, adding, game_rows, names
from engine.moves import fold

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from companion.log.store import Store
    from engine.record import Record


class MergeResult(NamedTuple):
    added: int
    continued: int
    known: int
    ids: frozenset[int] = frozenset()
    """The file's games here."""


def put_games(
    connection: sqlite3.Connection, games: Iterable[CheckedGame], need_closed: Callable[[int], None]
) -> MergeResult:
    """Insert the games that are new here, and the events that known ones lack here; `need_closed`
    refuses to continue one that is being played."""
    here = find_here(connection)
    added = continued = known = 0
    ids: set[int] = set()
    with adding.note_imported(connection):
        for checked in games:
            game, same = checked.unpack(), here.setdefault(checked.key, [])
            local, more = compare(connection, game, same)
            if local is None:
                local = insert(connection, game)
                same.append(local)
                added += 1
            else:
                if more:
                    need_closed(local)
                adding.add(connection, local, more)
                continued += bool(more)
                known += not more
            ids.add(local)
    return MergeResult(added, continued, known, frozenset(ids))


def find_here(connection: sqlite3.Connection) -> dict[tuple[str, str], list[int]]:
    """The ids of the log's games by their identity."""
    here: dict[tuple[str, str], list[int]] = {}
    for game, at, text in game_rows.list_starts(connection):
        with suppress(BadLog):
            here.setdefault(key_of(at, game_rows.setup(text)), []).append(game)
    return here


def compare(
    connection: sqlite3.Connection, game: ArchivedGame, same: list[int]
) -> tuple[int | None, list[LogRow]]:
    """The id of the game here that it equals or continues, and the events that are missing here."""
    for one in same:
        local = read_game(connection, one)
        if local is None:
            continue
        events = _call_as_here(game, local)
        theirs = [event[1:] for event in events]
        with suppress(IndexError):  # a damaged game
            ours = [event[1:] for event in leave_out_notes(local.events)]
            if ours[: len(theirs)] == theirs:
                return one, []
            if theirs[: len(ours)] == ours:
                return one, list(_go_on(local.events, events[len(ours) :]))
    return None, []


def _call_as_here(game: ArchivedGame, local: ArchivedGame) -> Sequence[LogRow]:
    """The rows of the game with its players called as in this one: whoever is forgotten here or
    where the file was written has another name there."""
    players = zip(game.setup["players"], local.setup["players"], strict=True)
    here = {fold(theirs): ours for theirs, ours in players if theirs != ours}
    if not here:
        return game.events
    return [row._replace(text=names.hide_in_move(row.text, here)) for row in game.events]


def _go_on(here: Iterable[LogRow], more: Iterable[LogRow]) -> Iterator[LogRow]:
    """The rows that continue a game: an undo or a redo also passes over the notes that only this
    table has."""
    notes = Notes()
    for row in here:
        notes.take(row.kind, row.text)
    for row in more:
        moves = {"undo": notes.played, "redo": notes.undone}.get(row.kind, [])
        while moves and moves[-1]:
            notes.take(row.kind, "")
            yield row
        notes.take(row.kind, row.text)
        yield row


def insert(connection: sqlite3.Connection, game: ArchivedGame, uuid: str | None = None) -> int:
    """Insert a game, with its UUID if it is known; returns its id."""
    start = LogRow(game.started, "start", json.dumps(game_rows.store_setup(game.setup)))
    return adding.insert(connection, game.name, uuid, (start, *game.events))


# -- games that come from elsewhere ---------------------------------------------------------------


def put_record(store: Store, path: str, record: Record, *, over: bool) -> MergeResult:
    """Add the game of that file, which is over or not. Raises StoreError."""
    data = record.data()
    moves = data.pop("moves")
    with store.database.save() as connection, adding.note_imported(connection):
        if _is_here(connection, data, moves):
            return MergeResult(0, 0, 1)
        at = datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
        text = write_moment(at)
        events = [LogRow(text, "move", move) for move in moves]
        if over:
            events.append(LogRow(text, "finish", ""))
        day = at.astimezone().strftime("%Y-%m-%d")
        insert(connection, ArchivedGame(f"{day}-1", text, data, tuple(events)))
    return MergeResult(1, 0, 0)


def _is_here(connection: sqlite3.Connection, setup: dict[str, Any], moves: list[str]) -> bool:
    for (id_,) in connection.execute("SELECT id FROM games").fetchall():
        game = read_game(connection, id_)
        with suppress(BadLog):
            if game and game.setup == setup and list_moves(game) == moves:
                return True
    return False
