"""Games on disk: written move by move, read back, salvaged, and as record files.

Here are the errors of the log in words: what went wrong, where, and what to do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from common.sentences import Sentence
from companion import files
from companion.errors import UserError


class StoreError(UserError):
    """The log cannot be read or written: one sentence with what, where and what to do."""


class BadLog(Exception):
    """The rows are not a game: not written by this program."""


class LogReplaced(StoreError):
    """The open file is no longer the one at its path; nothing was written."""

    def __init__(self, path: str) -> None:
        super().__init__(
            Sentence(
                "{path}: the file was removed, moved or replaced while the game was "
                "open. Try again; the whole game will be saved there.",
                path=path,
            )
        )


DAMAGED = Sentence("the file is damaged; “companion record --salvage” saves what can still be read")

_REMEDIES = {
    "SQLITE_FULL": Sentence("the disk is full; free some space and try again"),
    "SQLITE_IOERR": Sentence(
        "the disk can't be read or written; check the disk and its free space"
    ),
    "SQLITE_READONLY": Sentence(
        "no permission to write the file; check its permissions and its folder's"
    ),
    "SQLITE_PERM": Sentence("no permission to use the file; check its permissions"),
    "SQLITE_CANTOPEN": Sentence("the file cannot be opened; check its folder and permissions"),
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": Sentence("this is not a game log; move it somewhere else"),
    "SQLITE_BUSY": Sentence("another program is using the file; close it and try again"),
    "SQLITE_LOCKED": Sentence("another program is using the file; close it and try again"),
    "SQLITE_CONSTRAINT_FOREIGNKEY": Sentence("there is no such game"),
}

_STRANGE_ROWS = (BadLog, ValueError, TypeError, KeyError, OverflowError, RecursionError)
"""Errors raised by damaged rows: invalid letters, dates, numbers."""


@contextmanager
def translate_errors(path: str, what: str) -> Iterator[None]:
    """Turn errors of SQLite and the system into a StoreError with place and remedy."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite's message may quote damaged text
        raise StoreError(
            Sentence("{path}: {what}: {remedy}", path=path, what=what, remedy=_remedy(error))
        ) from error
    except OSError as error:
        raise StoreError(
            Sentence(
                "{path}: {what}: {reason}; check the folder",
                path=path,
                what=what,
                reason=files.reason(error),
            )
        ) from error


@contextmanager
def translate_read_errors(path: str, what: str) -> Iterator[None]:
    """Also turn errors of damaged rows into a StoreError."""
    with translate_errors(path, what):
        try:
            yield
        except _STRANGE_ROWS as error:
            raise StoreError(
                Sentence("{path}: {what}: {remedy}", path=path, what=what, remedy=DAMAGED)
            ) from error


def _remedy(error: sqlite3.Error | UnicodeDecodeError) -> str:
    name = getattr(error, "sqlite_errorname", "")
    for text, remedy in _REMEDIES.items():
        if name.startswith(text):
            return remedy
    if not name or name == "SQLITE_ERROR":  # not our tables, or invalid text
        return DAMAGED
    return str(error) or DAMAGED
