"""Logs of format 1, whose names were steps: each gave names another meaning in the games that
existed then, or only in some of them, and what the log had besides games came and went."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from companion.log import game_rows, names
from engine.moves import fold

FORGOTTEN = ""
"""The name of a forgotten person in a step."""


class _Step(NamedTuple):
    number: int
    names: dict[str, str]
    """New names by old ones, which are folded."""

    last: int
    """The last game of the log then; later ones are not affected."""

    games: set[int]
    """Only these games; empty for all up to `last`."""


def find_old(path: str) -> str:
    """The path of the copy of a log in format 1."""
    return f"{path}.format1"


def upgrade(connection: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Give a log of format 1 the `tables` of today. Use inside a transaction."""
    _fill_uuids(connection)
    steps = _read_steps(connection)
    for table in ("name_steps", "names", "name", "person", "digests"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for table in tables:
        connection.execute(table.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"))
    _sit(connection, steps)


def _fill_uuids(connection: sqlite3.Connection) -> None:
    if not any(name == "uuid" for _at, name, *_ in connection.execute("PRAGMA table_info(games)")):
        connection.execute("ALTER TABLE games ADD COLUMN uuid TEXT")
    (trigger,) = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE name = 'games_stay'"
    ).fetchone()
    connection.execute("DROP TRIGGER games_stay")
    query = """
    SELECT id, name, at, text FROM games JOIN events ON seq =
        (SELECT min(seq) FROM events WHERE game = id) WHERE uuid IS NULL
    """
    for id_, *first in connection.execute(query).fetchall():
        uuid = game_rows.make_uuid(*first)
        connection.execute("UPDATE games SET uuid = ? WHERE id = ?", (uuid, id_))
    connection.execute(trigger)


def _read_steps(connection: sqlite3.Connection) -> list[_Step]:
    """All changes of names, the oldest first."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    steps: list[_Step] = []
    if "name_steps" in tables:
        query = "SELECT step, was, now, last, game FROM name_steps ORDER BY step"
        for number, was, now, last, game in connection.execute(query):
            if not steps or steps[-1].number != number:
                steps.append(_Step(number, {}, last, set()))
            steps[-1].names[str(was)] = str(now)
            if game is not None:
                steps[-1].games.add(game)
    elif "names" in tables:  # of versions before steps
        (last,) = connection.execute("SELECT ifnull(max(id), 0) FROM games").fetchone()
        pairs = connection.execute("SELECT was, now FROM names")
        steps.append(_Step(0, {str(was): str(now) for was, now in pairs}, last, set()))
    return steps


def _resolve(steps: Sequence[_Step], game: int, players: Sequence[str]) -> list[tuple[str, str]]:
    """Who the players of a game are: a key, equal for one person, and the name. Those whom a step
    gives one name keep their own; a forgotten one has the number in the game as key."""
    now = []
    for name in players:
        for step in steps:
            if game <= step.last and (not step.games or game in step.games):
                name = step.names.get(fold(name), name)
        now.append(name)
    keys = [fold(name) for name in now]
    people = []
    forgotten = 0
    for typed, name, key in zip(players, now, keys, strict=True):
        if name == FORGOTTEN:
            forgotten += 1
            people.append((f"\x01{forgotten}", FORGOTTEN))
        else:
            people.append((key, name) if keys.count(key) == 1 else (fold(typed), typed))
    return people


def _sit(connection: sqlite3.Connection, steps: Sequence[_Step]) -> None:
    """Write people, their aliases and the players of each game; the last step can be undone."""
    people: dict[str, tuple[int, str]] = {}  # id and name, by key
    former: dict[str, tuple[int, str]] = {}  # the same before the last step
    aliases: dict[tuple[int, str, int | None], int] = {}
    starts = sorted(game_rows.list_starts(connection))
    tables = [(game, names.read_players(text)) for game, _at, text in starts]
    seats = [
        (game, seat, name, now, before)
        for game, players in tables
        for seat, (name, now, before) in enumerate(
            zip(players, _resolve(steps, game, players), _resolve(steps[:-1], game, players),
                strict=True)
        )
    ]  # fmt: skip
    for *_seat, (key, name), _before in seats:
        people[key] = people[key][0] if key in people else len(people) + 1, name
    became: dict[str, set[str]] = {}
    for *_seat, (key, _name), (before, _former) in seats:
        became.setdefault(before, set()).add(key)
    taken: set[int] = {people[key][0] for key in became if key in people}
    number = len(people)
    for *_seat, (key, _name), (before, name) in seats:
        if before in former:
            id_ = former[before][0]
        elif before in people:
            id_ = people[before][0]
        elif len(became[before]) == 1 and key[0] != "\x01" and people[key][0] not in taken:
            id_ = people[key][0]
        else:
            id_ = number = number + 1
        taken.add(id_)
        former[before] = id_, name
    names_before = {id_: name for id_, name in former.values() if steps}
    connection.executemany(
        "INSERT INTO person VALUES (?, ?, ?, ?, NULL)",
        [
            (id_, name, int(key[1:]) if name == FORGOTTEN else None, names_before.pop(id_, None))
            for key, (id_, name) in people.items()
        ],
    )
    connection.executemany(
        "INSERT INTO person VALUES (?, ?, NULL, ?, NULL)",
        [(id_, name, name) for id_, name in names_before.items()],
    )
    for game, seat, typed, (key, _name), (before, _former) in seats:
        alias = people[key][0], typed, former[before][0] if steps else None
        if alias not in aliases:
            aliases[alias] = len(aliases) + 1
            connection.execute("INSERT INTO alias VALUES (?, ?, ?, ?)", (aliases[alias], *alias))
        connection.execute("INSERT INTO player VALUES (?, ?, ?)", (game, seat, aliases[alias]))
