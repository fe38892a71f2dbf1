"""Who has played, which names mean the same person, and which games do not count: stored beside the
games, whose records keep the names they were played with.

Names change in steps. A step gives names another meaning in the games that existed then, or only
in some of them, so that a later player with a former name is somebody else. The last step can be
undone.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from companion.language import _
from companion.log import BadLog, game_rows
from engine.moves import GRAMMAR, Move, fold, kinds_of, make, split

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from companion.log.game_rows import GameLog

_STEPS = """
CREATE TABLE IF NOT EXISTS name_steps (
    step INTEGER NOT NULL, was TEXT NOT NULL, now TEXT NOT NULL, last INTEGER NOT NULL, game INTEGER
)
"""
_LEFT_OUT = "CREATE TABLE IF NOT EXISTS left_out (game INTEGER PRIMARY KEY REFERENCES games (id))"

_TABLES = """
SELECT games.id, start.text FROM games JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
WHERE ?1 IS NULL OR games.id IN (SELECT value FROM json_each(?1))
"""

FORGOTTEN = ""
"""The name of a forgotten person in a step."""


class NameChange(NamedTuple):
    """A change of names; all of it applies at once."""

    number: int
    names: dict[str, str]
    """New names by old ones, which are folded for comparison."""

    last: int
    """The last game of the log then; later ones are not affected."""

    games: frozenset[int]
    """Only these games; empty for all up to `last`."""


def list_tables(
    rows: sqlite3.Connection, games: Sequence[int] | None = None
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The id and players of each of these games, by default of all; damaged games are skipped."""
    for game, text in rows.execute(_TABLES, (None if games is None else json.dumps(games),)):
        with suppress(BadLog):
            names = game_rows.setup(text).get("players")
            if isinstance(names, list) and all(isinstance(name, str) for name in names):
                yield game, tuple(names)


def read(rows: sqlite3.Connection) -> list[NameChange]:
    """All steps, the oldest first."""
    if not has_table(rows, "name_steps"):
        old = _read_old(rows)
        return [NameChange(0, old, _find_last(rows), frozenset())] if old else []
    steps: list[NameChange] = []
    query = "SELECT step, was, now, last, game FROM name_steps ORDER BY step"
    for number, was, now, last, game in rows.execute(query):
        if not steps or steps[-1].number != number:
            steps.append(NameChange(int(number), {}, int(last), frozenset()))
        steps[-1].names[str(was)] = str(now)
        if game is not None:
            steps[-1] = steps[-1]._replace(games=steps[-1].games | {int(game)})
    return steps


def add(rows: sqlite3.Connection, names: Mapping[str, str], games: Iterable[int] = ()) -> None:
    """Add a step, by default for all games of the log."""
    steps = read(rows)
    if not has_table(rows, "name_steps"):
        rows.execute(_STEPS)
        for old in steps:
            _insert(rows, old)
        rows.execute("DROP TABLE IF EXISTS names")
    number = 1 + max((step.number for step in steps), default=0)
    _insert(rows, NameChange(number, dict(names), _find_last(rows), frozenset(games)))


def follow(steps: Sequence[NameChange], name: str, game: int | None) -> str:
    """What the name has become in that game; in none, by the steps that hold for all games."""
    for step in steps:
        holds = game <= step.last if game is not None else not step.games
        if holds and (not step.games or game in step.games):
            name = step.names.get(fold(name), name)
    return name


def resolve(
    steps: Sequence[NameChange], game: int, players: Sequence[str]
) -> list[tuple[str, str]]:
    """Who the players of a game are now: a key, equal for one person, and the current name.

    Players of one game stay distinct: if two would get the same name, those who were renamed keep
    the one they played with. A forgotten one has the number in the game as key.
    """
    if not steps:
        return [(fold(name), name) for name in players]
    now = [follow(steps, name, game) for name in players]
    keys = [fold(name) for name in now]
    people: list[tuple[str, str]] = []
    count = 0
    for name_played, name, key in zip(players, now, keys, strict=True):
        if name == FORGOTTEN:
            count += 1
            people.append((f"\x01{count}", FORGOTTEN))
        elif keys.count(key) == 1:
            people.append((key, name))
        else:
            people.append((fold(name_played), name_played))
    return people


def name_somebody(number: int) -> str:
    """The name of the game's forgotten player with that number, from 1."""
    somebody = _("Somebody")
    return somebody if number == 1 else f"{somebody} {number}"


def find_forgotten(rows: sqlite3.Connection, game: int, setup: dict[str, Any]) -> dict[str, str]:
    """What the forgotten players of a game are called instead, by their folded names."""
    if not has_table(rows, "name_steps"):
        return {}
    names = setup.get("players") or ()
    return _hide(read(rows), game, [name for name in names if isinstance(name, str)])


def find_all_forgotten(rows: sqlite3.Connection) -> dict[int, dict[str, str]]:
    """The same for each game with forgotten players."""
    steps = read(rows)
    if not any(FORGOTTEN in step.names.values() for step in steps):
        return {}
    games = ((game, _hide(steps, game, players)) for game, players in list_tables(rows))
    return {game: names for game, names in games if names}


def _hide(steps: Sequence[NameChange], game: int, players: Sequence[str]) -> dict[str, str]:
    names = [fold(name) for name in players if follow(steps, name, game) == FORGOTTEN]
    return {name: name_somebody(number) for number, name in enumerate(names, 1)}


