"""A game as a line of the file: made from its rows, and parsed with every problem."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from common.sentences import Sentence
from companion.files.clean import printable
from companion.log import game_rows
from companion.log.game_rows import GameLog
from companion.log.log_errors import BadLog
from companion.log.records import MAX_MOVES
from companion.log.salvage import KINDS
from engine import record
from engine.moves import MAX_MOVE_LENGTH

if TYPE_CHECKING:
    import sqlite3

GAME = "game"
_KEYS = {"kind", "name", "started", "setup", "events"}
_HEAD = frozenset(record.KEYS) - {"moves", "position"}
MOST_EVENTS = MAX_MOVES
"""The most rows of a game: moves, undos and redos."""

_LARGEST_SETUP = 50_000  # characters
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


_BY_LAST = """
SELECT id, name FROM games ORDER BY (SELECT max(seq) FROM events WHERE game = games.id)
"""


class Event(NamedTuple):
    """A row of the log after the first: time, kind, and a move's text."""

    at: str
    kind: str
    text: str


class Carried(NamedTuple):
    """A game in the file."""

    name: str
    started: str
    setup: dict[str, Any]
    events: tuple[Event, ...]

    @property
    def key(self) -> tuple[str, str]:
        """The game's identity: when it began, and its set-up."""
        return key_of(self.started, self.setup)


def key_of(started: str, setup: dict[str, Any]) -> tuple[str, str]:
    """The identity of a game, the same on every computer."""
    began = _read_moment(started)
    return _write(began) if began else started, json.dumps(setup, sort_keys=True)


def read_rows(rows: sqlite3.Connection) -> Iterator[Carried]:
    """Every readable game of the log, the most recently played last."""
    for game, name in rows.execute(_BY_LAST).fetchall():
        found = read_game(rows, game, name)
        if found is not None:
            yield found


def read_game(rows: sqlite3.Connection, game: int, name: str) -> Carried | None:
    """The game, or None if its rows are damaged."""
    query = "SELECT at, kind, text FROM events WHERE game = ? ORDER BY seq"
    events = [Event._make(row) for row in rows.execute(query, (game,))]
    if not events or events[0].kind != "start":
        return None
    try:
        return Carried(name, events[0].at, game_rows.setup(events[0].text), tuple(events[1:]))
    except BadLog:
        return None


def to_line(game: Carried) -> dict[str, Any]:
    """The game as JSON data, times in milliseconds since its beginning. Raises ValueError for a row
    without a valid time."""
    began = datetime.fromisoformat(game.started)
    events = [
        [round((datetime.fromisoformat(at) - began) / timedelta(milliseconds=1)), kind, text]
        for at, kind, text in game.events
    ]
    return {
        "kind": GAME, "name": game.name, "started": game.started, "setup": game.setup,
        "events": events,
    }  # fmt: skip


def from_line(line: dict[str, Any]) -> Carried | list[str]:
    """The game parsed from a line's object, or all problems with it."""
    if line.keys() != _KEYS:
        return [Sentence("the keys of a game are {keys}", keys=", ".join(sorted(_KEYS)))]
    name, setup = line["name"], line["setup"]
    began = _read_moment(line["started"])
    problems: list[str] = []
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        problems.append(Sentence("a game's name has only letters, digits and hyphens"))
    if began is None:
        problems.append(Sentence("the game does not say when it began"))
    problems += _check_setup(setup)
    events = list(_read_events(line["events"], began or _EPOCH))
    problems += [event for event in events if isinstance(event, str)]
    if problems or began is None:
        return problems
    game = Carried(name, _write(began), setup, tuple(e for e in events if isinstance(e, Event)))
    return _check_order(game) or game


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def _read_moment(value: object) -> datetime | None:
    """A time with its zone in the log's format; None for anything else."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        found = datetime.fromisoformat(value)
        return found.astimezone(UTC) if found.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _write(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def _check_setup(setup: object) -> Iterator[str]:
    """What is wrong with the set-up. It need not fit the rules of this version: a log may hold
    games that can't be replayed, and nothing plays them."""
    if not isinstance(setup, dict) or not setup.keys() <= _HEAD:
        yield Sentence("the set-up is not the head of a record")
        return
    if len(json.dumps(setup)) > _LARGEST_SETUP:
        yield Sentence("the set-up is not the head of a record")
        return
    players = setup.get("players")
    names = players if isinstance(players, list) else []
    good = all(
        isinstance(name, str)
        and 0 < len(name) <= record.MAX_NAME_LENGTH
        and printable(name) == name
        and not set(name) & set("\n\t")
        for name in names
    )
    if not names or not good or not isinstance(setup.get("edition", ""), str):
        yield Sentence("the set-up does not name a box and its players")


def _read_events(events: object, began: datetime) -> Iterator[Event | str]:
    if not isinstance(events, list) or len(events) > MOST_EVENTS:
        yield Sentence("a game has at most {most} moves", most=MOST_EVENTS)
        return
    for number, event in enumerate(events, start=1):
        match event:
            case [int(after), str(kind), str(text)] if (
                kind in KINDS[1:]
                and bool(text) == (kind == "move")
                and len(text) <= MAX_MOVE_LENGTH
                and printable(text) == text
            ):
                try:
                    yield Event(_write(began + timedelta(milliseconds=after)), kind, text)
                    continue
                except OverflowError:
                    pass
        yield Sentence("row {number} of the game is not a move", number=number)
        return


def _check_order(game: Carried) -> list[str]:
    """Problems with the order of undos and redos."""
    log = GameLog(0, game.name, game.setup)
    try:
        for event in game.events:
            game_rows.replay(log, event.kind, event.text)
    except BadLog:
        return [Sentence("the game undoes or redoes more moves than it has")]
    return []
