"""Puts a file's games beside this table's, each once; one played on elsewhere is continued."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from common.sentences import Sentence
from companion.history.parcel import format
from companion.history.parcel.format import ArchivedGame, LogRow, key_of, read_game
from companion.log import game_rows, import_rows, ledger, name_rows
from companion.log.log_errors import BadLog

if TYPE_CHECKING:
    import sqlite3

    from companion.log.store import Store


_STARTS = """
SELECT games.id, games.name, start.at, start.text FROM games JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
"""


class MergeResult(NamedTuple):
    """What became of a file's games."""

    added: int
    continued: int
    known: int
    open: tuple[str, ...]
    """Why some cannot be continued; then nothing may be written."""


class _Here(NamedTuple):
    id: int
    name: str


def put_games(rows: sqlite3.Connection, games: Iterable[ArchivedGame], store: Store) -> MergeResult:
    """Insert the games that are new here, and the events that known ones lack here; those with
    figures also into the ledger."""
    ledger.make(rows)
    known_names = ledger.Names(rows)
    here = _find_here(rows)
    names = {name for (name,) in rows.execute("SELECT name FROM games")}
    count = number = total = 0
    lines: list[str] = []
    with import_rows.note_imported(rows):
        for game in games:
            same = here.setdefault(game.key, [])
            match, more = _compare(rows, game, same)
            if match is None:
                name = find_free_name(game.name, names)
                names.add(name)
                same.append(_Here(insert(rows, game, name), name))
                _put_figures(rows, known_names, same[-1].id, game)
                count += 1
            elif not more:
                total += 1
            elif store.is_open_elsewhere(match.id):
                sentence = Sentence(
                    "game {name} is open in another window; close it there and import again",
                    name=match.name,
                )
                lines.append(sentence)
            else:
                _insert_events(rows, match.id, more)
                _put_figures(rows, known_names, match.id, game)
                number += 1
    return MergeResult(count, number, total, tuple(lines))


def _put_figures(
    rows: sqlite3.Connection, names: ledger.Names, game: int, source: ArchivedGame
) -> None:
    if source.digest is not None:
        (last,) = rows.execute("SELECT max(seq) FROM events WHERE game = ?", (game,)).fetchone()
        times = game_rows.read_times(rows, game)
        ledger.put(rows, names, game, last, times, source.digest)


def _find_here(rows: sqlite3.Connection) -> dict[tuple[str, str], list[_Here]]:
    """The games of the log by their identity."""
    here: dict[tuple[str, str], list[_Here]] = {}
    for game, name, at, text in rows.execute(_STARTS).fetchall():
        with suppress(BadLog):
            setup = game_rows.setup(text)
            one = _Here(game, name)
            here.setdefault(key_of(at, setup), []).append(one)
            entries = name_rows.find_forgotten(rows, game, setup)
            if entries:  # a file written since then calls them somebody
                fields = name_rows.hide_in_setup(setup, entries)
                here.setdefault(key_of(at, fields), []).append(one)
    return here


def _compare(
    rows: sqlite3.Connection, game: ArchivedGame, same: list[_Here]
) -> tuple[_Here | None, Sequence[LogRow]]:
    """The game here that it equals or continues, and the events that are missing here."""
    targets = [(event.kind, event.text) for event in game.events]
    for one in same:
        local = read_game(rows, one.id, one.name)
        if local is None:
            continue
        entries = name_rows.find_forgotten(rows, one.id, local.setup)
        if entries and game.setup != local.setup:
            hide = name_rows.hide_in_move
            events = [(event.kind, hide(event.text, entries)) for event in local.events]
        else:
            events = [(event.kind, event.text) for event in local.events]
        if events[: len(targets)] == targets:
            return one, ()
        if targets[: len(events)] == events:
            return one, game.events[len(events) :]
    return None, ()


def find_free_name(name: str, names: set[str]) -> str:
    """The name, or if it is taken one like it."""
    if name not in names:
        return name
    head, _dash, last = name.rpartition("-")
    head = head if head and last.isdecimal() else name
    number = 1
    while f"{head}-{number}" in names:
        number += 1
    return f"{head}-{number}"


def insert(rows: sqlite3.Connection, game: ArchivedGame, name: str) -> int:
    """Insert a game under that name; returns its id."""
    id_ = rows.execute("INSERT INTO games (name) VALUES (?)", (name,)).lastrowid
    assert id_ is not None
    start = format.LogRow(game.started, "start", json.dumps(game.setup))
    _insert_events(rows, id_, (start, *game.events))
    return id_


def _insert_events(rows: sqlite3.Connection, game: int, events: Iterable[LogRow]) -> None:
    rows.executemany(
        "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
        [(game, *event) for event in events],
    )
