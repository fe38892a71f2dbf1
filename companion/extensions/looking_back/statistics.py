"""Statistics over games: by player, character, district and box, head to head, and records.

Only finished games count that were not left out. Averages are not rounded. Statistics are plain
data, in the format of `companion stats --json`, added up by SQL over the ledger. A record is held
by who set it first.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.history.completing import complete
from companion.history.games import EVERY_GAME, GameFilter
from companion.history.people import find_all
from companion.log.names import tell_name
from engine.moves import fold

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from companion.log.store import Store

    Counts = Counter[str]

RECORDS = (
    "highest_score",
    "lowest_winning_score",
    "widest_margin",
    "most_expensive_city",
    "most_districts",
    "most_gold_left",
    "most_gold_stolen",
    "most_destroyed",
    "longest_streak",
    "most_rounds",
    "fewest_rounds",
    "longest_game",
)
"""All records in the order shown. Units: points, districts, gold, games, rounds; the longest game
in minutes. A city's cost is what its districts score, with the Artist's gold."""

OF_A_CHARACTER = ("chosen", "won", "murdered", "robbed")
"""The counts of a character."""

_OF_A_SEAT = {
    "highest_score": "total",
    "most_expensive_city": "districts",
    "most_districts": "city",
    "most_gold_left": "gold",
    "most_gold_stolen": "stolen",
    "most_destroyed": "destroyed",
    "lowest_winning_score": "CASE place WHEN 1 THEN total END",
}
_OF_A_GAME = {
    "widest_margin": "margin",
    "most_rounds": "nullif(rounds, 0)",  # 0 if only the end is known
    "fewest_rounds": "nullif(rounds, 0)",
    "longest_game": "minutes",
}
_LEAST = frozenset({"lowest_winning_score", "fewest_rounds"})
_OF_NOBODY = frozenset({"most_rounds", "fewest_rounds", "longest_game"})


def read_statistics(
    store: Store,
    wanted: GameFilter = EVERY_GAME,
    players: Sequence[str] = (),
) -> dict[str, Any]:
    """The statistics of the wanted games; players and pairs with the most games first.

    With ``players``, by names that they have or once had, only theirs, with their head-to-head
    results: against each other or, for a single one, against everybody. Raises StoreError, and
    PeopleError for a name that nobody has had.
    """
    connection = complete(store)
    names = find_all(store, players)
    with store.database.look():
        figures = _add_up(_Selection(connection, wanted._replace(any_of=tuple(players))))
    return _limit_to_players(figures, names) if names else figures


class _Person(NamedTuple):
    id: int
    key: str
    name: str


class _Selection:
    """The games that are added up, and who played in them."""

    def __init__(self, connection: sqlite3.Connection, wanted: GameFilter) -> None:
        self._connection = connection
        condition, self._values = wanted.write_condition(connection)
        self._plays = f"{_COUNTS} AND {condition}"
        # most often all that the tables of finished games hold, which needs no look at each row
        all_of_them = wanted == EVERY_GAME and not self.read("SELECT 1 FROM left_out LIMIT 1")
        self._seats = "1" if all_of_them else _OF_PLAYS.replace("{plays}", self._plays)
        self.people = {
            name: _Person(id_, fold(text) or f"\x01{somebody}", tell_name(text, somebody, script))
            for name, id_, text, somebody, script in self.read(_NAMES)
        }

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query in which `{plays}` and `{seats}` are the condition on the tables
        `play` and on those of seats."""
        number = query.count("{plays}") + query.count("{seats}")
        text = query.replace("{plays}", self._plays) if "{plays}" in query else query
        text = text.replace("{seats}", self._seats) if "{seats}" in text else text
        return self._connection.execute(text, [*(self._values * number), *values]).fetchall()


