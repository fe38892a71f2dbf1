"""Opening the SQLite file of the log: its schema, its durability, and reading it anywhere; and
whether the open file is still the one at its path, unchanged by others.

People delete, move and copy files during a game. SQLite would keep writing to a file that nobody
finds again, or into another file's pages.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import NamedTuple
from urllib.parse import quote

from common import own_files
from common.sentences import Sentence, locate
from companion.log import StoreError, migration, names

Identity = tuple[int, int]  # of a file, independent of its name: device and inode

SCHEMA_VERSION, OLD_VERSION = 2, 1
APPLICATION_ID = 0x43495401  # "CIT" and 1: identifies our files
BUSY_SECONDS = 5.0
MEMORY = ":memory:"

GAMES_REMAIN = """
    CREATE TRIGGER games_remain BEFORE DELETE ON games
        BEGIN SELECT RAISE(ABORT, 'a game is never deleted'); END
    """
EVENTS_REMAIN = """
    CREATE TRIGGER events_remain BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
    """
"""What keeps games from being deleted by mistake; only `Store.remove` goes past them."""

_STRICT = "STRICT" if sqlite3.sqlite_version_info >= (3, 37) else ""
_BESIDE = (
    *names.TABLES,
    """CREATE TABLE hands (
        game INTEGER NOT NULL, seat INTEGER NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL
    )""",
    "CREATE TABLE imports (first INTEGER PRIMARY KEY, last INTEGER NOT NULL)",
    "CREATE TABLE left_out (game INTEGER PRIMARY KEY REFERENCES games (id))",
)
"""What is known of the games besides: people (`names`), told hands, ranges of rows that were
imported, games that do not count in the statistics."""

_SCHEMA = (
    f"""
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        uuid TEXT
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
    *_BESIDE,
    """
    CREATE TRIGGER games_stay BEFORE UPDATE ON games
        BEGIN SELECT RAISE(ABORT, 'a game is never changed'); END
    """,
    GAMES_REMAIN,
    """
    CREATE TRIGGER events_stay BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
    """,
    EVENTS_REMAIN,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

_JOURNALS = ("-journal", "-wal", "-shm")
_NO_SHARED_MEMORY = ("SQLITE_IOERR_SHM", "SQLITE_PROTOCOL", "SQLITE_CANTOPEN")
_NOT_WRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PERM")


class NotALog(sqlite3.DatabaseError):
    """Another program's file; told as SQLite tells a file that is not its own."""

    sqlite_errorname = "SQLITE_NOTADB"


class Place(NamedTuple):
    """What is at the path of a log: the file, its journal, and how the file was left."""

    file: Identity | None
    journal: Identity | None
    stamp: tuple[int, int] | None


def look(path: str) -> Place:
    file, stamp = _look(path)
    return Place(file, _look(find_journal(path))[0], stamp)


def find_journal(path: str) -> str:
    return f"{os.path.realpath(path)}-wal"


def drop_journal(path: str) -> None:
    """Remove the journal of a file that is no longer at that path. Raises OSError."""
    for journal in (find_journal(path), f"{os.path.realpath(path)}-shm"):
        with suppress(FileNotFoundError):
            os.unlink(journal)


def begins_alike(path: str, first: tuple[str, str] | None) -> bool:
    """Whether the main file, without its journal, begins with that event or is still empty."""
    if first is None:
        return True
    try:
        with closing(sqlite3.connect(f"{uri(path)}?immutable=1", uri=True)) as alone:
            event = alone.execute("SELECT at, text FROM events ORDER BY seq LIMIT 1").fetchone()
    except sqlite3.Error:
        return False
    return event is None or event == first


def uri(path: str) -> str:
    return f"file:{quote(os.path.realpath(path))}"


def _look(path: str) -> tuple[Identity | None, tuple[int, int] | None]:
    try:
        status = os.stat(path)
    except OSError:
        return None, None
    return (status.st_dev, status.st_ino), (status.st_size, status.st_mtime_ns)


