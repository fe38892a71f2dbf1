"""Whether the open log is still the file at its path, unchanged by others.

People delete, move and copy files during a game. SQLite would keep writing to a file that nobody
finds again, or into another file's pages.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from enum import Enum

Identity = tuple[int, int]  # of a file, independent of its name: device and inode


class State(Enum):
    """What has happened to the file."""

    SAME = "as it was left"
    TOUCHED = "written by somebody else"
    GONE = "another file, or none"


class LogPlace:
    """The file at `path`, as this program left it; `:memory:` never changes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: Identity | None = None
        self._journal: Identity | None = None
        self._stamp: tuple[int, int] | None = None

    def note(self) -> None:
        """Remember the file's current state."""
        self._file, self._stamp = _look(self.path)
        self._journal = _look(f"{os.path.realpath(self.path)}-wal")[0]

    def look(self) -> State:
        """What has happened to it since `note`."""
        file, stamp = _look(self.path)
        if file != self._file:
            return State.GONE
        journal = _look(f"{os.path.realpath(self.path)}-wal")[0]
        if self._journal is not None and journal != self._journal:
            return State.GONE
        return State.SAME if stamp == self._stamp else State.TOUCHED

    def forget_journal(self) -> None:
        """Truncate the journal of a file that was overwritten, so that its pages are never applied
        to the new one. Raises OSError."""
        journal = f"{os.path.realpath(self.path)}-wal"
        with suppress(FileNotFoundError):
            if self._file == _look(self.path)[0] and self._journal == _look(journal)[0]:
                os.truncate(journal, 0)


def begins_alike(path: str, first: tuple[str, str] | None) -> bool:
    """Whether the main file, without its journal, begins with that event or is still empty."""
    if first is None:
        return True
    try:
        with closing(sqlite3.connect(f"{uri(path)}?immutable=1", uri=True)) as alone:
            match = alone.execute("SELECT at, text FROM events ORDER BY seq LIMIT 1").fetchone()
    except sqlite3.Error:
        return False
    return match is None or match == first


def uri(path: str) -> str:
    """The path as a SQLite URI."""
    from urllib.parse import quote

    return f"file:{quote(os.path.realpath(path))}"


def _look(path: str) -> tuple[Identity | None, tuple[int, int] | None]:
    try:
        status = os.stat(path)
    except OSError:
        return None, None
    return (status.st_dev, status.st_ino), (status.st_size, status.st_mtime_ns)
