"""Who is who: one person may have played under several names, or been renamed.

Records keep the names they were played with. Stored beside them are only the steps in which names
have changed; all of `history` asks here. A name belongs to whoever uses it now: a player who begins
under a former name of somebody else is another person. Names are compared case-insensitively.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.errors import Told
from companion.files.clean import clean_text
from companion.log import name_rows
from companion.log.name_rows import FORGOTTEN, name_somebody
from companion.log.store import StoreError
from engine.moves import fold
from engine.record import MAX_NAME_LENGTH, RESERVED_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.log.name_rows import Step
    from companion.log.store import Store

    Table = tuple[int, tuple[str, ...]]

_WHAT = Sentence("the players' names cannot be read")
_NOT_SAVED = Sentence("the players' names cannot be saved")


class PeopleError(Told):
    """Names that cannot be changed like this; the message says why."""


class People:
    """Which person each name means, and which games count."""

    def __init__(
        self,
        steps: Sequence[Step] = (),
        left_out: frozenset[int] = frozenset(),
        tables: Callable[[], Iterable[Table]] = tuple,
    ) -> None:
        """`tables` reads all games and their players: only with steps, and only for `find`."""
        self.steps = list(steps)
        self.left_out = left_out
        self._tables = tables
        self._in_use: frozenset[str] | None = None

    def resolve(self, game: int, players: tuple[str, ...]) -> tuple[str, ...]:
        """The current names of one game's players.

        Players of one game stay distinct: if two would get the same name, those who were renamed
        keep the one they played with. Forgotten ones are called somebody.
        """
        if not self.steps:
            return players
        now = [name_rows.follow(self.steps, name, game) for name in players]
        names = [fold(name) for name in now]
        distinct: list[str] = []
        hidden = 0
        for old, new in zip(players, now, strict=True):
            if new == FORGOTTEN:
                hidden += 1
                distinct.append(name_somebody(hidden))
            else:
                distinct.append(new if names.count(fold(new)) == 1 else old)
        return tuple(distinct)

    def find(self, name: str) -> str:
        """The current name of the person who has, or once had, this name."""
        if not self.steps:
            return name
        if self._in_use is None:
            self._in_use = frozenset(_map_known(self, self._tables()))
        if fold(name) in self._in_use:
            return name
        return name_rows.follow(self.steps, name, None) or name


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
        if rows is None:
            return People()
        steps = name_rows.read(rows)
        left_out = name_rows.read_left_out(rows)
        return People(steps, left_out, lambda: _list_tables(store))


def list_all(store: Store, most: int = -1) -> list[Person]:
    """All players of this table, the most recent first; `most` limits the number of games read.

    Raises StoreError.
    """
    people, tables = read(store), _list_tables(store, most)
    games: dict[str, int] = {}
    names: dict[str, set[str]] = {}
    shown: dict[str, str] = {}
    for game, players in tables:
        for played, now in zip(players, people.resolve(game, players), strict=True):
            person = fold(now)
            games[person] = games.get(person, 0) + 1
            shown.setdefault(person, clean_text(now))
            also = names.setdefault(person, set())
            if name_rows.follow(people.steps, played, game) != FORGOTTEN:
                also.add(played)
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


def _list_tables(store: Store, most: int = -1) -> list[Table]:
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
    _write(store, {fold(person): name})
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
    together = sum(both <= set(map(fold, people.resolve(*table))) for table in tables)
    if together:
        raise PeopleError(
            Sentence(
                "{one} and {other} have played in the same game, so they are two people.",
                one=person,
                other=into,
            )
        )
    _write(store, {fold(person): into})
    return into


def split(store: Store, name: str, games: Iterable[str]) -> str:
    """Make the player of these games another person, whose name is returned: the one played with,
    or the same with a number. Raises as `rename`, and PeopleError for a game without the player."""
    people, tables = read(store), _list_tables(store)
    known = _map_known(people, tables)
    person = _need(known, people, name)
    seats = dict(tables)
    ids: list[int] = []
    played: set[str] = set()
    for game in games:
        id_ = store.find(game)
        players = seats.get(id_, ()) if id_ is not None else ()
        names = people.resolve(id_, players) if id_ is not None else ()
        seat = next((at for at, now in enumerate(names) if fold(now) == fold(person)), None)
        if id_ is None or seat is None:
            raise PeopleError(
                Sentence(
                    "{name} has not played in a game called “{game}”",
                    name=person,
                    game=clean_text(game),
                )
            )
        ids.append(id_)
        played.add(players[seat])
    new = clean_text(played.pop()) if len(played) == 1 else person
    number = 2
    while fold(new) in known:
        new, number = f"{person[: MAX_NAME_LENGTH - 6]} ({number})", number + 1
    _write(store, {fold(person): new}, ids)
    return new


def forget(store: Store, name: str) -> None:
    """Call a player somebody wherever games and statistics are shown. Raises as `rename`."""
    people = read(store)
    person = _need(_map_known(people, _list_tables(store)), people, name)
    _write(store, {fold(person): FORGOTTEN})


def undo(store: Store) -> bool:
    """Take back the last change of names; whether there was one. Raises StoreError."""
    with store.database.errors(_NOT_SAVED), store.database.write() as rows:
        return name_rows.undo(rows) is not None


def count_game(store: Store, game: int, *, counts: bool) -> None:
    """Leave a game out of the statistics, or take it in again. Raises StoreError."""
    with store.database.errors(_NOT_SAVED), store.database.write() as rows:
        (name_rows.take_in if counts else name_rows.leave_out)(rows, game)


def _map_known(people: People, tables: Iterable[Table]) -> dict[str, str]:
    """The current names by their folded form."""
    return {fold(name): name for table in tables for name in people.resolve(*table)}


def _quote(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _need(known: Mapping[str, str], people: People, name: str) -> str:
    """The current name of the player who has, or once had, this name."""
    found = known.get(fold(name)) or known.get(fold(people.find(name)))
    if found is None:
        problem = Sentence("no player called “{name}” has played here", name=clean_text(name))
        raise PeopleError(suggest(problem, find_nearest(name, list(known.values()))))
    return found


def _write(store: Store, names: Mapping[str, str], games: Iterable[int] = ()) -> None:
    with store.database.errors(_NOT_SAVED), store.database.write() as rows:
        name_rows.add(rows, names, games)
