"""Who has played: a person is a row, each name played under an alias of it, each player of a game
an alias. Games keep the names that were typed.

A name belongs to whoever uses it now: a player who begins under a former name of somebody else is
another person. Names are compared case-insensitively. A change moves aliases or renames a person;
`former` is what it was before the last change, for `undo`, and NULL where it is newer.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from common.clean import draw, find_script
from companion.language import _
from companion.log import BadLog, game_rows
from engine.moves import GRAMMAR, Move, fold, kinds_of, make, split

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from companion.log.game_rows import GameLog

TABLES = (
    # `somebody`: the number of a forgotten person, who has no other name; `script`: that of a name
    # which looks like another person's
    """CREATE TABLE person (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, somebody INTEGER, former TEXT, script TEXT
    )""",
    """CREATE TABLE alias (
        id INTEGER PRIMARY KEY, person INTEGER NOT NULL, text TEXT NOT NULL, former INTEGER
    )""",
    """CREATE TABLE player (
        game INTEGER, seat INTEGER, alias INTEGER NOT NULL, PRIMARY KEY (game, seat)
    ) WITHOUT ROWID""",
    "CREATE INDEX player_of_alias ON player (alias, game)",
)

_PEOPLE = """
SELECT person.id, CAST(name AS TEXT), script FROM person JOIN alias ON person = person.id
WHERE somebody IS NULL GROUP BY person.id
"""


def read_players(text: str) -> tuple[str, ...]:
    """The players of a set-up; nobody if it is damaged."""
    with suppress(BadLog):
        names = game_rows.setup(text).get("players")
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return tuple(names)
    return ()


def list_people(connection: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """The id and shown name of each person who is not forgotten, by the folded name."""
    people = connection.execute(_PEOPLE)
    return {fold(name): (id_, tell_name(name, None, script)) for id_, name, script in people}


def sit(connection: sqlite3.Connection, game: int, players: Sequence[str]) -> list[int]:
    """Note who plays in a game that begins; returns the ids of their aliases."""
    people = list_people(connection)
    aliases = []
    for name in players:
        if fold(name) not in people:
            people[fold(name)] = _add_person(connection, people, name), name
        person, _shown = people[fold(name)]
        # the newest game says how it is written
        connection.execute(
            "UPDATE person SET name = ? WHERE id = ? AND name != ?", (name, person, name)
        )
        aliases.append(_find_alias(connection, person, name))
    connection.executemany(
        "INSERT OR REPLACE INTO player VALUES (?, ?, ?)",
        [(game, seat, alias) for seat, alias in enumerate(aliases)],
    )
    return aliases


def _add_person(connection: sqlite3.Connection, people: Iterable[str], name: str) -> int:
    """Add a person of that name beside those with these folded names."""
    insert = "INSERT INTO person (name, script) VALUES (?, ?)"
    return _insert(connection, insert, name, _find_script(name, people))


def _find_script(name: str, others: Iterable[str]) -> str | None:
    """The script of a name that looks like one of these folded names, but is another."""
    like = (one for one in others if draw(one) == draw(name) and one != fold(name))
    return next((find_script(fold(name), one) for one in like), None)


def _find_alias(connection: sqlite3.Connection, person: int, text: str) -> int:
    query = "SELECT id FROM alias WHERE person = ? AND text = ?"
    for (alias,) in connection.execute(query, (person, text)):
        return int(alias)
    return _insert(connection, "INSERT INTO alias (person, text) VALUES (?, ?)", person, text)


def _insert(connection: sqlite3.Connection, statement: str, *values: object) -> int:
    id_ = connection.execute(statement, values).lastrowid
    assert id_ is not None
    return id_


def find_players(connection: sqlite3.Connection, game: int) -> list[int]:
    """The ids of the aliases of that game's players, in seat order."""
    query = "SELECT alias FROM player WHERE game = ? ORDER BY seat"
    return [alias for (alias,) in connection.execute(query, (game,))]


