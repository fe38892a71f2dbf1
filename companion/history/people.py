"""Who is who: one person may have played under several names, or been renamed.

The rows, and what a change does to them, are in `companion.log.names`; here is what people may ask
for.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from common.clean import clean_text
from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.errors import UserError
from companion.log import ledger, names
from companion.log.names import tell_name
from companion.log.store import Store, StoreError
from engine.moves import fold, quote
from engine.record import MAX_NAME_LENGTH, RESERVED_NAMES

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator


class PeopleError(UserError):
    """Names that cannot be changed like this; the message says why."""


class Person(NamedTuple):
    name: str
    games: int
    """Games begun, finished or not."""

    also: tuple[str, ...]
    """Other names in the records."""


_LIST = """
SELECT name, somebody, script, text, count(*), max(game), seat
FROM player JOIN alias ON alias.id = alias JOIN person ON person.id = person
GROUP BY alias.id ORDER BY max(game) DESC, seat
"""


def list_all(store: Store) -> list[Person]:
    """All players of this table, the most recent first. Raises StoreError."""
    people: dict[str, Person] = {}
    with store.database.look() as connection:
        for person, somebody, script, text, games, *_latest in connection.execute(_LIST):
            name = clean_text(tell_name(person, somebody, script))
            _name, before, also = people.get(name, Person(name, 0, ()))
            other = () if somebody is not None or text == person else (clean_text(text),)
            people[name] = Person(name, before + games, tuple(sorted({*also, *other})))
    return list(people.values())


OFFERED = 9  # names

_RECENT = """
SELECT name, max(game), seat
FROM player JOIN alias ON alias.id = alias JOIN person ON person.id = person
WHERE somebody IS NULL GROUP BY person.id ORDER BY max(game) DESC, seat LIMIT ?
"""

_OF_GAME = """
SELECT name FROM player JOIN alias ON alias.id = alias JOIN person ON person.id = person
WHERE game = ? AND somebody IS NULL ORDER BY seat
"""


def list_offered(store: Store) -> list[str]:
    """Likely players of the next game, the most recent first, by the names that they would type;
    empty if the log cannot be read."""
    return _list_names(store, _RECENT, OFFERED)


def list_players(store: Store, game: int) -> list[str]:
    """The players of that game by seat, by the names that they would type now, without those who
    are forgotten; empty if the log cannot be read."""
    return _list_names(store, _OF_GAME, game)


def _list_names(store: Store, query: str, value: int) -> list[str]:
    with suppress(StoreError), store.database.look() as connection:
        return [clean_text(row[0]) for row in connection.execute(query, (value,))]
    return []


def find_all(store: Store, words: Iterable[str]) -> list[str]:
    """The current names of the people who have, or once had, these names. Raises StoreError, and
    PeopleError for the first name that no player here has ever had, with the nearest one."""
    with store.database.look() as connection:
        return [_look_up(connection, name)[1] for name in words]


def _look_up(connection: sqlite3.Connection, name: str) -> tuple[int, str]:
    """The id and name of the player who has, or once had, this name. Raises PeopleError."""
    person = names.find_person(connection, name)
    if person is None:
        problem = Sentence("no player called “{name}” has played here", name=clean_text(name))
        known = [known for _id, known in names.list_people(connection).values()]
        raise PeopleError(suggest(problem, find_nearest(name, known)))
    return person


@contextmanager
def _change(store: Store) -> Iterator[sqlite3.Connection]:
    """A transaction for a change of names, which the log's copy gets too; where nobody has played,
    nothing to change."""
    if not store.count():
        with store.database.look() as connection:
            yield connection
        return
    with store.database.look(), store.database.save() as connection:
        yield connection
    store.copy()


def rename(store: Store, was: str, now: str) -> str:
    """Rename a player; returns the name as it is shown. Raises PeopleError if there is no player
    called `was` or another one called `now`, and StoreError."""
    with _change(store) as connection:
        person, before = _look_up(connection, was)
        name = clean_text(now)
        is_word = fold(name) in RESERVED_NAMES or names.means_forgotten(name)
        if not name or len(name) > MAX_NAME_LENGTH or is_word:
            raise PeopleError(
                Sentence(
                    "“{name}” can't be a player's name: a name has 1 to {most} visible characters "
                    "and is not a word of the notation.",
                    name=clean_text(now),
                    most=MAX_NAME_LENGTH,
                )
            )
        other, shown_name = names.list_people(connection).get(fold(name), (person, ""))
        if other != person:
            raise PeopleError(
                Sentence(
                    "There is already a player called {name}; to make them one person: {command}",
                    name=shown_name,
                    command=f"companion players merge {quote(before)} {quote(shown_name)}",
                )
            )
        names.rename(connection, person, name)
        return _look_up(connection, name)[1]


def merge(store: Store, one: str, other: str) -> str:
    """Merge two players: games of the first count for the second, whose name is returned. Raises as
    `rename`, and PeopleError if both played in one game."""
    with _change(store) as connection:
        (person, name), (into, kept_name) = _look_up(connection, one), _look_up(connection, other)
        if person == into:
            raise PeopleError(Sentence("Both names already mean {name}.", name=kept_name))
        if names.have_met(connection, person, into):
            raise PeopleError(
                Sentence(
                    "{one} and {other} have played in the same game, so they are two people.",
                    one=name,
                    other=kept_name,
                )
            )
        names.merge(connection, person, into)
        return kept_name


def split(store: Store, name: str, games: Iterable[str]) -> str:
    """Make the player of these games another person, whose name is returned: the one played with,
    or the same with a number. Raises as `rename`, and PeopleError for a game without the player."""
    with _change(store) as connection:
        person, shown_name = _look_up(connection, name)
        names_by_id = {store.find(game): game for game in games}
        typed = {}
        for id_, game in names_by_id.items():
            typed[id_] = names.find_typed(connection, id_, person) if id_ is not None else None
            if typed[id_] is None:
                raise PeopleError(
                    Sentence(
                        "{name} has not played in a game called “{game}”",
                        name=shown_name,
                        game=clean_text(game),
                    )
                )
        typed_names = {*typed.values()}
        new, number = clean_text(str(typed_names.pop())) if len(typed_names) == 1 else shown_name, 2
        while fold(new) in names.list_people(connection):
            new, number = f"{shown_name[: MAX_NAME_LENGTH - 6]} ({number})", number + 1
        ids = [id_ for id_ in typed if id_ is not None]
        names.divide(connection, person, ids, new)
        ledger.move_players(connection, ids)
        return _look_up(connection, new)[1]


def forget(store: Store, name: str) -> None:
    """Call a player somebody wherever games and statistics are shown. Raises as `rename`."""
    with _change(store) as connection:
        person, _name = _look_up(connection, name)
        names.forget(connection, person)


def undo(store: Store) -> bool:
    """Take back the last change of names; whether there was one. Raises StoreError."""
    with _change(store) as connection:
        games = names.undo(connection)
        if games:
            ledger.move_players(connection, games)
        return games is not None
