"""The digests of games, stored beside their rows as texts; `history` makes them.

A digest is valid for one version, and for the game up to a certain row; otherwise it counts as
missing. All of them can be deleted and made again.
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
"""A longer pause between rows means that the game was put away."""

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

_ORDER = "ORDER BY digests.started > ?, digests.started DESC, digests.game DESC"
_LATEST = f"""
{_READ} AND games.id IN (
    SELECT digests.game FROM digests WHERE digests.version = ? AND digests.last = (
        SELECT max(seq) FROM events WHERE events.game = digests.game
    ) {_ORDER} LIMIT ?
) {_ORDER}
"""  # noqa: S608 - of these constants

_ONE = f"{_READ} AND games.id = ?"

_MISSING = """
SELECT games.id FROM games LEFT JOIN digests ON digests.game = games.id AND digests.version = ?
WHERE digests.last IS NULL OR digests.last != (
    SELECT max(seq) FROM events WHERE events.game = games.id
)
"""

_TIMES = "SELECT at FROM events WHERE game = ? AND seq <= ifnull(?, seq) ORDER BY seq"


class Kept(NamedTuple):
    """A game's stored digest."""

    game: int
    name: str
    started: str
    """The time of its first row: ISO 8601 with the zone."""

    ended: str
    """The time of its last row."""

    minutes: int
    """Playing time (`Times.minutes`)."""

    text: str


def read(rows: sqlite3.Connection, version: int, most: int, horizon: str) -> Iterator[Kept]:
    """The valid digests, unordered; unless `most` is negative, only those of the games begun last,
    newest first. Games begun after `horizon` come last."""
    if not _is_there(rows):
        return
    found = (
        rows.execute(_READ, (version,))
        if most < 0
        else rows.execute(_LATEST, (version, version, horizon, most, horizon))
    )
    yield from map(Kept._make, found)


def find(rows: sqlite3.Connection, version: int, game: int) -> Kept | None:
    """That game's digest, if valid."""
    found = rows.execute(_ONE, (version, game)).fetchone() if _is_there(rows) else None
    return None if found is None else Kept._make(found)


def find_missing(rows: sqlite3.Connection, version: int) -> list[int]:
    """The games without a valid digest."""
    if not _is_there(rows):
        return [game for (game,) in rows.execute("SELECT id FROM games")]
    return [game for (game,) in rows.execute(_MISSING, (version,))]


def put(rows: sqlite3.Connection, game: int, last: int, version: int, text: str) -> None:
    """Store that game's digest, which counts up to the row `last`."""
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
    """The time of its first row: ISO 8601 with the zone."""

    ended: str
    """The time of its last row."""

    minutes: int
    """Playing time in whole minutes, without pauses longer than `LONGEST_PAUSE`."""


def times(rows: sqlite3.Connection, game: int, last: int | None = None) -> Times:
    """A game's times, up to a row if one is given. Raises ValueError if it has no rows, or a
    damaged first or last time."""
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
    """Whether the table exists with the current columns."""
    column = "SELECT 1 FROM pragma_table_info('digests') WHERE name = 'minutes'"
    return rows.execute(column).fetchone() is not None
