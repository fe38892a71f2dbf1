"""Who is who: one person may have played under several names, or been renamed.

Records keep the names they were played with. Stored beside them is only which person each name
means; all of `history` asks here. Names are compared case-insensitively.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.errors import Told
from companion.files.clean import clean_text
from companion.log import name_rows
from companion.log.store import StoreError
from engine.moves import fold
from engine.record import MAX_NAME_LENGTH, RESERVED_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.log.store import Store

_WHAT = Sentence("the players' names cannot be read")


class PeopleError(Told):
    """Names that cannot be changed like this; the message says why."""


class People:
    """Which person each name means."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` maps former names to current ones, as `name_rows` stores them."""
        self.names = dict(names)
        self._resolved: dict[tuple[str, ...], tuple[str, ...]] = {}

    def resolve(self, players: tuple[str, ...]) -> tuple[str, ...]:
        """The current names of one game's players.

        Players of one game stay distinct: if two would get the same name, those who were renamed
        keep the one they played with.
        """
        found = self._resolved.get(players)
        if found is None:
            now = [self.find(name) for name in players]
            taken = [fold(name) for name in now]
            found = self._resolved[players] = tuple(
                new if taken.count(fold(new)) == 1 else old
                for old, new in zip(players, now, strict=True)
            )
        return found

    def find(self, name: str) -> str:
        """The person's current name."""
        return self.names.get(fold(name), name)


class Person(NamedTuple):
    """A player of this table."""

    name: str
    games: int
    """Games begun, finished or not."""

    also: tuple[str, ...]
    """Other names in the records."""


def read(store: Store) -> People:
    """Who is who in that log. Raises StoreError."""
    with store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        return People(name_rows.read(rows) if rows else {})


def list_all(store: Store, most: int = -1) -> list[Person]:
    """All players of this table, the most recent first; `most` limits the number of games read.

    Raises StoreError.
    """
    people, tables = read(store), _list_tables(store, most)
    games: dict[str, int] = {}
    names: dict[str, set[str]] = {}
    shown: dict[str, str] = {}
    for players in tables:
        for played, now in zip(players, people.resolve(players), strict=True):
            person = fold(now)
            games[person] = games.get(person, 0) + 1
            names.setdefault(person, set()).add(played)
            shown.setdefault(person, clean_text(now))
    return [
        Person(name, games[person], tuple(sorted(map(clean_text, names[person] - {name}))))
        for person, name in shown.items()
    ]


def need_all(store: Store, names: Iterable[str]) -> None:
    """Raise PeopleError for the first of these names that no player here has ever had, with the
    nearest one; raises StoreError too."""
    people = read(store)
    known = _map_known(people, _list_tables(store))
    for name in names:
        _need(known, people, name)


RECENT, OFFERED = 40, 9  # games looked at, names offered


def list_offered(store: Store) -> list[str]:
    """Likely players of the next game, the most recent first; empty if the log cannot be read."""
    try:
        return [person.name for person in list_all(store, RECENT)][:OFFERED]
    except StoreError:
        return []


def _list_tables(store: Store, most: int = -1) -> list[tuple[str, ...]]:
    with store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        return list(name_rows.list_tables(rows, most)) if rows else []


def rename(store: Store, was: str, now: str) -> str:
    """Rename a player; returns the name as stored.

    Raises PeopleError if there is no player called `was` or another one called `now`, and
    StoreError.
    """
    people = read(store)
    known = _map_known(people, _list_tables(store))
    person = _need(known, people, was)
    name = clean_text(now)
    if not name or len(name) > MAX_NAME_LENGTH or fold(name) in RESERVED_NAMES or name != now:
        raise PeopleError(
            Sentence(
                "“{name}” can't be a player's name: a name has 1 to {most} visible characters "
                "and is not a word of the notation.",
                name=clean_text(now),
                most=MAX_NAME_LENGTH,
            )
        )
    if fold(name) in known and fold(name) != fold(person):
        raise PeopleError(
            Sentence(
                "There is already a player called {name}; to make them one person: {command}",
                name=known[fold(name)],
                command=f"companion players merge {_quote(person)} {_quote(known[fold(name)])}",
            )
        )
    _write(store, people, person, name)
    return name


def merge(store: Store, one: str, other: str) -> str:
    """Merge two players: games of the first count for the second, whose name is returned. Raises as
    `rename`, and PeopleError if both played in one game."""
    people, tables = read(store), _list_tables(store)
    known = _map_known(people, tables)
    person, into = _need(known, people, one), _need(known, people, other)
    if fold(person) == fold(into):
        raise PeopleError(Sentence("Both names already mean {name}.", name=into))
    both = {fold(person), fold(into)}
    together = sum(both <= set(map(fold, people.resolve(players))) for players in tables)
    if together:
        raise PeopleError(
            Sentence(
                "{one} and {other} have played in the same game, so they are two people.",
                one=person,
                other=into,
            )
        )
    _write(store, people, person, into)
    return into


def _map_known(people: People, tables: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """The current names by their folded form."""
    return {fold(name): name for players in set(tables) for name in people.resolve(players)}


def _quote(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _need(known: Mapping[str, str], people: People, name: str) -> str:
    """The current name of the player who has, or once had, this name."""
    found = known.get(fold(name)) or known.get(fold(people.find(name)))
    if found is None:
        problem = Sentence("no player called “{name}” has played here", name=clean_text(name))
        raise PeopleError(suggest(problem, find_nearest(name, list(known.values()))))
    return found


def _write(store: Store, people: People, person: str, name: str) -> None:
    names = {was: name if fold(now) == fold(person) else now for was, now in people.names.items()}
    names[fold(person)] = name
    with (
        store.database.errors(Sentence("the players' names cannot be saved")),
        store.database.write() as rows,
    ):
        name_rows.write(rows, names)
