"""What the rows of the log say: a game as it is now, a line of the list of games."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from companion.log.log_errors import BadLog


@dataclass
class GameLog:
    """A game as its log tells it."""

    id: int
    name: str
    setup: dict[str, Any]
    moves: list[str] = field(default_factory=list)
    """The moves that were not undone, oldest first."""

    redo: list[str] = field(default_factory=list)
    """The undone moves; the last of the list is the next to be redone."""

    events: list[tuple[str, str]] = field(default_factory=list)
    """Everything that was ever done, taken back and done again: (kind, the move's text)."""

    finished: bool = False

    last: int = 0
    """The number of its last row in the file; what is written next follows that one."""


class GameInfo(NamedTuple):
    """A line of the list of games."""

    id: int
    name: str
    setup: dict[str, Any]
    started: datetime
    updated: datetime
    moves: int
    """How many moves were not undone."""

    finished: bool


LATEST = "SELECT game FROM events GROUP BY game ORDER BY max(seq) DESC"
"""All games, the one in which something happened last first."""

WALK = "SELECT game FROM events ORDER BY seq DESC"
"""The same games, again and again, but the first ones at once, however many there are."""

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
    """The moment of a row with its zone: Greenwich's where it names none. Raises ValueError for
    what a disk has changed."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def setup(text: str) -> dict[str, Any]:
    """The head of the record, as it was given to `new_game`."""
    try:
        setup = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLog(str(error)) from None
    if not isinstance(setup, dict):
        raise BadLog("the set-up is not a mapping")
    return setup


def replay(log: GameLog, kind: str, text: str) -> None:
    """Let one event happen to the game."""
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
