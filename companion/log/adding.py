"""Adds games and their rows to the log. Use it inside a transaction."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain, count
from typing import TYPE_CHECKING

from companion.log import names

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    Row = tuple[str, str, str]
    """A row of a game: time, kind and a move's text."""


def find_free_name(connection: sqlite3.Connection, name: str) -> str:
    """The name or, if a game has it, one like it: of the same day, with another number."""
    head, _dash, last = name.rpartition("-")
    head = head if head and last.isdecimal() else name
    offers = chain((name,), (f"{head}-{number}" for number in count(1)))
    taken = "SELECT 1 FROM games WHERE name = ?"
    return next(one for one in offers if connection.execute(taken, (one,)).fetchone() is None)


def insert(
    connection: sqlite3.Connection, name: str, uuid: str | None, events: Sequence[Row]
) -> int:
    """Insert a game under that name or one like it, with its UUID if it is known; returns its id.
    The text of its first row is its set-up."""
    query = "INSERT INTO games (name, uuid) VALUES (?, ?)"
    game = connection.execute(query, (find_free_name(connection, name), uuid)).lastrowid
    assert game is not None
    add(connection, game, events)
    names.sit(connection, game, names.read_players(events[0][2]))
    return game


def add(connection: sqlite3.Connection, game: int, events: Iterable[Row]) -> None:
    connection.executemany(
        "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
        ((game, *event) for event in events),
    )


@contextmanager
def note_imported(connection: sqlite3.Connection) -> Iterator[None]:
    """Mark the rows written in the block as imported."""
    query = "SELECT ifnull(max(seq), 0) FROM events"
    (before,) = connection.execute(query).fetchone()
    yield
    (after,) = connection.execute(query).fetchone()
    if after > before:
        connection.execute("INSERT INTO imports VALUES (?, ?)", (before + 1, after))