def find_person(connection: sqlite3.Connection, name: str) -> tuple[int, str] | None:
    """The id and shown name of the person who has this name or, if nobody has, who last had it."""
    people = list_people(connection)
    shown = {fold(shown): (id_, shown) for id_, shown in people.values()}
    found = people.get(fold(name)) or shown.get(fold(name))
    if found is None:
        by_id = {person[0]: person for person in people.values()}
        for id_, _now, text in connection.execute(_FORMER):
            found = by_id[id_] if fold(text) == fold(name) else found
    return found


_FORMER = """
SELECT person.id, name, text FROM alias JOIN person ON person.id = person
JOIN player ON player.alias = alias.id WHERE somebody IS NULL GROUP BY alias.id ORDER BY max(game)
"""


def have_met(connection: sqlite3.Connection, one: int, other: int) -> bool:
    query = """
    SELECT game FROM player JOIN alias ON alias.id = alias WHERE person = ?
    INTERSECT SELECT game FROM player JOIN alias ON alias.id = alias WHERE person = ?
    """
    return connection.execute(query, (one, other)).fetchone() is not None


# -- changes, of which the last can be undone -----------------------------------------------------


def rename(connection: sqlite3.Connection, person: int, name: str) -> None:
    _begin(connection)
    others = [key for key, (id_, _name) in list_people(connection).items() if id_ != person]
    update = "UPDATE person SET name = ?, script = ? WHERE id = ?"
    connection.execute(update, (name, _find_script(name, others), person))


def merge(connection: sqlite3.Connection, person: int, into: int) -> None:
    _begin(connection)
    _move(connection, person, into)


def divide(connection: sqlite3.Connection, person: int, games: Iterable[int], name: str) -> None:
    """Make the person in these games another one, of that name."""
    _begin(connection)
    other = _add_person(connection, list_people(connection), name)
    for game in games:
        query = (
            "SELECT alias FROM player JOIN alias ON alias.id = alias WHERE game = ? AND person = ?"
        )
        for (alias,) in connection.execute(query, (game, person)).fetchall():
            _move_seat(connection, game, alias, other)
    _drop_unused(connection)


def forget(connection: sqlite3.Connection, person: int) -> None:
    """Make the person one of those called somebody: the first whom they never met."""
    _begin(connection)
    query = "SELECT somebody, id FROM person WHERE somebody NOT NULL ORDER BY somebody"
    people = list_people(connection)  # an imported game may have players of such names
    numbers = (number for number in count(1) if fold(tell_name("", number)) not in people)
    insert = "INSERT INTO person (name, somebody) VALUES ('', ?)"
    forgotten: dict[int, int] = dict(connection.execute(query).fetchall())
    for number in numbers:
        other = forgotten.get(number) or _insert(connection, insert, number)
        if not have_met(connection, person, other):
            _move(connection, person, other)
            return


def take_names(
    connection: sqlite3.Connection, names: Mapping[str, str], games: Iterable[int]
) -> dict[str, str]:
    """Call the players of these games, who came from another computer, what they have become there;
    returns what is new of it. Names that were changed here keep their meaning."""
    here = carry(connection)
    new = {
        was: here.get(fold(now), now)
        for was, now in names.items()
        if was == fold(was) and was not in here
    }
    people = list_people(connection)
    query = """
    SELECT alias.id, person.id, text, name FROM player JOIN alias ON alias.id = alias
    JOIN person ON person.id = person WHERE game = ? AND somebody IS NULL
    """
    moves: list[tuple[int, int, str]] = []
    spellings: dict[int, str] = {}
    for game in games:
        seats = connection.execute(query, (game,)).fetchall()
        keys = [fold(new.get(fold(text), name)) for _alias, _person, text, name in seats]
        for (alias, person, text, name), key in zip(seats, keys, strict=True):
            now = new.get(fold(text))
            if now is None or keys.count(key) > 1:  # two people of one game stay two
                continue
            if people.get(key, (None, ""))[0] != person:
                moves.append((game, alias, now))
            elif name != now:
                spellings[person] = now
    if not moves and not spellings:
        return {}
    _begin(connection)
    for person, now in spellings.items():
        connection.execute("UPDATE person SET name = ? WHERE id = ?", (now, person))
    for game, alias, now in moves:
        if fold(now) not in people:
            people[fold(now)] = _add_person(connection, people, now), now
        _move_seat(connection, game, alias, people[fold(now)][0])
    _drop_unused(connection)
    return new


