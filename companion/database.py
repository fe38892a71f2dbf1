"""The SQLite file below the log of games: its tables, its durability, and its troubles in words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from companion import own_files, system_errors
from companion.errors import Told
from engine.sentences import Sentence

SCHEMA_VERSION = 1
APPLICATION_ID = 0x43495401  # "CIT" and 1: tells our file from anybody else's
BUSY_SECONDS = 5.0

_STRICT = "STRICT" if sqlite3.sqlite_version_info >= (3, 37) else ""
_SCHEMA = (
    f"""
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) {_STRICT}
    """,
    f"""
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        game INTEGER NOT NULL REFERENCES games (id),
        at TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('start', 'move', 'undo', 'redo', 'finish')),
        text TEXT NOT NULL
    ) {_STRICT}
    """,
    "CREATE INDEX events_of_game ON events (game, seq)",
    """
    CREATE TRIGGER games_stay BEFORE UPDATE ON games
        BEGIN SELECT RAISE(ABORT, 'a game is never changed'); END
    """,
    """
    CREATE TRIGGER games_remain BEFORE DELETE ON games
        BEGIN SELECT RAISE(ABORT, 'a game is never deleted'); END
    """,
    """
    CREATE TRIGGER events_stay BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
    """,
    """
    CREATE TRIGGER events_remain BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
    """,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


class StoreError(Told):
    """The log cannot be read or written: one sentence that says what, where and what to do."""


class BadLog(Exception):
    """The rows tell no game: they were not written by us."""


class Database:
    """The file `path`, opened on first use. `close` it; the next use opens it again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None

    def read(self) -> sqlite3.Connection | None:
        """The open file, None where there is none. Use inside `errors`."""
        if self._connection is None and os.path.lexists(self.path):
            self._connection = _connect(self.path)
        return self._connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """All of the block's writes, on the disk when it ends, or none. Use inside `errors`."""
        if self._connection is None:
            own_files.make_folder(os.path.dirname(os.path.abspath(self.path)))
            own_files.make_file(self.path)  # its journals are made as it is
            self._connection = _connect(self.path)
        database = self._connection
        with _transaction(database):
            yield database

    @contextmanager
    def errors(self, what: str) -> Iterator[None]:
        """Turn what SQLite and the system say into a StoreError with place and remedy."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                Sentence(
                    "{path}: {what}: {remedy}", path=self.path, what=what, remedy=_remedy(error)
                )
            ) from error
        except OSError as error:
            raise StoreError(
                Sentence(
                    "{path}: {what}: {reason}; check the folder",
                    path=self.path,
                    what=what,
                    reason=system_errors.reason(error),
                )
            ) from error
        except BadLog as error:
            raise StoreError(
                Sentence("{path}: {what}: {remedy}", path=self.path, what=what, remedy=_DAMAGED)
            ) from error

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


@contextmanager
def _transaction(database: sqlite3.Connection, mode: str = "IMMEDIATE") -> Iterator[None]:
    database.execute(f"BEGIN {mode}")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite itself may have rolled back already
            database.execute("ROLLBACK")
        raise


_DAMAGED = Sentence("the file is damaged; move it away, or put a copy of it in its place")

_REMEDIES = {
    "SQLITE_FULL": Sentence("the disk is full; free some space and do it again"),
    "SQLITE_IOERR": Sentence(
        "the disk does not take or give it; check the disk and its free space"
    ),
    "SQLITE_READONLY": Sentence(
        "the file may not be written; check its permissions and its folder's"
    ),
    "SQLITE_PERM": Sentence("the file may not be used; check its permissions"),
    "SQLITE_CANTOPEN": Sentence("the file cannot be opened; check its folder and permissions"),
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": Sentence("this is no log of games; move it away"),
    "SQLITE_BUSY": Sentence("another program keeps the file busy; close it and do it again"),
    "SQLITE_LOCKED": Sentence("another program keeps the file busy; close it and do it again"),
}


def _remedy(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    for known, remedy in _REMEDIES.items():
        if name.startswith(known):
            return remedy
    if name.startswith("SQLITE_CONSTRAINT_FOREIGNKEY"):
        return Sentence("there is no such game")
    return str(error) or _DAMAGED


def _connect(path: str) -> sqlite3.Connection:
    """Open the file, durable and checked; a new one gets its tables."""
    database = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("PRAGMA synchronous = FULL")
        with _transaction(database, "DEFERRED"):  # so that all of `_version` is of one moment
            version = _version(database, path)
        if version == 0:
            _create(database, path)
        # Readers and the writer stay out of each other's way. Where the file system cannot do it,
        # or another caller is in the file just now, SQLite's older journal is as durable.
        with suppress(sqlite3.OperationalError):
            database.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        database.close()
        raise
    return database


def _create(database: sqlite3.Connection, path: str) -> None:
    with _transaction(database):
        if _version(database, path) == 0:  # else another caller was faster
            for statement in _SCHEMA:
                database.execute(statement)


def _version(database: sqlite3.Connection, path: str) -> int:
    """The schema's version, 0 for an empty file. Raises StoreError if it is not ours to use."""
    owner = database.execute("PRAGMA application_id").fetchone()[0]
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if (
        owner == 0
        and version == 0
        and not database.execute("SELECT 1 FROM sqlite_schema").fetchone()
    ):
        return 0
    if owner != APPLICATION_ID:
        raise StoreError(Sentence("{path}: this is no log of games; move it away", path=path))
    if version != SCHEMA_VERSION:
        raise StoreError(
            Sentence(
                "{path}: written by another version of the companion (format {version}, this one "
                "knows {known}); update the companion",
                path=path,
                version=version,
                known=SCHEMA_VERSION,
            )
        )
    return version


def hold(path: str) -> sqlite3.Connection | None:
    """Hold the lock file `path` until the connection is closed; None if another holds it.

    SQLite's own lock on an empty database: it ends with the process, however that ends, and works
    the same on every system. Raises OSError if the file cannot be made or used.
    """
    own_files.make_file(path)
    try:
        connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise OSError(str(error)) from None
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return None
        raise OSError(str(error)) from None
    return connection
