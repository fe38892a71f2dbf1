"""The log of games: one SQLite file, written move by move and never rewritten.

A game is its set-up and what happened since: moves, and undo and redo as events of their own. What
`append` has returned from is on the disk, whatever then happens to the process or the machine.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from companion import own_files
from companion.database import BadLog, Database, StoreError, hold
from engine.sentences import Sentence

if TYPE_CHECKING:
    import sqlite3

__all__ = ["GameInfo", "GameLog", "GameOpenElsewhere", "Kind", "Store", "StoreError"]

Kind = Literal["move", "undo", "redo"]


class GameOpenElsewhere(StoreError):
    """Another caller, in this process or another, has the game open."""


@dataclass
class GameLog:
    """A game as its log tells it."""

    id: int
    name: str
    setup: dict[str, Any]
    moves: list[str] = field(default_factory=list)
    """The moves that stand, oldest first."""

    redo: list[str] = field(default_factory=list)
    """The undone moves; the last of the list is the next to be redone."""

    events: list[tuple[str, str]] = field(default_factory=list)
    """Everything that was ever done, taken back and done again: (kind, the move's text)."""

    finished: bool = False


class GameInfo(NamedTuple):
    """A line of the list of games."""

    id: int
    name: str
    setup: dict[str, Any]
    started: datetime
    updated: datetime
    moves: int
    """How many moves stand."""

    finished: bool


class Store:
    """The log in the file `path`, which the first `new_game` makes; reading makes nothing.

    Use it from one thread at a time. Every method raises StoreError when the file cannot be used,
    and then nothing was written.
    """

    def __init__(self, path: str, *, now: Callable[[], datetime] | None = None) -> None:
        """`now` gives the time with its zone (default: the clock)."""
        self.path = path
        self._now = now or (lambda: datetime.now().astimezone())
        self._database = Database(path)
        self._locks: dict[int, sqlite3.Connection] = {}

    def new_game(self, setup: dict[str, Any]) -> int:
        """Begin a game; `setup` is the head of its record. The game's id."""
        text = json.dumps(setup)
        with (
            self._database.errors(Sentence("the new game cannot be saved")),
            self._database.write() as rows,
        ):
            name = self._free_name(rows)
            game = rows.execute("INSERT INTO games (name) VALUES (?)", (name,)).lastrowid
            assert game is not None
            self._insert(rows, game, "start", text)
        return game

    def append(self, game: int, kind: Kind, text: str = "") -> None:
        """Write what happened; it is durable when this returns.

        Raises ValueError where there is nothing to undo or to redo, and for a move without text.
        """
        if (kind == "move") != bool(text):
            raise ValueError(f"a move has text and nothing else has: {kind} {text!r}")
        with (
            self._database.errors(Sentence("the move cannot be saved")),
            self._database.write() as rows,
        ):
            if kind != "move" and not _possible(rows, game, kind):
                raise ValueError(f"game {game}: nothing to {kind}")
            self._insert(rows, game, kind, text)

    def finish(self, game: int) -> None:
        """Note that the game is over; a later undo opens it again."""
        with (
            self._database.errors(Sentence("the end of the game cannot be saved")),
            self._database.write() as rows,
        ):
            self._insert(rows, game, "finish", "")

    def load(self, game: int) -> GameLog:
        """The game as it stands. Raises KeyError if there is none of this id."""
        what = Sentence("the game cannot be read")
        events = self._read(
            what,
            "SELECT name, kind, text FROM events JOIN games ON games.id = game"
            " WHERE game = ? ORDER BY seq",
            game,
        )
        if not events:
            raise KeyError(game)
        with self._database.errors(what):
            log = GameLog(game, events[0][0], _setup(events[0][2]))
            for _, kind, text in events[1:]:
                _replay(log, kind, text)
        return log

    def last_game(self) -> int | None:
        """The game in which something happened last."""
        found = self._read(
            Sentence("the last game cannot be found"),
            "SELECT game FROM events ORDER BY seq DESC LIMIT 1",
        )
        return found[0][0] if found else None

    def find(self, name_or_id: str | int) -> int | None:
        """The game of this name (`2026-11-21-1`), or of this id."""
        found = self._read(
            Sentence("the game cannot be found"),
            "SELECT id FROM games WHERE ? IN (name, CAST(id AS TEXT))",
            str(name_or_id),
        )
        return found[0][0] if found else None

    def games(self) -> list[GameInfo]:
        """All games, the one in which something happened last first."""
        what = Sentence("the games cannot be listed")
        found = self._read(what, _LIST)
        with self._database.errors(what):
            return [
                GameInfo(
                    id=game,
                    name=name,
                    setup=_setup(setup),
                    started=datetime.fromisoformat(started),
                    updated=datetime.fromisoformat(updated),
                    moves=int(moves),
                    finished=last == "finish",
                )
                for game, name, setup, started, moves, updated, last in found
            ]

    @contextmanager
    def open_game(self, game: int) -> Iterator[None]:
        """Hold the game while the block runs, so that no other caller plays it.

        The hold ends with the block, or with the process however it ends. Raises GameOpenElsewhere.
        """
        self.acquire(game)
        try:
            yield
        finally:
            self.release(game)

    def acquire(self, game: int) -> None:
        """`open_game` without a block: hold the game until `release`, `close` or the process's end.

        Raises GameOpenElsewhere."""
        folder = f"{self.path}-open"
        try:
            own_files.make_folder(folder)
            held = hold(os.path.join(folder, f"{game}.lock"))
        except OSError as error:
            raise StoreError(
                Sentence(
                    "{folder}: the game cannot be held for this caller: {error}",
                    folder=folder,
                    error=error,
                )
            ) from None
        if held is None:
            raise GameOpenElsewhere(
                Sentence(
                    "Game {name} is open in another caller; close it there, or start a new game "
                    "here.",
                    name=self._name(game),
                )
            )
        self._locks[game] = held

    def release(self, game: int) -> None:
        """Let other callers open the game."""
        held = self._locks.pop(game, None)
        if held is not None:
            held.close()

    def close(self) -> None:
        """Let go of the file and of every open game; the next use opens the file again."""
        for game in list(self._locks):
            self.release(game)
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, what: str, query: str, *values: object) -> list[Any]:
        """The rows that the query finds; none where there is no file yet."""
        with self._database.errors(what):
            rows = self._database.read()
            return rows.execute(query, values).fetchall() if rows else []

    def _name(self, game: int) -> str:
        with suppress(StoreError, KeyError):
            return self.load(game).name
        return str(game)

    def _free_name(self, rows: sqlite3.Connection) -> str:
        """The day and the first number free on it."""
        day = self._now().strftime("%Y-%m-%d")
        taken = {row[0] for row in rows.execute("SELECT name FROM games")}
        number = 1
        while f"{day}-{number}" in taken:
            number += 1
        return f"{day}-{number}"

    def _insert(self, rows: sqlite3.Connection, game: int, kind: str, text: str) -> None:
        rows.execute(
            "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
            (game, self._now().astimezone(UTC).isoformat(timespec="milliseconds"), kind, text),
        )


_LIST = """
SELECT games.id, name, start.text, start.at,
    (SELECT total(kind IN ('move', 'redo')) - total(kind = 'undo') FROM events
     WHERE game = games.id),
    last.at, last.kind
FROM games
JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
JOIN events AS last
    ON last.seq = (SELECT max(seq) FROM events WHERE game = games.id)
ORDER BY last.seq DESC
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


def _possible(rows: sqlite3.Connection, game: int, kind: str) -> bool:
    """Whether there is a move to undo, or to redo."""
    query = _UNDOABLE if kind == "undo" else _REDOABLE
    return bool(rows.execute(query, (game,)).fetchone()[0] > 0)


def _setup(text: str) -> dict[str, Any]:
    """The head of the record, as it was given to `new_game`."""
    try:
        setup = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadLog(str(error)) from None
    if not isinstance(setup, dict):
        raise BadLog("the set-up is no mapping")
    return setup


def _replay(log: GameLog, kind: str, text: str) -> None:
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
