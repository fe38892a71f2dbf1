"""Salvages a damaged log of games: what SQLite can still read of it, and its backup.

After each finished game the log is copied to a file beside it (`OpenGame.close`). That also helps
against deletion and overwriting.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from common import NamedTuple, own_files
from common.problems import Problems
from common.sentences import Sentence
from companion.log import BadLog, game_rows, log_file
from companion.log.game_rows import GameLog
from engine import record
from engine.explain import Refused
from engine.referee import Referee

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.log.database import Database

KINDS = ("start", "move", "undo", "redo", "finish")

_GAMES = "SELECT id, name FROM games ORDER BY id"
_EVENTS = "SELECT kind, text FROM events WHERE game = ? ORDER BY seq"


class Saved(NamedTuple):
    """A game that was salvaged, and whether it is complete."""

    log: GameLog
    whole: bool


def find_backup(path: str) -> str:
    """The path of the log's backup."""
    return f"{path}.backup"


def back_up(database: Database) -> None:
    """Copy the open log to its backup, as a whole. Raises StoreError."""
    new = f"{find_backup(database.path)}.new"
    with database.errors(Sentence("the games cannot be copied")):
        rows = database.read()
        if rows is None or database.path == log_file.MEMORY:
            return
        own_files.make_file(new)
        with closing(sqlite3.connect(new)) as copy:
            rows.backup(copy)
        os.replace(new, find_backup(database.path))


def read(path: str) -> list[Saved]:
    """The games of the file and its backup, oldest first: of each what is longer.

    Raises OSError if neither file can be read.
    """
    games: dict[tuple[int, str], Saved] = {}
    backup = find_backup(path)
    if not os.path.exists(backup):
        own_files.read(path, 1)
    for source in (path, backup):
        with suppress(OSError):
            for one in _read_copy(source):
                key = one.log.id, one.log.name
                if key not in games or len(games[key].log.events) < len(one.log.events):
                    games[key] = one
    return [games[key] for key in sorted(games)]


def _read_copy(path: str) -> Iterator[Saved]:
    """The games of a copy of the file and its journal: SQLite would change them."""
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        copy = os.path.join(folder, "games.sqlite3")
        for ending in ("", "-wal"):
            if os.path.isfile(path + ending):
                shutil.copyfile(path + ending, copy + ending)
        if not os.path.exists(copy):
            return
        with closing(sqlite3.connect(copy)) as rows:
            # A damaged text is no reason to stop at its row: as a move it is refused by the rules.
            rows.text_factory = lambda data: data.decode(errors="replace")
            for row in [*_read_rows(rows, _GAMES)]:
                save = _read_game(rows, *row) if row else None
                if save is not None:
                    yield save


def _read_rows(
    rows: sqlite3.Connection, query: str, *values: object
) -> Iterator[tuple[Any, ...] | None]:
    """The rows; None in place of what cannot be read. SQLite's message may quote damaged text."""
    try:
        yield from rows.execute(query, values)
    except (sqlite3.Error, OverflowError, UnicodeDecodeError):
        yield None


def _read_game(rows: sqlite3.Connection, game: int, name: str) -> Saved | None:
    """The game up to its first event that is damaged; None if that is its beginning."""
    begin, *events = list(_read_rows(rows, _EVENTS, game)) or [None]
    if begin is None or begin[0] != "start" or not isinstance(name, str):
        return None
    try:
        log = GameLog(game, name, game_rows.setup(begin[1]))
        referee = Referee(record.read_setup(log.setup).table())
    except (BadLog, Problems, ValueError, TypeError):
        return None
    for event in events:
        if event is None or event[0] not in KINDS or not _apply(referee, *event):
            return Saved(log, False)
        game_rows.replay(log, *event)
    return Saved(log, True)


def _apply(referee: Referee, kind: str, text: str) -> bool:
    """Apply the event; returns whether the rules allow it."""
    try:
        if kind == "move":
            referee.play(text)
        elif kind == "undo":
            return referee.undo() is not None
        elif kind == "redo":
            return referee.redo() is not None
    except (Refused, ValueError, TypeError):
        return False
    return True


def free_path(path: str) -> str:
    """An unused path for the salvaged games."""
    number, free = 1, f"{path}.salvaged"
    while os.path.lexists(free):
        number += 1
        free = f"{path}.salvaged-{number}"
    return free