_COUNTS = "over AND play.game NOT IN (SELECT game FROM left_out)"
_OF_PLAYS = "game IN (SELECT game FROM play WHERE {plays})"
_NAMES = """
SELECT alias.id, person.id, name, somebody, script FROM alias JOIN person ON person.id = person
"""
_PLAYERS = """
SELECT name, count(*), sum(place = 1), sum(total), sum(place), max(total)
FROM seat WHERE place > 0 AND {seats} GROUP BY name
"""
_RESULTS = """
SELECT name, place, game FROM play JOIN seat USING (game) WHERE {plays} ORDER BY ended, game, seat
"""
_CHARACTERS = """
SELECT name, character, sum(chosen), sum(won), sum(murdered), sum(robbed)
FROM character WHERE {seats} GROUP BY name, character
"""
_DISTRICTS = """
SELECT district, sum(built), sum(destroyed) FROM district WHERE {seats}
GROUP BY district ORDER BY district
"""
_EDITIONS = """
SELECT edition, count(*), count(nullif(rounds, 0)), sum(rounds), sum(points), sum(seats)
FROM play WHERE {plays} GROUP BY edition ORDER BY edition
"""
_PAIRS = """
SELECT one.name, other.name, count(*), sum(one.place < other.place), sum(other.place < one.place)
FROM (SELECT name, game, place FROM seat WHERE place > 0 AND {seats}) AS one
JOIN seat AS other ON other.game = one.game AND other.name > one.name
GROUP BY (one.name << 32) + other.name -- sorted faster than two columns
"""


def _add_up(selection: _Selection) -> dict[str, Any]:
    editions = selection.read(_EDITIONS)
    streaks, record = _count_streaks(selection)
    characters = _add_up_characters(selection)
    everybody: dict[str, Counts] = {}
    for sums in characters.values():
        for character, counts in sums.items():
            everybody.setdefault(character, Counter()).update(counts)
    return {
        "games": sum(games for _edition, games, *_sums in editions),
        "players": {
            person.name: {
                "games": games,
                "wins": wins,
                "average": points / games,
                "place": places / games,
                "best": best,
                "streak": streaks.get(person.id, 0),
                "characters": dict(sorted(characters.get(person.id, {}).items())),
            }
            for person, (games, wins, points, places, best) in _add_up_results(selection)
        },
        "characters": dict(sorted(everybody.items())),
        "districts": {
            district: {"built": builds, "destroyed": losses}
            for district, builds, losses in selection.read(_DISTRICTS)
        },
        "editions": {
            edition: {
                "games": games,
                "rounds": rounds / with_rounds if with_rounds else 0.0,
                "average": points / seats,
            }
            for edition, games, with_rounds, rounds, points, seats in editions
        },
        "head_to_head": _add_up_pairs(selection),
        "records": _list_records(selection, record),
    }


def _add_up_results(selection: _Selection) -> list[tuple[_Person, list[int]]]:
    """Each player's games, wins, points, places and best score; most games first."""
    people: dict[_Person, list[int]] = {}
    for name, *sums, best in selection.read(_PLAYERS):
        *before, highest = people.get(selection.people[name], [0, 0, 0, 0, best])
        numbers = (one + other for one, other in zip(before, sums, strict=True))
        people[selection.people[name]] = [*numbers, max(highest, best)]
    return sorted(people.items(), key=lambda one: (-one[1][0], fold(one[0].name)))


def _count_streaks(selection: _Selection) -> tuple[dict[int, int], _Held | None]:
    """Each person's most games won in a row, by the person's id, and the record."""
    people = {name: person.id for name, person in selection.people.items()}
    now: dict[int, int] = {}
    longest: dict[int, int] = {}
    record, holder = 1, None
    for name, place, game in selection.read(_RESULTS):
        person = people[name]
        if place > 1:
            now[person] = 0
            continue
        now[person] = streak = now.get(person, 0) + 1
        if streak > longest.get(person, 0):
            longest[person] = streak
        if streak > record:
            record, holder = streak, (name, game)
    return longest, None if holder is None else _Held("longest_streak", record, *holder)


def _add_up_characters(selection: _Selection) -> dict[int, dict[str, Counts]]:
    """The counts of each character, by the person's id."""
    people: dict[int, dict[str, Counts]] = {}
    for name, character, *sums in selection.read(_CHARACTERS):
        counts = dict(zip(OF_A_CHARACTER, sums, strict=True))
        own = people.setdefault(selection.people[name].id, {})
        own.setdefault(character, Counter()).update(counts)
    return people


