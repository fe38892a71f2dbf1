"""Who is who: one person may have played under several names, and be renamed afterwards.

Records keep the names they were played with. What is kept beside them is only which name means
whom; everything that looks back asks here. Names are compared without regard to case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from common.nearest import find_nearest
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
    """Names that cannot be changed so; the message says why."""


class People:
    """Which person each name means."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """Take the names in force by the former ones, as `name_rows` keeps them."""
        self.names = dict(names)
        self._resolved: dict[tuple[str, ...], tuple[str, ...]] = {}

    def resolve(self, players: tuple[str, ...]) -> tuple[str, ...]:
        """What the players of one game are called now.

        Two people of one game stay two: where both would get the same name, those who have been
        renamed keep the one they played with.
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
        """What the person of that name is called now."""
        return self.names.get(fold(name), name)


class Person(NamedTuple):
    """Somebody who has played here."""

    name: str
    games: int
    """Begun, whether they were finished or not."""

    also: tuple[str, ...]
    """Other names in the records."""


def read(store: Store) -> People:
    """Who is who in that log. Raises StoreError."""
    with store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        return People(name_rows.read(rows) if rows else {})


def list_all(store: Store, most: int = -1) -> list[Person]:
    """Everybody who has played here, who played last first; `most` looks only at that many games.

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
    """Raises PeopleError for the first of these names that nobody has ever had here, with the
    nearest one, and StoreError."""
    people = read(store)
    known = _known(people, _list_tables(store))
    for name in names:
        _need(known, people, name)


RECENT, OFFERED = 40, 9  # games that are looked at, and names that are offered


def list_offered(store: Store) -> list[str]:
    """Who may want to play again, who played last first; nobody where the log cannot be read."""
    try:
        return [person.name for person in list_all(store, RECENT)][:OFFERED]
    except StoreError:
        return []


def _list_tables(store: Store, most: int = -1) -> list[tuple[str, ...]]:
    with store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        return list(name_rows.list_tables(rows, most)) if rows else []


def rename(store: Store, was: str, now: str) -> str:
    """Call a person otherwise from now on; the name as it is kept.

    Raises PeopleError where there is nobody of that name, or somebody else of the new one, and
    StoreError.
    """
    people = read(store)
    known = _known(people, _list_tables(store))
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
    """From now on the games of the first count as games of the second, whose name it gives. As
    `rename`; raises PeopleError also where both have played in one game."""
    people, tables = read(store), _list_tables(store)
    known = _known(people, tables)
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


def _known(people: People, tables: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """The names in force, by how they are compared."""
    return {fold(name): name for players in set(tables) for name in people.resolve(players)}


def _quote(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _need(known: Mapping[str, str], people: People, name: str) -> str:
    """What somebody is called now who is named by any name that was ever theirs."""
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
