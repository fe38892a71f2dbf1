"""The SQLite file of the log: opened on first use, watched while it is open, locked while a game is
written; and what goes wrong with it, in words."""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime

from common import own_files
from common.sentences import Sentence, locate
from companion import files
from companion.log import BadLog, LogReplaced, StoreError, log_copy, log_file
from companion.log.log_file import Place, begins_alike

_NOT_READ = Sentence("the games cannot be read")
_NOT_SAVED = Sentence("the games cannot be saved")
_FIRST = "SELECT at, text FROM events ORDER BY seq LIMIT 1"


class Database:
    """The file `path`, opened on first use. After `close` the next use opens it again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._memory: sqlite3.Connection | None = None  # what stands in for a file
        self._writes = False  # whether the connection was opened for writing
        self._place: Place | None = None  # as this program left it
        self.notices: list[str] = []
        """What people are to be told about the file, once."""

    def read(self) -> sqlite3.Connection:
        """The open file; where there is none, an empty log in memory. Use inside `look`."""
        if self._connection is None:
            if not self._find():
                empty = self._memory or log_file.open_to_write(log_file.MEMORY, [])
                return self.stand_in(empty)
            connection = log_file.open_to_read(self.path)
            if log_file.is_old(connection):
                connection.close()
                with suppress(OSError, sqlite3.Error):  # a disk that cannot be written
                    log_file.open_to_write(self.path, self.notices).close()
                connection = log_file.open_copy(self.path)
            self._connection = connection
        return self._connection

    def stand_in(self, memory: sqlite3.Connection) -> sqlite3.Connection:
        """Keep that log in memory, in place of a file that is missing or cannot be written; returns
        it."""
        if self._memory not in (None, memory):
            self._memory.close()
        self._memory = memory
        return memory

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction, on the disk when the block ends. Its errors are those of SQLite (`save`).
        Raises LogReplaced if the file written last is no longer the one at its path."""
        if not self.is_in_place:
            raise LogReplaced(self.path)
        if self._connection is None or not self._writes:
            self.close()
            self._find()
            self._connection = log_file.open_to_write(self.path, self.notices)
            self._writes = True
        connection = self._connection
        with log_file.transaction(connection):
            yield connection
        self._place = log_file.look(self.path)

    @contextmanager
    def save(self) -> Iterator[sqlite3.Connection]:
        """`write`, with errors of SQLite and the system as a StoreError."""
        with translate_errors(self.path, _NOT_SAVED), self.write() as connection:
            yield connection

    @contextmanager
    def look(self) -> Iterator[sqlite3.Connection]:
        """`read`, with errors of SQLite, the system and damaged rows as a StoreError."""
        with translate_errors(self.path, _NOT_READ):
            try:
                yield self.read()
            except _STRANGE_ROWS as error:
                problem = locate(_NOT_READ, _tell_damaged(self.path))
                raise StoreError(locate(self.path, problem)) from error

    def copy(self) -> None:
        """Copy the open file beside itself, as a whole, once it has what the copy has. Raises
        StoreError."""
        if self.path == log_file.MEMORY:
            return
        self.read_back()
        with translate_errors(self.path, _NOT_SAVED):
            if self._connection is not None or self._find():
                connection = self.read()
                if log_file.is_whole(connection):  # or it would replace a good copy
                    log_file.write_copy(connection, log_copy.find_copy(self.path))

    def read_back(self) -> None:
        """Write what only the copy has to the file. Raises StoreError."""
        with self.look() as reading, suppress(FileNotFoundError):
            if lacking := log_copy.list_lacking(reading, self.path):
                with self.write() as writing:
                    is_restored = log_copy.put_back(writing, lacking)
                if is_restored:
                    self._tell_read_back()

    @property
    def is_in_place(self) -> bool:
        """Whether the file at the path is still the one that was written last, if one was."""
        if self._place is None or self.path == log_file.MEMORY:
            return True
        now = log_file.look(self.path)
        is_same = now.file == self._place.file and self._place.journal in (None, now.journal)
        return is_same and (now.stamp == self._place.stamp or self._is_ours())

    def start_anew(self) -> None:
        """Close a file that was replaced, without changing the new one: pages in the old one's
        journal must never be applied to it."""
        now = log_file.look(self.path)
        with suppress(OSError):
            if self._place is not None and now.journal == self._place.journal:
                if now.file != self._place.file:
                    log_file.drop_journal(self.path)
                elif not self._is_ours():
                    os.truncate(log_file.find_journal(self.path), 0)
        self.close()

    def close(self) -> None:
        for open_one in (self._connection, self._memory):
            if open_one is not None:
                with suppress(sqlite3.Error):
                    open_one.close()
        self._connection, self._memory, self._writes, self._place = None, None, False, None

    def _find(self) -> bool:
        """Whether there is a file; one that is gone begins again with its copy."""
        if log_file.exists(self.path):
            return True
        if not log_copy.restore(self.path):
            return False
        self._tell_read_back()
        return True

    def _tell_read_back(self) -> None:
        self.notices.append(
            Sentence(
                "Games or moves were missing from {path}; they were read back from the copy "
                "beside it.",
                path=self.path,
            )
        )

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
                    afresh.execute(_FIRST).fetchone() == first
                    and afresh.execute("SELECT max(seq) FROM events").fetchone() >= last
                )
        except (sqlite3.Error, StoreError, TypeError):
            return False