def exists(path: str) -> bool:
    """Whether there is a log: a file whose making was cut off before its tables, or that was
    emptied, is none. Raises OSError if that cannot be determined, and StoreError if it is not a
    regular file: reading a pipe would never end."""
    if path == MEMORY:
        return True
    _need_files(path)
    if os.path.islink(path):
        os.stat(path)  # raises if it leads nowhere
    if not os.path.exists(path):
        return False
    try:
        with closing(_connect(path)) as found:
            found.execute("PRAGMA busy_timeout = 0")  # who writes it has made its tables
            return _check(found, path) != 0
    except (sqlite3.Error, StoreError):  # told when it is opened
        return True


def _need_files(path: str) -> None:
    """Raise StoreError if the file, or a journal beside it that SQLite would read, is a pipe or a
    device, which may never end."""
    for place in (path, *(f"{os.path.realpath(path)}{name}" for name in _JOURNALS)):
        with suppress(FileNotFoundError):
            mode = os.stat(place).st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                problem = Sentence("this is not a game log; move it somewhere else")
                raise StoreError(locate(place, problem))


def open_to_write(path: str, notices: list[str]) -> sqlite3.Connection:
    """Open the file for durable writes and check it; create it, with its tables, if necessary.

    Where the folder has no shared memory, as on network drives and in some containers, the file
    changes to SQLite's rollback journal for good, and a sentence about it is added to `notices`.
    """
    if path != MEMORY:
        own_files.make_folder(os.path.dirname(os.path.abspath(path)))
        own_files.make_file(path)  # SQLite gives its journals the same mode
    try:
        return _configure(path, _connect(path), wal=True)
    except sqlite3.OperationalError as error:
        if not _is(error, _NO_SHARED_MEMORY) or path == MEMORY:
            raise
        connection = _configure(path, _open_without_shared_memory(path), wal=False)
        notices.append(
            Sentence(
                "{path}: this folder has no shared memory; every move is saved as safely, but only "
                "one program at a time can use the file.",
                path=path,
            )
        )
        return connection


def open_to_read(path: str) -> sqlite3.Connection:
    """Open the file for reading, even if its folder is not writable: then with the journal that a
    caller may have left there, or as immutable. Raises StoreError, and sqlite3.Error for one that
    is damaged."""
    if path != MEMORY:
        _need_files(path)
    try:
        return _open(path, path)
    except sqlite3.OperationalError as error:
        if path == MEMORY or not _is(error, _NOT_WRITABLE):
            raise
    has_journal = os.path.exists(find_journal(path))
    return _open(f"{uri(path)}?{'mode=ro' if has_journal else 'immutable=1'}", path)


def open_copy(path: str) -> sqlite3.Connection:
    """As `open_to_read`, but one of the format before is copied into memory and renewed there, for
    a place that cannot be written."""
    connection = open_to_read(path)
    if not is_old(connection):
        return connection
    with closing(connection):
        copy = copy_to_memory(connection)
    _renew(copy, MEMORY)
    return copy


def copy_to_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A copy of an open file, which can be written where the file cannot."""
    copy = _connect(MEMORY)
    connection.backup(copy)
    return copy


def is_old(connection: sqlite3.Connection) -> bool:
    """Whether the file has the format before this one."""
    return bool(connection.execute("PRAGMA user_version").fetchone() == (OLD_VERSION,))


def _open(place: str, path: str) -> sqlite3.Connection:
    """Open the file at `place` for reading and check it; errors name `path`."""
    connection = _connect(place)
    try:
        _check(connection, path)
        _need_whole(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, mode: str = "IMMEDIATE") -> Iterator[None]:
    """A transaction, on the disk when the block ends."""
    connection.execute(f"BEGIN {mode}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite itself may have rolled back already
            connection.execute("ROLLBACK")
        raise


def write_copy(connection: sqlite3.Connection, copy: str, version: int = SCHEMA_VERSION) -> None:
    """Write the file `copy` anew from this one, unless another caller has given it another
    format by now, or the copy is a newer companion's. Raises OSError and sqlite3.Error."""
    if _is_newer(copy):
        return
    new = f"{copy}.{os.getpid()}.new"  # removed by `own_files.tidy`, if this program is killed
    own_files.make_file(new)
    try:
        with closing(sqlite3.connect(new)) as kept:
            kept.execute("PRAGMA journal_mode = MEMORY")  # no second file
            connection.backup(kept)
            found = kept.execute("PRAGMA user_version").fetchone()
        if found == (version,):
            os.replace(new, copy)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(new)


