"""Games that come from elsewhere: from a record file or a file of `companion score`, and plays of
which only the result is known, put beside this table's games, each once.

A record has no times: the game counts as played when the file was last changed. A game that was
already here with the same set-up and moves is known, whatever its file is called; a result also if
a game here had the same players and points on that day.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion.history.games import read_all
from companion.history.parcel import format
from companion.history.parcel.format import ArchivedGame, LogRow
from companion.history.parcel.merging import MergeResult, find_free_name, insert
from companion.log import import_rows, name_rows
from companion.log.digest import RESULT
from companion.log.log_errors import BadLog
from engine.moves import fold

if TYPE_CHECKING:
    import sqlite3

    from companion.history.games import Game
    from companion.history.parcel.results import PlayResult
    from companion.log.store import Store
    from engine.record import Record


def put_record(store: Store, path: str, record: Record, *, over: bool) -> MergeResult:
    """Add the game of that file, which is over or not. Raises StoreError."""
    data = record.data()
    moves = data.pop("moves")
    with (
        store.database.errors(Sentence("the games cannot be saved")),
        store.database.write() as rows,
        import_rows.note_imported(rows),
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
        import_rows.note_imported(rows),
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
