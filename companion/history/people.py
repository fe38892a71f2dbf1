"""Who is who: one person may have played under several names, or been renamed.

Records keep the names they were played with. Stored beside them are only the steps in which names
have changed; the rows of people in the ledger follow from both. A name belongs to whoever uses it
now: a player who begins under a former name of somebody else is another person. Names are compared
case-insensitively.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from common import NamedTuple
from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.errors import UserError
from companion.files.clean import clean_text
from companion.history.counting import complete
from companion.log import ledger, name_rows
from companion.log.ledger import tell_name
from companion.log.name_rows import FORGOTTEN
from companion.log.store import Store, StoreError
from engine.moves import fold
from engine.record import MAX_NAME_LENGTH, RESERVED_NAMES

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping


_WHAT = Sentence("the players' names cannot be read")
_NOT_SAVED = Sentence("the players' names cannot be saved")


class PeopleError(UserError):
    """Names that cannot be changed like this; the message says why."""


class Person(NamedTuple):
    """A player of this table."""

    name: str
    games: int
    """Games begun, finished or not."""

    also: tuple[str, ...]
    """Other names in the records."""


_LIST = """
SELECT person.name, somebody, text, count(*), max(game), seat
FROM seat JOIN name ON name.id = seat.name JOIN person ON person.id = name.person
GROUP BY name.id ORDER BY max(game) DESC, seat
"""


def list_all(store: Store) -> list[Person]:
    """All players of this table, the most recent first. Raises StoreError."""
    return _list(store, complete(store))


def _list(store: Store, rows: sqlite3.Connection | None) -> list[Person]:
    people: dict[str, Person] = {}
    with store.database.errors_in_rows(_WHAT):
        for person, somebody, text, games, *_latest in rows.execute(_LIST) if rows else ():
            name = clean_text(tell_name(person, somebody))
            _name, before, also = people.get(name, Person(name, 0, ()))
            other = () if somebody is not None or text == person else (clean_text(text),)
            people[name] = Person(name, before + games, tuple(sorted({*also, *other})))
    return list(people.values())


RECENT, OFFERED = 40, 9  # games looked at, names offered


def list_offered(store: Store) -> list[str]:
    """Likely players of the next game, the most recent first; empty if the log cannot be read."""
    try:
        people = _list(store, complete(store, most=RECENT))
        return [person.name for person in people][:OFFERED]
    except StoreError:
        return []


def list_former(store: Store) -> dict[str, str]:
    """The folded names that nobody has now, each with the player who once had it; empty if the log
    cannot be read."""
    with suppress(StoreError), store.database.errors_in_rows(_WHAT):
        rows = store.database.read()
        if rows is not None and ledger.has_tables(rows):
            now = {key for (key,) in rows.execute("SELECT key FROM person")}
            former = rows.execute(_FORMER)
            return {fold(text): name for text, name in former if fold(text) not in now}
    return {}


_FORMER = """
SELECT text, person.name FROM name JOIN person ON person.id = name.person
WHERE somebody IS NULL AND text != person.name ORDER BY latest
"""


def find(rows: sqlite3.Connection, name: str) -> str:
    """The current name of the person who has, or once had, this name; the name itself if there is
    none. The ledger must be complete."""
    if rows.execute("SELECT 1 FROM person WHERE key = ?", (fold(name),)).fetchone():
        return name
    return name_rows.follow(name_rows.read(rows), name, None) or name


def find_all(store: Store, names: Iterable[str]) -> list[str]:
    """The current names of the people who have, or once had, these names. Raises StoreError."""
    rows = complete(store)
    with store.database.errors_in_rows(_WHAT):
        return [find(rows, name) if rows else name for name in names]


def need_all(store: Store, names: Iterable[str]) -> None:
    """Raise PeopleError for the first of these names that no player here has ever had, with the
    nearest one; raises StoreError too."""
    entries = _Known(store)
    for name in names:
        entries.look_up(name)


class _Known:
    """The players of this table by their folded names, also those of games not counted yet: what is
    refused writes nothing."""

    def __init__(self, store: Store) -> None:
        self.names: dict[str, str] = {}
        self._steps: list[name_rows.NameChange] = []
        self._other_games: dict[int, tuple[str, ...]] = {}
        self._rows: sqlite3.Connection | None = None
        with store.database.errors_in_rows(_WHAT):
            rows = store.database.read()
            if rows is None:
                return
            self._rows = rows if ledger.has_tables(rows) else None
            self._steps = name_rows.read(rows)
            self._other_games = dict(name_rows.list_tables(rows, ledger.find_missing(rows)))
            if self._rows:
                self.names.update(rows.execute("SELECT key, name FROM person"))
            for game, players in self._other_games.items():
                self.names.update(name_rows.resolve(self._steps, game, players))
            self.names = {key: name for key, name in self.names.items() if name != FORGOTTEN}

    def look_up(self, name: str) -> str:
        """The current name of the player who has, or once had, this name. Raises PeopleError."""
        former = name_rows.follow(self._steps, name, None)
        person = self.names.get(fold(name)) or self.names.get(fold(former))
        if person is None:
            problem = Sentence("no player called “{name}” has played here", name=clean_text(name))
            raise PeopleError(suggest(problem, find_nearest(name, list(self.names.values()))))
        return person

    def have_met(self, one: str, other: str) -> bool:
        """Whether both have played in one game."""
        keys = {fold(one), fold(other)}
        query = """
            SELECT 1 FROM seat JOIN name ON name.id = seat.name
            JOIN person ON person.id = name.person WHERE key IN (?, ?)
            GROUP BY game HAVING count(DISTINCT key) = 2 LIMIT 1
        """
        if self._rows and self._rows.execute(query, [*keys]).fetchone():
            return True
        tables = self._other_games.items()
        return any(
            keys <= {key for key, _name in name_rows.resolve(self._steps, game, players)}
            for game, players in tables
        )

    def find_played(self, store: Store, person: str, game: str) -> tuple[int, str]:
        """The id of that game, and the name that the player had in it. Raises PeopleError for a
        game without the player."""
        id_ = store.find(game)
        players = store.load(id_, as_written=True).setup["players"] if id_ is not None else ()
        people = name_rows.resolve(self._steps, id_ or 0, players)
        for name, (key, _now) in zip(players, people, strict=True):
            if id_ is not None and key == fold(person):
                return id_, name
        problem = Sentence(
            "{name} has not played in a game called “{game}”", name=person, game=clean_text(game)
        )
        raise PeopleError(problem)


def rename(store: Store, was: str, now: str) -> str:
    """Rename a player; returns the name as stored.

    Raises PeopleError if there is no player called `was` or another one called `now`, and
    StoreError.
    """
    entries = _Known(store)
    person = entries.look_up(was)
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
    if fold(name) in entries.names and fold(name) != fold(person):
        other = entries.names[fold(name)]
        raise PeopleError(
            Sentence(
                "There is already a player called {name}; to make them one person: {command}",
                name=other,
                command=f"companion players merge {_quote(person)} {_quote(other)}",
            )
        )
    _write(store, {fold(person): name})
    return name


def merge(store: Store, one: str, other: str) -> str:
    """Merge two players: games of the first count for the second, whose name is returned. Raises as
    `rename`, and PeopleError if both played in one game."""
    entries = _Known(store)
    person, into = entries.look_up(one), entries.look_up(other)
    if fold(person) == fold(into):
        raise PeopleError(Sentence("Both names already mean {name}.", name=into))
    if entries.have_met(person, into):
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
    entries = _Known(store)
    person = entries.look_up(name)
    names = dict(entries.find_played(store, person, game) for game in games)
    words = set(names.values())
    new = clean_text(words.pop()) if len(words) == 1 else person
    number = 2
    while fold(new) in entries.names:
        new, number = f"{person[: MAX_NAME_LENGTH - 6]} ({number})", number + 1
    _write(store, {fold(person): new}, names)
    return new


def forget(store: Store, name: str) -> None:
    """Call a player somebody wherever games and statistics are shown. Raises as `rename`."""
    _write(store, {fold(_Known(store).look_up(name)): FORGOTTEN})


def undo(store: Store) -> bool:
    """Take back the last change of names; whether there was one. Raises StoreError."""
    with store.database.errors(_NOT_SAVED), store.database.write() as rows:
        step = name_rows.undo(rows)
        if step is not None:
            ledger.name_again(rows)
        return step is not None


def count_game(store: Store, game: int, *, counts: bool) -> None:
    """Leave a game out of the statistics, or take it in again. Raises StoreError."""
    with store.database.errors(_NOT_SAVED), store.database.write() as rows:
        (name_rows.take_in if counts else name_rows.leave_out)(rows, game)


def _quote(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _write(store: Store, names: Mapping[str, str], games: Iterable[int] = ()) -> None:
    with store.database.errors(_NOT_SAVED), store.database.write() as rows:
        name_rows.add(rows, names, games)
        ledger.name_again(rows)