def _add_up_pairs(selection: _Selection) -> list[dict[str, Any]]:
    """The games of each two players, and who was ahead in how many; most games first."""
    pairs: dict[tuple[_Person, _Person], list[int]] = {}
    for name, other, games, ahead, behind in selection.read(_PAIRS):
        one, two = selection.people[name], selection.people[other]
        if one.key > two.key:
            one, two, ahead, behind = two, one, behind, ahead
        before = pairs.setdefault((one, two), [0, 0, 0])
        for at, number in enumerate((games, ahead, behind)):
            before[at] += number
    order = sorted(pairs.items(), key=lambda one: (-one[1][0], one[0][0].key, one[0][1].key))
    return [
        {
            "players": [one.name, two.name],
            "games": games,
            "ahead": {one.name: ahead, two.name: behind},
        }
        for (one, two), (games, ahead, behind) in order
    ]


class _Held(NamedTuple):
    """A record: its value, who holds it, if one player does, and since which game."""

    record: str
    value: int
    name: int | None
    game: int


def _list_records(selection: _Selection, streak: _Held | None) -> list[dict[str, Any]]:
    """Each record with its value, its game and, if one player holds it, the player."""
    holders = [
        *_find_records(selection, _OF_A_SEAT, _VALUES_OF_SEATS, _SEATS),
        *_find_records(selection, _OF_A_GAME, _VALUES_OF_GAMES, _GAMES),
        *([streak] if streak else []),
    ]
    by_name = {one.record: one for one in holders}
    return [
        {
            "record": record,
            "value": by_name[record].value,
            "player": None
            if (name := by_name[record].name) is None
            else selection.people[name].name,
            "game": selection.read("SELECT name FROM games WHERE id = ?", by_name[record].game)[0][
                0
            ],
        }
        for record in RECORDS
        if record in by_name
    ]


_VALUES_OF_SEATS = "SELECT {best} FROM seat WHERE place > 0 AND {seats}"
_VALUES_OF_GAMES = "SELECT {best} FROM play WHERE {plays}"
# in this order of the tables, only the few seats that hold a record are looked up in the other
_SEATS = """
SELECT game, name, {columns} FROM seat CROSS JOIN play USING (game)
WHERE place > 0 AND {seats} AND ({holds}) ORDER BY ended, game, seat
"""
_GAMES = """
SELECT game, (SELECT name FROM seat WHERE seat.game = play.game AND place = 1 ORDER BY seat),
    {columns}
FROM play WHERE {plays} AND ({holds}) ORDER BY ended, game
"""


def _find_records(
    selection: _Selection, columns: dict[str, str], values: str, holders: str
) -> Iterable[_Held]:
    """The records over these columns, each held by the first who had that value; the queries are
    for the values, and for who had them."""
    best = [f"{'min' if record in _LEAST else 'max'}({of})" for record, of in columns.items()]
    (numbers,) = selection.read(values.replace("{best}", ", ".join(best)))
    records = [
        (record, of, value)
        for (record, of), value in zip(columns.items(), numbers, strict=True)
        if value is not None and (value > 0 or record in _LEAST)
    ]
    if not records:
        return
    holds = " OR ".join(f"{of} = {value}" for _record, of, value in records)
    shown = ", ".join(of for _record, of, _value in records)
    rows = selection.read(holders.replace("{columns}", shown).replace("{holds}", holds))
    for at, (record, _of, value) in enumerate(records):
        row = next(row for row in rows if row[2 + at] == value)
        yield _Held(record, value, None if record in _OF_NOBODY else row[1], row[0])


def _limit_to_players(statistics: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    wanted = set(map(fold, names))
    least = min(2, len(wanted))
    return statistics | {
        "players": {
            name: data for name, data in statistics["players"].items() if fold(name) in wanted
        },
        "head_to_head": [
            pair
            for pair in statistics["head_to_head"]
            if len(wanted & set(map(fold, pair["players"]))) >= least
        ],
    }
