"""The games of a log, newest first, read from the ledger and chosen by players, box and time."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from common.clean import write_moment
from companion.history.completing import complete
from companion.log import names
from companion.log.names import tell_name

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from companion.log.store import Store


class GameSeat(NamedTuple):
    name: str
    """The current name."""

    place: int
    """From 1; 0 while the game is not over."""

    total: int
    parts: tuple[int | None, ...]
    """Points: districts, five types, complete city, unique districts. Zeros before the end, None if
    only the total is known."""

    gold: int | None
    """Left at the end."""

    is_forgotten: bool


class Game(NamedTuple):
    id: int
    name: str
    started: str
    """ISO 8601 in UTC, as is `ended`."""

    ended: str
    """The time of its last event."""

    minutes: int
    """Playing time (`game_rows.Times.minutes`)."""

    edition: str
    over: bool
    rounds: int
    """The number of its last or current round; 0 if it is unknown, or can't be replayed."""

    counts: bool
    """Whether it was not left out of the statistics."""

    seats: tuple[GameSeat, ...]


class GameFilter(NamedTuple):
    """A filter for games; by default it takes all."""

    players: tuple[str, ...] = ()
    """All of these took part, by their current or a former name."""

    any_of: tuple[str, ...] = ()
    """At least one of these took part."""

    edition: str | None = None
    since: str | None = None
    """Earliest time, in UTC as `Game.started`."""

    until: str | None = None
    """End of the range, exclusive."""

    def write_condition(self, connection: sqlite3.Connection) -> tuple[str, list[Any]]:
        """The filter as an SQL condition on the table `play`, and its values."""
        parts: list[str] = []
        values: list[Any] = []
        for condition, value in (
            ("edition = ?", self.edition),
            ("started >= ?", self.since),
            ("started < ?", self.until),
        ):
            if value is not None:
                parts.append(condition)
                values.append(value)
        everybody = [[name] for name in self.players] + ([self.any_of] if self.any_of else [])
        for one_of in everybody:
            parts.append(_WITH_ONE_OF)
            people = (names.find_person(connection, name) for name in one_of)
            values.append(json.dumps([person[0] for person in people if person is not None]))
        return " AND ".join(parts) or "1", values


EVERY_GAME = GameFilter()

_WITH_ONE_OF = """
play.game IN (
    SELECT game FROM player JOIN alias ON alias.id = alias
    WHERE person IN (SELECT value FROM json_each(?))
)
"""


_ORDER = "started > ?, started DESC, play.game DESC"
_READ = """
SELECT play.game, games.name, started, ended, minutes, edition, over, rounds,
    play.game NOT IN (SELECT game FROM left_out), person.name, somebody, script, place, total,
    districts, five_types, complete, uniques, gold
FROM (SELECT * FROM play WHERE {condition} ORDER BY {order} LIMIT ?) AS play
JOIN games ON games.id = play.game LEFT JOIN seat ON seat.game = play.game
LEFT JOIN alias ON alias.id = seat.name LEFT JOIN person ON person.id = person
ORDER BY {order}, seat.seat
"""
_COUNT = "SELECT count(*) FROM play WHERE {condition}"


class GameList(NamedTuple):
    games: list[Game]
    total: int


def read_all(
    store: Store,
    wanted: GameFilter = EVERY_GAME,
    most: int = -1,
) -> list[Game]:
    """The games that are wanted, or the `most` newest, and last those that claim to have begun in
    the future. What is missing in the ledger is counted first. Raises StoreError."""
    return read_page(store, wanted, most).games


def read_finished(store: Store, wanted: GameFilter) -> list[Game]:
    """As `read_all`, only games that are over and count."""
    return [game for game in read_all(store, wanted) if game.over and game.counts]


def read_page(store: Store, wanted: GameFilter, most: int = -1) -> GameList:
    """As `read_all`, with the number of wanted games."""
    connection = complete(store)
    with store.database.look():
        condition, values = wanted.write_condition(connection)
        query = _READ.format(condition=condition, order=_ORDER)
        horizon = store.horizon
        cursor = connection.execute(query, [*values, horizon, most, horizon])
        games = [_make(seats) for _id, seats in groupby(cursor, lambda row: row[0])]
        if most < 0:
            return GameList(games, len(games))
        (total,) = connection.execute(_COUNT.format(condition=condition), values).fetchone()
        return GameList(games, total)


def _make(seats: Iterable[tuple[Any, ...]]) -> Game:
    cells = list(seats)
    game, name, start, end, minutes, edition, over, rounds, counts = cells[0][:9]
    players = tuple(
        GameSeat(
            tell_name(person, somebody, script),
            place,
            total,
            tuple(parts),
            gold,
            somebody is not None,
        )
        for *_game, person, somebody, script, place, total, p, q, r, s, gold in cells
        if person is not None
        for parts in [(p, q, r, s)]
    )
    head = (game, name, start, end, minutes, edition, bool(over), rounds, bool(counts))
    return Game(*head, players)


def count_game(store: Store, game: int, *, counts: bool) -> None:
    """Leave a game out of the statistics, or take it in again. Raises StoreError."""
    with store.database.save() as connection:
        take_in, leave_out = (
            "DELETE FROM left_out WHERE game = ?",
            "INSERT INTO left_out VALUES (?)",
        )
        connection.execute(take_in, (game,))
        if not counts:
            connection.execute(leave_out, (game,))
    store.copy()


def begin_of_day(day: str, *, after: bool = False) -> str:
    """The start of that local day (YYYY-MM-DD; `after`: its end) in UTC, in the format of a game's
    times."""
    begin = date.fromisoformat(day)
    try:
        local = datetime(begin.year, begin.month, begin.day) + timedelta(days=after)
        moment = local.astimezone(UTC)
    except (ValueError, OverflowError, OSError):  # the first and last days that datetime knows
        moment = datetime(begin.year, begin.month, begin.day, tzinfo=UTC)
    return write_moment(moment)
