"""Puts games from elsewhere beside this table's, each once; one played on elsewhere is
continued."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.history.parcel import format
from companion.history.parcel.format import (
    ArchivedGame,
    CheckedGame,
    LogRow,
    Notes,
    key_of,
    leave_out_notes,
    read_game,
)
from companion.log import BadLog, game_rows, names

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from companion.log.store import Store
    from engine.record import Record


_STARTS = """
SELECT games.id, games.name, start.at, start.text FROM games JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
"""


class MergeResult(NamedTuple):
    """What became of a file's games."""

    added: int
    continued: int
    known: int
    ids: frozenset[int] = frozenset()
    """The file's games here."""


class _Here(NamedTuple):
    id: int
    name: str


def put_games(rows: sqlite3.Connection, games: Iterable[CheckedGame]) -> MergeResult:
    """Insert the games that are new here, and the events that known ones lack here."""
    here = find_here(rows)
    taken = {name for (name,) in rows.execute("SELECT name FROM games")}
    added = continued = known = 0
    ids: set[int] = set()
    with game_rows.note_imported(rows):
        for checked in games:
            game, same = checked.unpack(), here.setdefault(checked.key, [])
            local, more = compare(rows, game, same)
            if local is None:
                name = find_free_name(game.name, taken)
                taken.add(name)
                local = _Here(insert(rows, game, name), name)
                same.append(local)
                added += 1
            else:
                _insert_events(rows, local.id, more)
                continued += bool(more)
                known += not more
            ids.add(local.id)
    return MergeResult(added, continued, known, frozenset(ids))


def find_here(rows: sqlite3.Connection) -> dict[tuple[str, str], list[_Here]]:
    """The games of the log by their identity."""
    here: dict[tuple[str, str], list[_Here]] = {}
    forgotten = names.find_forgotten(rows)
    for game, name, at, text in rows.execute(_STARTS).fetchall():
        with suppress(BadLog):
            setup = game_rows.setup(text)
            one = _Here(game, name)
            here.setdefault(key_of(at, setup), []).append(one)
            if game in forgotten:  # a file written since then calls them somebody
                hidden = names.hide_in_setup(setup, forgotten[game])
                here.setdefault(key_of(at, hidden), []).append(one)
    return here


def compare(
    rows: sqlite3.Connection, game: ArchivedGame, same: list[_Here]
) -> tuple[_Here | None, list[LogRow]]:
    """The game here that it equals or continues, and the events that are missing here."""
    theirs = [event[1:] for event in game.events]
    for one in same:
        local = read_game(rows, one.id, one.name)
        if local is None:
            continue
        forgotten = names.find_forgotten(rows, one.id).get(one.id, {})
        hides = bool(forgotten) and game.setup != local.setup
        with suppress(IndexError):  # a damaged game
            ours = [
                (kind, names.hide_in_move(text, forgotten) if hides else text)
                for _at, kind, text in leave_out_notes(local.events)
            ]
            if ours[: len(theirs)] == theirs:
                return one, []
            if theirs[: len(ours)] == ours:
                return one, list(_go_on(local.events, game.events[len(ours) :]))
    return None, []


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


def find_free_name(name: str, taken: set[str]) -> str:
    """The name, or if it is taken one like it."""
    if name not in taken:
        return name
    head, _dash, last = name.rpartition("-")
    head = head if head and last.isdecimal() else name
    number = 1
    while f"{head}-{number}" in taken:
        number += 1
    return f"{head}-{number}"


def insert(rows: sqlite3.Connection, game: ArchivedGame, name: str, uuid: str | None = None) -> int:
    """Insert a game under that name, with its UUID if it is known; returns its id."""
    id_ = rows.execute("INSERT INTO games (name, uuid) VALUES (?, ?)", (name, uuid)).lastrowid
    assert id_ is not None
    start = format.LogRow(game.started, "start", json.dumps(game_rows.store_setup(game.setup)))
    _insert_events(rows, id_, (start, *game.events))
    names.sit(rows, id_, names.read_players(start.text))
    return id_


def _insert_events(rows: sqlite3.Connection, game: int, events: Iterable[LogRow]) -> None:
    rows.executemany(
        "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
        [(game, *event) for event in events],
    )


# -- games that come from elsewhere ---------------------------------------------------------------


def put_record(store: Store, path: str, record: Record, *, over: bool) -> MergeResult:
    """Add the game of that file, which is over or not. Raises StoreError."""
    data = record.data()
    moves = data.pop("moves")
    with store.database.save() as rows, game_rows.note_imported(rows):
        if _is_here(rows, data, moves):
            return MergeResult(0, 0, 1)
        at = datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
        text = at.isoformat(timespec="milliseconds")
        events = [LogRow(text, "move", move) for move in moves]
        if over:
            events.append(LogRow(text, "finish", ""))
        day = at.astimezone().strftime("%Y-%m-%d")
        taken = {name for (name,) in rows.execute("SELECT name FROM games")}
        name = find_free_name(f"{day}-1", taken)
        insert(rows, ArchivedGame(name, text, data, tuple(events)), name)
    return MergeResult(1, 0, 0)


def _is_here(rows: sqlite3.Connection, setup: dict[str, Any], moves: list[str]) -> bool:
    for id_, name in rows.execute("SELECT id, name FROM games").fetchall():
        game = format.read_game(rows, id_, name)
        with suppress(BadLog):
            if game and game.setup == setup and format.list_moves(game) == moves:
                return True
    return False