def hide_in_setup(setup: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The set-up with these players called otherwise."""
    entries: dict[str, Any] = {
        "players": [names.get(fold(name), name) for name in setup["players"]]
    }
    if isinstance(setup.get("crown"), str):
        entries["crown"] = names.get(fold(setup["crown"]), setup["crown"])
    if "position" in setup:
        entries["position"] = _hide_in_data(setup["position"], names)
    return setup | entries


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
    return make(verb, *words, players=places).text


def hide_forgotten(rows: sqlite3.Connection, log: GameLog) -> None:
    """Call the forgotten players of the game somebody, everywhere in it."""
    names = find_forgotten(rows, log.id, log.setup)
    if names:
        log.setup = hide_in_setup(log.setup, names)
        log.moves = [hide_in_move(text, names) for text in log.moves]
        log.redo = [hide_in_move(text, names) for text in log.redo]
        log.events = [(kind, hide_in_move(text, names)) for kind, text in log.events]


def carry(rows: sqlite3.Connection) -> dict[str, str]:
    """What each name played with has become, for another computer; without names that are several
    people by now, and without forgotten people."""
    steps = read(rows)
    if not steps:
        return {}
    people: dict[str, set[str]] = {}
    changes: set[str] = set()
    for game, players in list_tables(rows):
        for name, (_key, now) in zip(players, resolve(steps, game, players), strict=True):
            people.setdefault(fold(name), set()).add(now)
            if now != name:
                changes.add(fold(name))
    one = ((was, *people[was]) for was in sorted(changes) if len(people[was]) == 1)
    return {was: now for was, now in one if now != FORGOTTEN}


def join(
    rows: sqlite3.Connection, names: Mapping[str, str], games: frozenset[int]
) -> dict[str, str]:
    """Add what another computer's names have become, as a step; returns what is new in it. Names
    that were changed here keep their meaning. A name that somebody else has in a game that is not
    among these, the file's, is changed only in the file's."""
    here, steps = carry(rows), read(rows)
    new = {
        was: here.get(fold(now), now)
        for was, now in names.items()
        if was == fold(was) and was not in here
    }
    is_apart = False
    changes: set[int] = set()
    for game, players in list_tables(rows):
        for name in players:
            now = new.get(fold(name))
            if now is not None and game not in games:
                is_apart = True
            elif now not in (None, follow(steps, name, game)):
                changes.add(game)
    if not changes:
        return {}
    add(rows, new, changes if is_apart else ())
    return new


def undo(rows: sqlite3.Connection) -> NameChange | None:
    """Remove the last step and return it; None if there is none."""
    steps = read(rows)
    if steps and has_table(rows, "name_steps"):
        rows.execute("DELETE FROM name_steps WHERE step = ?", (steps[-1].number,))
    elif steps:
        rows.execute("DELETE FROM names")
    return steps[-1] if steps else None


def _insert(rows: sqlite3.Connection, step: NameChange) -> None:
    rows.executemany(
        "INSERT INTO name_steps VALUES (?, ?, ?, ?, ?)",
        [
            (step.number, was, now, step.last, game)
            for was, now in step.names.items()
            for game in (sorted(step.games) if step.games else (None,))
        ],
    )


def _read_old(rows: sqlite3.Connection) -> dict[str, str]:
    """The names as older versions stored them: one meaning for each."""
    if not has_table(rows, "names"):
        return {}
    return {str(was): str(now) for was, now in rows.execute("SELECT was, now FROM names")}


def _find_last(rows: sqlite3.Connection) -> int:
    return int(rows.execute("SELECT ifnull(max(id), 0) FROM games").fetchone()[0])


def make_left_out(rows: sqlite3.Connection) -> None:
    """Create the table of the games that do not count unless it is there."""
    rows.execute(_LEFT_OUT)


def leave_out(rows: sqlite3.Connection, game: int) -> None:
    """Leave a game out of the statistics."""
    make_left_out(rows)
    rows.execute("INSERT OR IGNORE INTO left_out VALUES (?)", (game,))


def take_in(rows: sqlite3.Connection, game: int) -> None:
    """Count a game again."""
    if has_table(rows, "left_out"):
        rows.execute("DELETE FROM left_out WHERE game = ?", (game,))


def forget_game(rows: sqlite3.Connection, game: int) -> None:
    """Delete what is stored beside a game that is removed for good."""
    for table in ("hands", "left_out", "name_steps"):
        if has_table(rows, table):
            rows.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608 - those above


def limit_steps(rows: sqlite3.Connection) -> None:
    """After the last game was removed: the next one gets its id, and no step holds for it."""
    if has_table(rows, "name_steps"):
        last = _find_last(rows)
        rows.execute("UPDATE name_steps SET last = ? WHERE last > ?", (last, last))


def has_table(rows: sqlite3.Connection, table: str) -> bool:
    """Whether the file, or a temporary one beside it, has that table."""
    schemas = ("sqlite_schema", "temp.sqlite_schema")
    queries = (f"SELECT 1 FROM {schema} WHERE name = ?" for schema in schemas)  # noqa: S608 - those
    return any(rows.execute(query, (table,)).fetchone() for query in queries)
