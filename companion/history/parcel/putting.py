"""Adding a file's games to the log: each once, and those played on elsewhere continued."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from common.sentences import Sentence
from companion.history.parcel import games_in
from companion.history.parcel.games_in import Carried, Event, key_of, read_game
from companion.log import game_rows, import_rows
from companion.log.log_errors import BadLog

if TYPE_CHECKING:
    import sqlite3

    from companion.log.store import Store

_STARTS = """
SELECT games.id, games.name, start.at, start.text FROM games JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
"""


class Put(NamedTuple):
    """What became of a file's games."""

    added: int
    continued: int
    known: int
    open: tuple[str, ...]
    """Why some cannot be continued; then nothing may be written."""


class _Here(NamedTuple):
    id: int
    name: str


def put_games(rows: sqlite3.Connection, games: Iterable[Carried], store: Store) -> Put:
    """Insert the games that are new here, and the events that known ones lack here."""
    here = _find_here(rows)
    names = {name for (name,) in rows.execute("SELECT name FROM games")}
    added = continued = known = 0
    taken: list[str] = []
    with import_rows.note_imported(rows):
        for game in games:
            same = here.setdefault(game.key, [])
            found, more = _compare(rows, game, same)
            if found is None:
                name = _free_name(game.name, names)
                names.add(name)
                same.append(_Here(_insert(rows, game, name), name))
                added += 1
            elif not more:
                known += 1
            elif store.is_open_elsewhere(found.id):
                sentence = Sentence(
                    "game {name} is open in another window; close it there and import again",
                    name=found.name,
                )
                taken.append(sentence)
            else:
                _insert_events(rows, found.id, more)
                continued += 1
    return Put(added, continued, known, tuple(taken))


def _find_here(rows: sqlite3.Connection) -> dict[tuple[str, str], list[_Here]]:
    """The games of the log by their identity."""
    here: dict[tuple[str, str], list[_Here]] = {}
    for game, name, at, text in rows.execute(_STARTS).fetchall():
        with suppress(BadLog):
            here.setdefault(key_of(at, game_rows.setup(text)), []).append(_Here(game, name))
    return here


def _compare(
    rows: sqlite3.Connection, game: Carried, same: list[_Here]
) -> tuple[_Here | None, Sequence[Event]]:
    """The game here that it equals or continues, and the events that are missing here."""
    wanted = [(event.kind, event.text) for event in game.events]
    for one in same:
        local = read_game(rows, one.id, one.name)
        if local is None:
            continue
        events = [(event.kind, event.text) for event in local.events]
        if events[: len(wanted)] == wanted:
            return one, ()
        if wanted[: len(events)] == events:
            return one, game.events[len(events) :]
    return None, ()


def _free_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    head, _dash, last = name.rpartition("-")
    head = head if head and last.isdecimal() else name
    number = 1
    while f"{head}-{number}" in taken:
        number += 1
    return f"{head}-{number}"


def _insert(rows: sqlite3.Connection, game: Carried, name: str) -> int:
    id_ = rows.execute("INSERT INTO games (name) VALUES (?)", (name,)).lastrowid
    assert id_ is not None
    start = games_in.Event(game.started, "start", json.dumps(game.setup))
    _insert_events(rows, id_, (start, *game.events))
    return id_


def _insert_events(rows: sqlite3.Connection, game: int, events: Iterable[Event]) -> None:
    rows.executemany(
        "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
        [(game, *event) for event in events],
    )