def _is_newer(copy: str) -> bool:
    """Whether that copy has a format of which only a newer companion can read the games."""
    try:
        with closing(sqlite3.connect(f"{uri(copy)}?immutable=1", uri=True)) as kept:
            owner, version = (
                kept.execute(f"PRAGMA {one}").fetchone()[0]
                for one in ("application_id", "user_version")
            )
    except sqlite3.Error:  # there is none, or it is damaged
        return False
    return bool(owner == APPLICATION_ID and version > SCHEMA_VERSION)


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=path.startswith("file:"),
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _configure(path: str, connection: sqlite3.Connection, *, wal: bool) -> sqlite3.Connection:
    try:
        version = _check(connection, path)
        if version == 0:
            if wal:  # readers and the writer can work at the same time
                with suppress(sqlite3.OperationalError):
                    connection.execute("PRAGMA journal_mode = WAL")
            _create(connection, path)
        _need_whole(connection)
        if version == OLD_VERSION:
            _renew(connection, path)
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA synchronous = EXTRA")
        _check(connection, path)  # the journal works
    except BaseException:
        connection.close()
        raise
    return connection


def _open_without_shared_memory(path: str) -> sqlite3.Connection:
    """Switch the file to the rollback journal: without shared memory, WAL can only be left while no
    other program has the file open."""
    connection = _connect(path)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA locking_mode = NORMAL")
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()  # releases the lock
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, path: str) -> int:
    with transaction(connection, "DEFERRED"):  # one snapshot for `_version`
        return _version(connection, path)


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether the file is not damaged. Raises sqlite3.Error."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))


def _need_whole(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError if the file is damaged: what can still be read of it would be
    taken for all that there is."""
    if not is_whole(connection):
        raise sqlite3.DatabaseError


def _create(connection: sqlite3.Connection, path: str) -> None:
    with transaction(connection):
        if _version(connection, path) == 0:  # otherwise another caller was faster
            for statement in _SCHEMA:
                connection.execute(statement)


def _renew(connection: sqlite3.Connection, path: str) -> None:
    """Give a file of the format before this one today's; a copy of it stays beside it."""
    if path != MEMORY:
        write_copy(connection, migration.find_old(path), OLD_VERSION)
    with transaction(connection):
        if is_old(connection):  # otherwise another caller was faster
            migration.upgrade(connection, _BESIDE)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _version(connection: sqlite3.Connection, path: str) -> int:
    """The schema's version, 0 for an empty file. Raises StoreError if it is not ours to use."""
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if (
        owner == 0
        and version == 0
        and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    ):
        return 0
    if owner != APPLICATION_ID:
        raise NotALog
    if version not in (OLD_VERSION, SCHEMA_VERSION):
        problem = Sentence(
            "written by another version of the companion (format {version}, this one "
            "knows {known}); update the companion",
            version=version,
            known=SCHEMA_VERSION,
        )
        raise StoreError(locate(path, problem))
    return version


def _is(error: sqlite3.Error, codes: tuple[str, ...]) -> bool:
    return str(getattr(error, "sqlite_errorname", "")).startswith(codes)