def undo(connection: sqlite3.Connection) -> list[int] | None:
    """Take back the last change; the games begun since then, whose players were found again. None
    if there is no change to take back."""
    if not connection.execute("SELECT 1 FROM alias WHERE former NOT NULL LIMIT 1").fetchone():
        return None
    query = """
    SELECT DISTINCT game FROM player JOIN alias ON alias.id = alias WHERE former IS NULL ORDER BY 1
    """
    games = [game for (game,) in connection.execute(query)]
    typed = {game: list_typed(connection, game) for game in games}
    renamed = connection.execute("SELECT id, former FROM person WHERE former != name").fetchall()
    connection.execute("UPDATE person SET name = former WHERE former NOT NULL")
    connection.execute("UPDATE alias SET person = former WHERE former NOT NULL")
    for game in games:
        connection.execute("DELETE FROM player WHERE game = ?", (game,))
    _forget_change(connection)
    for id_, name in renamed:
        query = "SELECT name FROM person WHERE script IS NULL AND id != ?"
        others = [fold(other) for (other,) in connection.execute(query, (id_,))]
        update = "UPDATE person SET script = ? WHERE id = ?"
        connection.execute(update, (_find_script(name, others), id_))
    for game, players in typed.items():
        sit(connection, game, players)
    return games


def find_typed(connection: sqlite3.Connection, game: int, person: int) -> str | None:
    """The name under which the person played in that game; None for a game without them."""
    query = "SELECT text FROM player JOIN alias ON alias.id = alias WHERE game = ? AND person = ?"
    row = connection.execute(query, (game, person)).fetchone()
    return str(row[0]) if row else None


def list_typed(connection: sqlite3.Connection, game: int) -> list[str]:
    """The names that were typed for that game, in seat order."""
    query = "SELECT text FROM player JOIN alias ON alias.id = alias WHERE game = ? ORDER BY seat"
    return [text for (text,) in connection.execute(query, (game,))]


def _begin(connection: sqlite3.Connection) -> None:
    """Begin a change: until now is what it can be taken back to."""
    _forget_change(connection)
    connection.execute("UPDATE person SET former = name WHERE somebody IS NULL")
    connection.execute("UPDATE alias SET former = person")


