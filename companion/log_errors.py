"""What can go wrong with the log of games, in words: what, where and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from companion import system_errors
from companion.errors import Told
from engine.sentences import Sentence


class StoreError(Told):
    """The log cannot be read or written: one sentence that says what, where and what to do."""


class BadLog(Exception):
    """The rows tell no game: they were not written by us."""


class LogReplaced(StoreError):
    """The file that is open is no longer the one at its place; nothing was written."""

    def __init__(self, path: str) -> None:
        super().__init__(
            Sentence(
                "{path}: the file was removed, moved or replaced while the game was open. Do that "
                "again, and the whole game is written anew there.",
                path=path,
            )
        )


DAMAGED = Sentence("the file is damaged; “companion record --salvage” saves what can be read of it")

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
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": Sentence("this is no log of games; move it away"),
    "SQLITE_BUSY": Sentence("another program keeps the file busy; close it and do it again"),
    "SQLITE_LOCKED": Sentence("another program keeps the file busy; close it and do it again"),
    "SQLITE_CONSTRAINT_FOREIGNKEY": Sentence("there is no such game"),
}

_STRANGE_ROWS = (BadLog, ValueError, TypeError, KeyError, OverflowError, RecursionError)
"""What reading rows raises that a disk has changed: letters that are none, dates, numbers."""


@contextmanager
def told(path: str, what: str) -> Iterator[None]:
    """Turn what SQLite and the system say into a StoreError with place and remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(
            Sentence("{path}: {what}: {remedy}", path=path, what=what, remedy=_remedy(error))
        ) from error
    except OSError as error:
        raise StoreError(
            Sentence(
                "{path}: {what}: {reason}; check the folder",
                path=path,
                what=what,
                reason=system_errors.reason(error),
            )
        ) from error


@contextmanager
def told_reading(path: str, what: str) -> Iterator[None]:
    """The same where rows are read, which a disk may have changed."""
    with told(path, what):
        try:
            yield
        except _STRANGE_ROWS as error:
            raise StoreError(
                Sentence("{path}: {what}: {remedy}", path=path, what=what, remedy=DAMAGED)
            ) from error


def _remedy(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    for known, remedy in _REMEDIES.items():
        if name.startswith(known):
            return remedy
    if not name or name == "SQLITE_ERROR":  # tables that are none of ours, letters that are none
        return DAMAGED
    return str(error) or DAMAGED
