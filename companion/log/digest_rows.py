"""What each game was, in figures, kept beside its rows: a text that looking back makes of it.

A kept text is one of a version, and of the game as it was after a certain row. Where either is
another one now it is as if none were kept. All of them can be dropped and made again.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from companion.log import game_rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

LONGEST_PAUSE = timedelta(hours=2)
"""What is longer was no pause of a game, but the time until it was continued."""

_TABLE = """
CREATE TABLE digests (
    game INTEGER PRIMARY KEY REFERENCES games (id),
    last INTEGER NOT NULL,
    version INTEGER NOT NULL,
    started TEXT NOT NULL,
    ended TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    text TEXT NOT NULL
)
"""

_READ = """
SELECT games.id, games.name, digests.started, digests.ended, digests.minutes, digests.text
FROM games JOIN digests ON digests.game = games.id
WHERE digests.version = ? AND digests.last = (
    SELECT max(seq) FROM events WHERE events.game = games.id
)
"""

_LATEST = f"{_READ} ORDER BY digests.started DESC, games.id DESC LIMIT ?"

_ONE = f"{_READ} AND games.id = ?"

_MISSING = """
SELECT games.id FROM games LEFT JOIN digests ON digests.game = games.id AND digests.version = ?
WHERE digests.last IS NULL OR digests.last != (
    SELECT max(seq) FROM events WHERE events.game = games.id
)
"""

_TIMES = "SELECT at FROM events WHERE game = ? AND seq <= ifnull(?, seq) ORDER BY seq"


class Kept(NamedTuple):
    """What is kept of a game."""

    game: int
    name: str
    started: str
    """When its first row was written: ISO 8601 with the zone."""

    ended: str
    """When its last row was written."""

    minutes: int
    """How long it was played (`Times.minutes`)."""

    text: str


def read(rows: sqlite3.Connection, version: int, most: int = -1) -> Iterator[Kept]:
    """What is kept of the games as they are now, in no order; or of that `most` begun last, in
    theirs."""
    if not _is_there(rows):
        return
    found = rows.execute(_READ, (version,)) if most < 0 else rows.execute(_LATEST, (version, most))
    yield from map(Kept._make, found)


def find(rows: sqlite3.Connection, version: int, game: int) -> Kept | None:
    """What is kept of that game as it is now."""
    found = rows.execute(_ONE, (version, game)).fetchone() if _is_there(rows) else None
    return None if found is None else Kept._make(found)


def find_missing(rows: sqlite3.Connection, version: int) -> list[int]:
    """The games of which nothing is kept as they are now."""
    if not _is_there(rows):
        return [game for (game,) in rows.execute("SELECT id FROM games")]
    return [game for (game,) in rows.execute(_MISSING, (version,))]


def put(rows: sqlite3.Connection, game: int, last: int, version: int, text: str) -> None:
    """Keep that text of the game as it was after the row `last`."""
    if not _is_there(rows):
        rows.execute("DROP TABLE IF EXISTS digests")
        rows.execute(_TABLE)
    rows.execute(
        "INSERT OR REPLACE INTO digests VALUES (?, ?, ?, ?, ?, ?, ?)",
        (game, last, version, *times(rows, game, last), text),
    )


class Times(NamedTuple):
    """When a game was played."""

    started: str
    """When its first row was written: ISO 8601 with the zone."""

    ended: str
    """When the last one was."""

    minutes: int
    """How long it was played: whole minutes, without the times between rows that are longer than
    `LONGEST_PAUSE`, in which it was put away."""


def times(rows: sqlite3.Connection, game: int, last: int | None = None) -> Times:
    """When the game was played, up to that row if one is given. Raises ValueError where there is
    none, or a disk has changed its first or its last time."""
    found = [at for (at,) in rows.execute(_TIMES, (game, last))]
    if not found:
        raise ValueError(game)
    moments = [game_rows.read_moment(found[0])]
    for at in found[1:-1]:
        with suppress(ValueError, TypeError):
            moments.append(game_rows.read_moment(at))
    moments.append(game_rows.read_moment(found[-1]))
    steps = (after - before for before, after in pairwise(moments))
    played = sum((s for s in steps if timedelta() < s <= LONGEST_PAUSE), timedelta())
    return Times(found[0], found[-1], played // timedelta(minutes=1))


def _is_there(rows: sqlite3.Connection) -> bool:
    """Whether they are, in the form of now."""
    column = "SELECT 1 FROM pragma_table_info('digests') WHERE name = 'minutes'"
    return rows.execute(column).fetchone() is not None
