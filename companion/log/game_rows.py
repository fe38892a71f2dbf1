"""Interpreting rows of the log: a game's current state, a line of the list of games."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from typing import Any, NamedTuple

from companion.log.log_errors import BadLog


class GameLog:
    """A game as read from the log. Not a dataclass: that would load what takes as long as Python's
    own start."""

    def __init__(self, id: int, name: str, setup: dict[str, Any], *, last: int = 0) -> None:
        self.id = id
        self.name = name
        self.setup = setup
        self.moves: list[str] = []
        """The moves that were not undone, oldest first."""
        self.redo: list[str] = []
        """The undone moves; the last one is redone next."""
        self.events: list[tuple[str, str]] = []
        """Everything that happened, undos and redos included: (kind, the move's text)."""
        self.finished = False
        self.last = last
        """The number of its last row; the next row written must follow it."""


class GameInfo(NamedTuple):
    """A line of the list of games."""

    id: int
    name: str
    setup: dict[str, Any]
    started: datetime
    updated: datetime
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


def is_possible(rows: sqlite3.Connection, game: int, kind: str) -> bool:
    """Whether there is a move to undo, or to redo."""
    query = _UNDOABLE if kind == "undo" else _REDOABLE
    return bool(rows.execute(query, (game,)).fetchone()[0] > 0)


def info(rows: sqlite3.Connection, game: int) -> GameInfo | None:
    """That game's line in the list; None if it is damaged."""
    try:
        name, start, started, moves, updated, last = rows.execute(_INFO, (game,)).fetchone()
        return GameInfo(
            id=game,
            name=str(name),
            setup=setup(start),
            started=read_moment(started),
            updated=read_moment(updated),
            moves=int(moves),
            finished=last == "finish",
        )
    except (sqlite3.Error, BadLog, ValueError, TypeError, RecursionError):
        return None


def read_moment(text: str) -> datetime:
    """A row's time with its zone, UTC if it names none. Raises ValueError if it is damaged."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def setup(text: str) -> dict[str, Any]:
    """The set-up, as given to `begin_game`."""
    try:
        setup = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLog(str(error)) from None
    if not isinstance(setup, dict):
        raise BadLog("the set-up is not a mapping")
    return setup


def replay(log: GameLog, kind: str, text: str) -> None:
    """Apply one event to the game."""
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
