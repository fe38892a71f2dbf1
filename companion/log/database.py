"""The SQLite file of the log: opened on first use, watched while it is open, locked while a game is
written; and what can still be read of a damaged one, and its backup.

After each finished game the log is copied to a file beside it (`OpenGame.close`). That also helps
against deletion and overwriting.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import AbstractContextManager, closing, contextmanager, suppress

from common import NamedTuple, own_files
from common.problems import Problems
from common.sentences import Sentence
from companion import log
from companion.log import BadLog, LogReplaced, game_rows, log_file
from companion.log.game_rows import GameLog
from companion.log.log_file import LogPlace, State, begins_alike
from engine import record
from engine.explain import Refused
from engine.referee import Referee

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tempfile
    from collections.abc import Iterator
    from typing import Any


_FIRST = "SELECT at, text FROM events ORDER BY seq LIMIT 1"


class Database:
    """The file `path`, opened on first use. After `close` the next use opens it again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._writes = False  # whether the connection was opened for writing
        self._place: LogPlace | None = None
        self._copies: tempfile.TemporaryDirectory[str] | None = None

    def read(self) -> sqlite3.Connection | None:
        """The open file; None if there is none. Use inside `errors`."""
        if self._connection is None and log_file.exists(self.path):
            self._connection = log_file.open_to_read(self.path, self._folder)
        return self._connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction, on the disk when the block ends. Use inside `errors`.

        Raises LogReplaced if the file written last is no longer the one at its path.
        """
        self._check_in_place()
        if self._connection is None or not self._writes:
            self.close()
            log_file.exists(self.path)
            self._connection = log_file.open_to_write(self.path)
            self._writes = True
        database = self._connection
        with log_file.transaction(database):
            yield database
        if self._place is None:
            self._place = LogPlace(self.path)
        self._place.note()

    def errors(self, what: str) -> AbstractContextManager[None]:
        """Turn errors of SQLite and the system into a StoreError with place and remedy."""
        return log.translate_errors(self.path, what)

    def errors_in_rows(self, what: str) -> AbstractContextManager[None]:
        """Also turn errors of damaged rows into a StoreError."""
        return log.translate_read_errors(self.path, what)

    @property
    def is_in_place(self) -> bool:
        """Whether the file at the path is still the one that was written."""
        try:
            self._check_in_place()
        except LogReplaced:
            return False
        return True

    def start_anew(self) -> None:
        """Close a file that was replaced, without changing the new one."""
        if self._place is not None and self._connection is not None:
            with suppress(OSError):
                if not self._is_ours():
                    self._place.forget_journal()
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection, self._writes, self._place = None, False, None
        if self._copies is not None:
            self._copies.cleanup()
            self._copies = None

    def _folder(self) -> str:
        """A folder for copies, deleted when the file is closed."""
        import tempfile

        self._copies = tempfile.TemporaryDirectory(prefix="companion-")
        return self._copies.name

    def _check_in_place(self) -> None:
        """Raise LogReplaced if the file at the path is another one, or no longer ours."""
        if self._place is None or self.path == log_file.MEMORY:
            return
        state = self._place.look()
        if state is State.GONE or (state is State.TOUCHED and not self._is_ours()):
            raise LogReplaced(self.path)

    def _is_ours(self) -> bool:
        """Whether a file that another program has written still contains what this program knows:
        then the other was a caller; otherwise somebody copied a file over it."""
        if self._connection is None or not os.path.exists(self.path):
            return True
        try:
            first = self._connection.execute(_FIRST).fetchone()
            last = self._connection.execute("SELECT max(seq) FROM events").fetchone()
            if not begins_alike(self.path, first):
                return False
            with closing(log_file.open_to_read(self.path)) as afresh:
                return bool(
                    afresh.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
                    and afresh.execute(_FIRST).fetchone() == first
                    and afresh.execute("SELECT max(seq) FROM events").fetchone() >= last
                )
        except (sqlite3.Error, log.StoreError, TypeError):
            return False


# -- a lock file, the lock of a game --------------------------------------------------------------


class LockHeld(Exception):
    """Another program has the lock."""


class Hold:
    """The lock at `path`, held until `let_go`."""

    def __init__(self, path: str) -> None:
        """Take the lock. Raises LockHeld, and OSError if the file system has no locks or the file
        cannot be created."""
        self.path = path
        self._file = own_files.open_private(
            path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        )
        is_locked = False
        try:
            is_locked = own_files.lock(self._file)
        finally:
            if not is_locked:
                os.close(self._file)
        if not is_locked:
            raise LockHeld

    @property
    def is_in_place(self) -> bool:
        """Whether the path still leads to this lock; if it was removed, others would lock another
        file."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except OSError:
            return False

    def let_go(self) -> None:
        """Release the lock."""
        os.close(self._file)


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