# -- errors in words: what went wrong, where, and what to do ---------------------------------------

_NO_PERMISSION = Sentence("no permission to use the file; check its permissions and its folder's")
_REMEDIES = {
    "SQLITE_FULL": Sentence("the disk is full; free some space and try again"),
    "SQLITE_IOERR": Sentence(
        "the disk can't be read or written; check the disk and its free space"
    ),
    "SQLITE_READONLY": _NO_PERMISSION,
    "SQLITE_PERM": _NO_PERMISSION,
    "SQLITE_CANTOPEN": Sentence("the file cannot be opened; check its folder and permissions"),
    "SQLITE_NOTADB": Sentence("this is not a game log; move it somewhere else"),
    "SQLITE_BUSY": Sentence("another program is using the file; close it and try again"),
    "SQLITE_LOCKED": Sentence("another program is using the file; close it and try again"),
    "SQLITE_CONSTRAINT_FOREIGNKEY": Sentence("there is no such game"),
}

_STRANGE_ROWS = (
    BadLog,
    *(ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError),
)
"""Errors raised by damaged rows: invalid letters, dates, numbers."""


@contextmanager
def translate_errors(path: str, what: str) -> Iterator[None]:
    """Turn errors of SQLite and the system into a StoreError with place and remedy."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite's message may quote damaged text
        raise StoreError(locate(path, locate(what, _remedy(path, error)))) from error
    except OSError as error:
        problem = Sentence("{reason}; check the folder", reason=files.reason(error))
        raise StoreError(locate(path, locate(what, problem))) from error


def _remedy(path: str, error: sqlite3.Error | UnicodeDecodeError) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_NOTADB" and os.path.isfile(log_copy.find_copy(path)):  # once it was one
        return _tell_damaged(path)
    for text, remedy in _REMEDIES.items():
        if name.startswith(text):
            return remedy
    if not name or name.startswith(("SQLITE_CORRUPT", "SQLITE_ERROR")):  # or invalid text
        return _tell_damaged(path)
    return str(error) or _tell_damaged(path)


def _tell_damaged(path: str) -> str:
    """What to do with a damaged file: a new one begins with the copy."""
    copy = log_copy.find_copy(path)
    move = "move" if os.name == "nt" else "mv"
    command = f"{move} {shlex.quote(path)} {shlex.quote(f'{path}.damaged')}"
    try:
        moment = datetime.fromtimestamp(os.stat(copy).st_mtime)
    except OSError:
        return Sentence(
            "the file is damaged, and there is no copy of it; to begin a new one: {command}",
            command=command,
        )
    return Sentence(
        "the file is damaged; to go on with its copy {copy} of {date}: {command}",
        copy=copy,
        date=f"{moment:%Y-%m-%d %H:%M}",
        command=command,
    )


# -- a lock file, the lock of a game --------------------------------------------------------------


class LockHeld(Exception):
    """Another program has the lock."""


class Hold:
    """The lock at `path`, held until `let_go`."""

    def __init__(self, path: str) -> None:
        """Take the lock. Raises LockHeld, and OSError if the file system has no locks or the file
        cannot be created."""
        file = own_files.open_locked(path)
        if file is None:
            raise LockHeld
        self.path, self._file = path, file

    @property
    def is_in_place(self) -> bool:
        """Whether the path still leads to this lock; if it was removed, others would lock another
        file."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except OSError:
            return False

    def let_go(self) -> None:
        os.close(self._file)
