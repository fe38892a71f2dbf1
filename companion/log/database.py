"""The SQLite file below the log of games, opened on first use, and watched while it is open."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress

from companion.log import log_errors, log_file
from companion.log.log_errors import LogReplaced
from companion.log.log_place import Place, State, begins_alike

_FIRST = "SELECT at, text FROM events ORDER BY seq LIMIT 1"


class Database:
    """The file `path`, opened on first use. `close` it; the next use opens it again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._writes = False  # whether the connection was opened for that
        self._place: Place | None = None
        self._copies: tempfile.TemporaryDirectory[str] | None = None

    def read(self) -> sqlite3.Connection | None:
        """The open file, None where there is none. Use inside `errors`."""
        if self._connection is None and log_file.is_there(self.path):
            self._connection = log_file.to_read(self.path, self._folder)
        return self._connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """All of the block's writes, on the disk when it ends, or none. Use inside `errors`.

        Raises LogReplaced where the file that was written last is no longer the one in its place.
        """
        self._make_sure()
        if self._connection is None or not self._writes:
            self.close()
            log_file.is_there(self.path)
            self._connection = log_file.to_write(self.path)
            self._writes = True
        database = self._connection
        with log_file.transaction(database):
            yield database
        if self._place is None:
            self._place = Place(self.path)
        self._place.note()

    def errors(self, what: str) -> AbstractContextManager[None]:
        """Turn what SQLite and the system say into a StoreError with place and remedy."""
        return log_errors.telling_errors(self.path, what)

    def errors_in_rows(self, what: str) -> AbstractContextManager[None]:
        """The same, and what rows say that a disk has changed."""
        return log_errors.telling_read_errors(self.path, what)

    @property
    def is_in_place(self) -> bool:
        """Whether what was written can be found there by whoever looks next."""
        try:
            self._make_sure()
        except LogReplaced:
            return False
        return True

    def start_anew(self) -> None:
        """Let go of a file that was replaced, without a trace in what is there now."""
        if self._place is not None and self._connection is not None:
            with suppress(OSError):
                if not self._is_ours():
                    self._place.forget_journal()
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection, self._writes, self._place = None, False, None
        if self._copies is not None:
            self._copies.cleanup()
            self._copies = None

    def _folder(self) -> str:
        """A folder for copies, gone when the file is closed."""
        self._copies = tempfile.TemporaryDirectory(prefix="companion-")
        return self._copies.name

    def _make_sure(self) -> None:
        """Raises LogReplaced if the file is another one, or is ours no longer."""
        if self._place is None or self.path == log_file.MEMORY:
            return
        state = self._place.look()
        if state is State.GONE or (state is State.TOUCHED and not self._is_ours()):
            raise LogReplaced(self.path)

    def _is_ours(self) -> bool:
        """Whether a file that somebody else has written holds what this program knows, whole: then
        it was another caller, else somebody has copied a file over it."""
        if self._connection is None or not os.path.exists(self.path):
            return True
        try:
            first = self._connection.execute(_FIRST).fetchone()
            last = self._connection.execute("SELECT max(seq) FROM events").fetchone()
            if not begins_alike(self.path, first):
                return False
            with closing(log_file.to_read(self.path)) as afresh:
                return bool(
                    afresh.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
                    and afresh.execute(_FIRST).fetchone() == first
                    and afresh.execute("SELECT max(seq) FROM events").fetchone() >= last
                )
        except (sqlite3.Error, log_errors.StoreError, TypeError):
            return False