def _forget_change(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE person SET former = NULL")
    connection.execute("UPDATE alias SET former = NULL")
    _drop_unused(connection)


def _move(connection: sqlite3.Connection, person: int, into: int) -> None:
    connection.execute("UPDATE alias SET person = ? WHERE person = ?", (into, person))


def _move_seat(connection: sqlite3.Connection, game: int, alias: int, into: int) -> None:
    """Make the player with that alias in that game another person: by a new alias, of which `undo`
    knows whose it was."""
    query = "SELECT text, former FROM alias WHERE id = ?"
    text, former = connection.execute(query, (alias,)).fetchone()
    known = "SELECT id FROM alias WHERE person = ? AND text = ? AND former = ?"
    row = connection.execute(known, (into, text, former)).fetchone()
    insert = "INSERT INTO alias (person, text, former) VALUES (?, ?, ?)"
    new = row[0] if row else _insert(connection, insert, into, text, former)
    connection.execute(
        "UPDATE player SET alias = ? WHERE game = ? AND alias = ?", (new, game, alias)
    )


def _drop_unused(connection: sqlite3.Connection) -> None:
    """Delete the aliases of no game and the people of no alias, now or before the last change."""
    connection.execute("DELETE FROM alias WHERE id NOT IN (SELECT alias FROM player)")
    connection.execute(
        "DELETE FROM person WHERE id NOT IN (SELECT person FROM alias) AND id NOT IN"
        " (SELECT former FROM alias WHERE former NOT NULL)"
    )


def forget_game(connection: sqlite3.Connection, game: int) -> None:
    """Delete the players of a game that is removed for good."""
    connection.execute("DELETE FROM player WHERE game = ?", (game,))
    _drop_unused(connection)


def carry(connection: sqlite3.Connection) -> dict[str, str]:
    """What each name played with has become, for another computer; without names that are several
    people by now, and without forgotten people."""
    people: dict[str, set[str]] = {}
    changes: set[str] = set()
    query = "SELECT text, name, somebody FROM alias JOIN person ON person.id = person"
    for text, name, somebody in connection.execute(query):
        people.setdefault(fold(text), set()).add("" if somebody else name)
        if name != text:
            changes.add(fold(text))
    one = ((was, *people[was]) for was in sorted(changes) if len(people[was]) == 1)
    return {was: now for was, now in one if now}


# -- forgotten people -----------------------------------------------------------------------------


def tell_name(name: str, somebody: int | None, script: str | None = None) -> str:
    """A person's current name, from the columns `name`, `somebody` and `script`."""
    if somebody is not None:
        word = _("Somebody")
        return word if somebody == 1 else f"{word} {somebody}"
    scripts = {
        "CYRILLIC": _("Cyrillic"),
        "FULLWIDTH": _("full width"),
        "GREEK": _("Greek"),
        "LATIN": _("Latin"),
    }
    return f"{name} ({scripts.get(script, script.capitalize())})" if script else name


def means_forgotten(name: str) -> bool:
    """Whether forgotten people may be called that, in the current language."""
    word, _space, number = fold(name).partition(" ")
    return word == fold(_("Somebody")) and (not number or number.isdecimal())


_FORGOTTEN = """
SELECT game, text, somebody FROM player JOIN alias ON alias.id = alias
JOIN person ON person.id = person WHERE somebody NOT NULL
"""


def find_forgotten(
    connection: sqlite3.Connection, game: int | None = None
) -> dict[int, dict[str, str]]:
    """What the forgotten players of that game, or of all games, are called instead, by their folded
    names."""
    forgotten: dict[int, dict[str, str]] = {}
    # a condition that also lets all games through would look at every player
    one = "" if game is None else "AND game = ?"
    found = connection.execute(f"{_FORGOTTEN} {one}", () if game is None else (game,))
    for id_, text, somebody in found:
        forgotten.setdefault(id_, {})[fold(text)] = tell_name("", somebody)
    return forgotten


def hide_in_setup(setup: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The set-up with these players called otherwise."""
    hidden: dict[str, Any] = {"players": [names.get(fold(name), name) for name in setup["players"]]}
    if isinstance(setup.get("crown"), str):
        hidden["crown"] = names.get(fold(setup["crown"]), setup["crown"])
    if "position" in setup:
        hidden["position"] = _hide_in_data(setup["position"], names)
    return setup | hidden


def _hide_in_data(data: Any, names: Mapping[str, str]) -> Any:
    if isinstance(data, dict):
        return {_hide_in_data(k, names): _hide_in_data(v, names) for k, v in data.items()}
    if isinstance(data, list):
        return [_hide_in_data(item, names) for item in data]
    return names.get(fold(data), data) if isinstance(data, str) else data


def hide_in_move(text: str, names: Mapping[str, str]) -> str:
    """The move with these players called otherwise."""
    verb, *words = split(text) or [""]
    if verb not in GRAMMAR:
        return text
    kinds = kinds_of(Move(verb, tuple(words), text))
    places = tuple(at for at, kind in enumerate(kinds) if kind == "P")
    if not any(fold(words[at]) in names for at in places):
        return text
    for at in places:
        words[at] = names.get(fold(words[at]), words[at])
    return make(verb, *words, player_places=places).text


def hide_forgotten(connection: sqlite3.Connection, log: GameLog) -> None:
    """Call the forgotten players of the game somebody, everywhere in it."""
    names = find_forgotten(connection, log.id).get(log.id)
    if names:
        log.setup = hide_in_setup(log.setup, names)
        log.moves = [hide_in_move(text, names) for text in log.moves]
        log.redo = [hide_in_move(text, names) for text in log.redo]
        log.events = [(kind, hide_in_move(text, names)) for kind, text in log.events]
