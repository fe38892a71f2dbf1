"""Puts games from elsewhere beside this table's, each once; one played on elsewhere is
continued."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from common.sentences import Sentence
from companion.history.games import Game, read_all
from companion.history.parcel import format
from companion.history.parcel.format import ArchivedGame, LogRow, key_of, read_game
from companion.log import BadLog, game_rows, ledger, name_rows
from companion.log.digest import RESULT
from engine.moves import fold

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from companion.history.parcel.results import PlayResult
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
    open: tuple[str, ...]
    """Why some cannot be continued; then nothing may be written."""

    ids: frozenset[int] = frozenset()
    """The file's games here, if it is a parcel."""


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
    ids: set[int] = set()
    lines: list[str] = []
    with game_rows.note_imported(rows):
        for game in games:
            same = here.setdefault(game.key, [])
            match, more = _compare(rows, game, same)
            if match is None:
                name = find_free_name(game.name, names)
                names.add(name)
                match = _Here(insert(rows, game, name), name)
                same.append(match)
                _put_figures(rows, known_names, match.id, game)
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
            ids.add(match.id)
    return MergeResult(count, number, total, tuple(lines), frozenset(ids))


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


# -- games that come from elsewhere ---------------------------------------------------------------


def put_record(store: Store, path: str, record: Record, *, over: bool) -> MergeResult:
    """Add the game of that file, which is over or not. Raises StoreError."""
    data = record.data()
    moves = data.pop("moves")
    with (
        store.database.errors(Sentence("the games cannot be saved")),
        store.database.write() as rows,
        game_rows.note_imported(rows),
    ):
        if _is_here(rows, data, moves):
            return MergeResult(0, 0, 1, ())
        at = datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
        text = at.isoformat(timespec="milliseconds")
        events = [LogRow(text, "move", move) for move in moves]
        if over:
            events.append(LogRow(text, "finish", ""))
        day = at.astimezone().strftime("%Y-%m-%d")
        names = {name for (name,) in rows.execute("SELECT name FROM games")}
        name = find_free_name(f"{day}-1", names)
        insert(rows, ArchivedGame(name, text, data, tuple(events)), name)
    return MergeResult(1, 0, 0, ())


def _is_here(rows: sqlite3.Connection, setup: dict[str, Any], moves: list[str]) -> bool:
    for id_, name in rows.execute("SELECT id, name FROM games").fetchall():
        game = format.read_game(rows, id_, name)
        with suppress(BadLog):
            if game and game.setup == setup and format.list_moves(game) == moves:
                return True
    return False


def put_results(store: Store, results: list[PlayResult]) -> MergeResult:
    """Add the plays. Raises StoreError."""
    here = {_describe(one) for one in read_all(store) if one.over}
    with (
        store.database.errors(Sentence("the games cannot be saved")),
        store.database.write() as rows,
        game_rows.note_imported(rows),
    ):
        names = {name for (name,) in rows.execute("SELECT name FROM games")}
        ids = _find_results(rows)
        count = 0
        for result in sorted(results, key=lambda result: result.started):
            seats = zip(map(fold, result.players), result.totals, strict=True)
            if result.id in ids or (_find_day(result.started), frozenset(seats)) in here:
                continue
            ids.add(result.id)
            game = _make_game(result, find_free_name(f"{_find_day(result.started)}-1", names))
            names.add(game.name)
            id_ = insert(rows, game, game.name)
            if not result.counts:
                name_rows.leave_out(rows, id_)
            count += 1
    return MergeResult(count, 0, len(results) - count, ())


def _describe(game: Game) -> tuple[str, frozenset[tuple[str, int]]]:
    """The local day, and everybody's points."""
    seats = frozenset((fold(seat.name), seat.total) for seat in game.seats)
    return _find_day(datetime.fromisoformat(game.started)), seats


def _find_day(moment: datetime) -> str:
    try:
        return moment.astimezone().strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):  # a log may have any time
        return moment.isoformat()[:10]


def _find_results(rows: sqlite3.Connection) -> set[str]:
    """The ids of the results that are here."""
    query = """
        SELECT text FROM games JOIN events ON seq = (
            SELECT min(seq) FROM events WHERE game = games.id
        ) WHERE json_valid(text) AND json_type(text, '$.result') = 'object'
    """
    return {json.loads(text)[RESULT].get("id") for (text,) in rows.execute(query)}


def _make_game(result: PlayResult, name: str) -> ArchivedGame:
    setup = {
        "edition": result.edition,
        "players": [*result.players],
        "crown": result.players[result.first],
        RESULT: {
            "id": result.id,
            "minutes": result.minutes,
            "rounds": result.rounds,
            "totals": [*result.totals],
            "places": [*result.places],
        },
    }
    end = result.started + timedelta(minutes=result.minutes)
    times = [moment.isoformat(timespec="milliseconds") for moment in (result.started, end)]
    return ArchivedGame(name, times[0], setup, (LogRow(times[1], "finish", ""),))
