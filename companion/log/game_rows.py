"""Interpreting rows of the log: a game's current state, a line of the list of games, told hands,
and which rows were imported from another computer.

An import is one range of rows. A game is this table's own if a row of it was written here: begun or
played on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, uuid5

from common import strict_json
from common.clean import YEARS
from companion.log import BadLog
from engine.editions import EARLIER, PRINTED, RULINGS, editions
from engine.record import DEFAULT_EDITION

_BEFORE = """
SELECT seq, game FROM events WHERE seq < ? AND game IS NOT ? ORDER BY seq DESC LIMIT 1
"""
_BLOCK = "SELECT first FROM imports WHERE ? BETWEEN first AND last"
_ROW_LIMIT = 2**63 - 1


@dataclass(eq=False)
class GameLog:
    """A game as read from the log."""

    id: int
    name: str
    setup: dict[str, Any]
    moves: list[str] = field(default_factory=list)
    """The moves that were not undone, oldest first."""

    redo: list[str] = field(default_factory=list)
    """The undone moves; the last one is redone next."""

    events: list[tuple[str, str]] = field(default_factory=list)
    """Everything that happened, undos and redos included: (kind, the move's text)."""

    finished: bool = False
    last: int = 0
    """The number of its last row; the next row written must follow it."""

    uuid: str = ""
    """What the game is called everywhere, from its beginning on (`read_uuid`)."""


class GameInfo(NamedTuple):
    """A line of the list of games."""

    id: int
    name: str
    setup: dict[str, Any]
    started: datetime
    update_time: datetime
    moves: int
    """The number of moves that were not undone."""

    finished: bool


LATEST = "SELECT game FROM events GROUP BY game ORDER BY max(seq) DESC"
"""All games, the most recently played first."""

WALK = "SELECT game FROM events ORDER BY seq DESC"
"""The same games in that order, repeated, but without reading the whole table first."""

_INFO = """
SELECT name, start.text, start.at,
    (SELECT total(kind IN ('move', 'redo')) - total(kind = 'undo') FROM events
     WHERE game = games.id),
    last.at, last.kind
FROM games
JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
JOIN events AS last
    ON last.seq = (SELECT max(seq) FROM events WHERE game = games.id)
WHERE games.id = ?
"""

_UNDOABLE = """
SELECT total(kind IN ('move', 'redo')) - total(kind = 'undo') FROM events WHERE game = ?
"""

_REDOABLE = """
SELECT total(kind = 'undo') - total(kind = 'redo') FROM events
WHERE game = ? AND seq > (
    SELECT max(seq) FROM events AS before
    WHERE before.game = events.game AND kind IN ('start', 'move')
)
"""


def list_starts(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """The id of each game, with the time and the text of its first row."""
    query = """
    SELECT games.id, start.at, start.text FROM games JOIN events AS start
        ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
    """
    return connection.execute(query).fetchall()


def is_possible(connection: sqlite3.Connection, game: int, kind: str) -> bool:
    """Whether there is a move to undo, or to redo."""
    query = _UNDOABLE if kind == "undo" else _REDOABLE
    return bool(connection.execute(query, (game,)).fetchone()[0] > 0)


def info(connection: sqlite3.Connection, game: int) -> GameInfo | None:
    """That game's line in the list; None if it is damaged."""
    try:
        name, start, started, moves, change, last = connection.execute(_INFO, (game,)).fetchone()
        return GameInfo(
            id=game,
            name=str(name),
            setup=setup(start),
            started=read_moment(started),
            update_time=read_moment(change),
            moves=int(moves),
            finished=last == "finish",
        )
    except (sqlite3.Error, BadLog, ValueError, TypeError, RecursionError):
        return None


_UUID = """
SELECT uuid, name, at, text, id FROM games JOIN events
    ON seq = (SELECT min(seq) FROM events WHERE game = id)
"""


def list_uuids(connection: sqlite3.Connection) -> dict[str, int]:
    """The id of each game, by its UUID (`read_uuid`)."""
    return {uuid or make_uuid(*first): id_ for uuid, *first, id_ in connection.execute(_UUID)}


def read_uuid(connection: sqlite3.Connection, game: int) -> str:
    """The game's UUID. One that came without has one made of its name and first row, the same in
    every copy of the file."""
    uuid, *first, _id = connection.execute(f"{_UUID} WHERE id = ?", (game,)).fetchone()
    return uuid or make_uuid(*first)


def make_uuid(name: str, at: str, text: str) -> str:
    """The UUID of a game with that name, and that first row."""
    return str(uuid5(NAMESPACE_OID, f"{name} {at} {text}"))


def read_moment(text: str) -> datetime:
    """A row's time with its zone, UTC if it names none. Raises ValueError if it is damaged."""
    moment = datetime.fromisoformat(text)
    if moment.year not in YEARS:
        raise ValueError(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def setup(text: str) -> dict[str, Any]:
    """The set-up, as given to `begin_game`."""
    try:
        setup = strict_json.parse(str(text))  # a damaged row may have a number there
    except ValueError as error:
        raise BadLog(str(error)) from None
    if not isinstance(setup, dict):
        raise BadLog("the set-up is not a mapping")
    return load_setup(setup)


def load_setup(stored: dict[str, Any]) -> dict[str, Any]:
    """The set-up of a stored game. Where the rulings of a box have changed, games that were stored
    before say nothing of it, and keep the earlier ones; later games say that they have the new."""
    options = _find_options(stored)
    if options is None:
        return stored
    new = options.pop(RULINGS, EARLIER) == PRINTED
    return _with_options(stored, options if new else {**options, RULINGS: EARLIER})


def store_setup(setup: dict[str, Any]) -> dict[str, Any]:
    """The set-up as it is stored; `load_setup` reads it."""
    options = _find_options(setup)
    if options is None:
        return setup
    old = options.pop(RULINGS, PRINTED) == EARLIER
    return _with_options(setup, options if old else {**options, RULINGS: PRINTED})


def _find_options(setup: dict[str, Any]) -> dict[str, Any] | None:
    """A copy of the set-up's options; None where its box has always been played alike."""
    box, options = setup.get("edition", DEFAULT_EDITION), setup.get("options") or {}
    edition = editions().get(box) if isinstance(box, str) else None
    is_changed = edition is not None and edition.earlier and isinstance(options, dict)
    return dict(options) if is_changed else None


def _with_options(setup: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    if options:
        return {**setup, "options": options}
    return {key: value for key, value in setup.items() if key != "options"}


def replay(log: GameLog, kind: str, text: str) -> None:
    log.finished = kind == "finish"
    log.events.append((kind, text))
    try:
        if kind == "move":
            log.moves.append(text)
            log.redo.clear()
        elif kind == "undo":
            log.redo.append(log.moves.pop())
        elif kind == "redo":
            log.moves.append(log.redo.pop())
    except IndexError:
        raise BadLog(f"nothing to {kind}") from None


LONGEST_PAUSE = timedelta(hours=2)
"""A longer pause between rows means that the game was put away."""

_TIMES = "SELECT at FROM events WHERE game = ? AND seq <= ifnull(?, seq) ORDER BY seq"


class Times(NamedTuple):
    started: str
    """The time of its first row: ISO 8601 with the zone."""

    ended: str
    """The time of its last row."""

    minutes: int
    """Playing time in whole minutes, without pauses longer than `LONGEST_PAUSE`."""


def read_times(connection: sqlite3.Connection, game: int, last: int | None = None) -> Times:
    """A game's times, up to a row if one is given. Raises ValueError if it has no rows, or a
    damaged first or last time."""
    times = [at for (at,) in connection.execute(_TIMES, (game, last))]
    if not times:
        raise ValueError(game)
    moments = [read_moment(times[0])]
    for at in times[1:-1]:
        with suppress(ValueError, TypeError):
            moments.append(read_moment(at))
    moments.append(read_moment(times[-1]))
    steps = (after - before for before, after in pairwise(moments))
    duration = sum((s for s in steps if timedelta() < s <= LONGEST_PAUSE), timedelta())
    return Times(times[0], times[-1], duration // timedelta(minutes=1))


# -- what players say of the cards in their hands -------------------------------------------------


class HandRow(NamedTuple):
    """One thing said: by the player in that seat (from 0), at that position, in words."""

    seat: int
    position: int
    text: str


def read(connection: sqlite3.Connection, game: int) -> list[HandRow]:
    """What was said in that game, oldest first."""
    query = "SELECT seat, position, text FROM hands WHERE game = ? ORDER BY rowid"
    return [
        HandRow(int(seat), int(at), str(text))
        for seat, at, text in connection.execute(query, (game,))
    ]


def add(connection: sqlite3.Connection, game: int, new: Iterable[HandRow]) -> None:
    """Add these rows. Use inside a transaction."""
    connection.executemany("INSERT INTO hands VALUES (?, ?, ?, ?)", ((game, *row) for row in new))


def walk_own(connection: sqlite3.Connection) -> Iterator[int]:
    """This table's own games, the most recently played here first; a game may come again."""
    below, last = _ROW_LIMIT, None
    while (row := connection.execute(_BEFORE, (below, last)).fetchone()) is not None:
        block = connection.execute(_BLOCK, (row[0],)).fetchone()
        below, last = (row[0], int(row[1])) if block is None else (block[0], None)
        if last is not None:
            yield last
