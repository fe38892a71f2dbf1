"""A game in the file of an export, and `pack`, which writes the file.

A game is a row: its moves line by line, with `undo`, `redo` and `finish` among them, and for each
the milliseconds since it began. What a player has noted of their own choice is left out.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from common import strict_json, strict_yaml
from common.clean import YEARS, printable, read_moment, write_moment
from common.problems import Problems
from common.sentences import Sentence
from companion import chips
from companion.files.locations import cannot_be_read
from companion.history import parcel
from companion.history.parcel import UnusableFile
from companion.log import BadLog, game_rows, log_file, names
from companion.log.digest import RESULT, read_result
from companion.log.records import MAX_MOVES
from engine import record
from engine.moves import MAX_MOVE_LENGTH, fold

if TYPE_CHECKING:
    from companion.log.store import Store

TABLES = (
    "CREATE TABLE game (name TEXT, started TEXT, setup TEXT, moves TEXT, times TEXT)",
    "CREATE TABLE name (was TEXT, now TEXT)",
    "CREATE TABLE other (kind TEXT, text TEXT)",
)
"""The tables of the file: each game with its moves, names that have changed, and one row each for
the chips (JSON) and the table's own cards (YAML)."""

CHIPS, CARDS = "chips", "cards"

MOST_EVENTS = MAX_MOVES
"""The most rows of a game: moves, undos and redos."""

_LARGEST_SETUP = 50_000  # characters
_GAME_HEAD = (frozenset(record.KEYS) | {RESULT}) - {"moves"}
_GAME_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_NO_MOVES = ("undo", "redo", "finish")
"""Rows of the log that are no moves, and are called so among the moves."""

_NOTE = "choose "

_GAMES = """
SELECT games.id, name, start.at, start.text, final.kind = 'finish'
FROM (SELECT game, min(seq) AS first, max(seq) AS last FROM events GROUP BY game) AS span
JOIN games ON games.id = span.game JOIN events AS start ON start.seq = first
JOIN events AS final ON final.seq = last
WHERE start.kind = 'start' ORDER BY last
"""
_ROWS = """
SELECT group_concat(iif(kind = 'move', text, kind), '\n'),
    group_concat(cast(round((julianday(at) - julianday(?)) * 86400000) AS INTEGER), ' ')
FROM events INDEXED BY events_of_game WHERE game = ? AND kind != 'start'
"""
"""In the order of the index, rows are joined as they were written."""


class LogRow(NamedTuple):
    """A row of the log after the first: time, kind, and a move's text."""

    at: str
    kind: str
    text: str


class ArchivedGame(NamedTuple):
    """A game with all rows of its log."""

    name: str
    started: str
    setup: dict[str, Any]
    events: tuple[LogRow, ...]


class SharedGame(NamedTuple):
    """A game as a row of the file."""

    name: str
    started: str
    setup: str
    moves: str
    times: str


class CheckedGame(NamedTuple):
    """A game of the file, checked."""

    name: str
    began: datetime
    setup: dict[str, Any]
    texts: list[str]
    times: list[int]

    @property
    def key(self) -> tuple[str, str]:
        """The game's identity: when it began, and its set-up."""
        return key_of(write_moment(self.began), self.setup)

    def unpack(self) -> ArchivedGame:
        """The game with its rows."""
        rows = (
            LogRow(
                write_moment(self.began + timedelta(milliseconds=after)),
                *((text, "") if text in _NO_MOVES else ("move", text)),
            )
            for text, after in zip(self.texts, self.times, strict=True)
        )
        return ArchivedGame(self.name, write_moment(self.began), self.setup, tuple(rows))


class BadGame(Exception):
    """What is wrong with a game of the file, in a sentence."""


def key_of(started: str, setup: dict[str, Any]) -> tuple[str, str]:
    """The identity of a game, the same on every computer: its players are known by their places,
    since one of them may be forgotten here, or where a file was written. Raises BadLog if it has
    none."""
    began, players = read_moment(started), setup.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise BadLog("the set-up names no players")
    places = {fold(name): str(place) for place, name in enumerate(players)}
    placed = names.hide_in_setup(setup, places)
    return write_moment(began) if began else started, json.dumps(placed, sort_keys=True)


# -- notes ----------------------------------------------------------------------------------------


class Notes:
    """Follows a game and knows which of its rows are a player's note, or take one back."""

    def __init__(self) -> None:
        self.played: list[bool] = []
        """Whether each move that stands is a note."""
        self.undone: list[bool] = []

    def take(self, kind: str, text: str) -> bool:
        """Apply a row; whether it concerns a note. Raises IndexError if there is nothing to undo or
        to redo."""
        if kind == "move":
            self.undone.clear()
            self.played.append(text.startswith(_NOTE))
            return self.played[-1]
        if kind == "undo":
            self.undone.append(self.played.pop())
            return self.undone[-1]
        if kind == "redo":
            self.played.append(self.undone.pop())
            return self.played[-1]
        return False


def leave_out_notes(events: Iterable[LogRow]) -> list[LogRow]:
    """The rows of a game without those about notes. Raises IndexError as `Notes.take`."""
    notes = Notes()
    return [event for event in events if not notes.take(event.kind, event.text)]


# -- reading --------------------------------------------------------------------------------------


def read_game(connection: sqlite3.Connection, game: int) -> ArchivedGame | None:
    """A game of the log, or None if its rows are damaged."""
    (name,) = connection.execute("SELECT name FROM games WHERE id = ?", (game,)).fetchone()
    query = "SELECT at, kind, text FROM events WHERE game = ? ORDER BY seq"
    events = [LogRow._make(row) for row in connection.execute(query, (game,))]
    if not events or events[0].kind != "start":
        return None
    try:
        return ArchivedGame(name, events[0].at, game_rows.setup(events[0].text), tuple(events[1:]))
    except BadLog:
        return None


def list_moves(game: ArchivedGame) -> list[str]:
    """The game's moves that were not undone. Raises BadLog for an undo too many."""
    log = game_rows.GameLog(0, game.name, game.setup)
    for event in game.events:
        game_rows.replay(log, event.kind, event.text)
    return log.moves


def check(row: SharedGame) -> CheckedGame:
    """The game of a row. Raises BadGame."""
    if not all(isinstance(text, str) for text in row):
        raise BadGame(Sentence("the set-up is not the head of a record"))
    if not _GAME_NAME.fullmatch(row.name):
        raise BadGame(Sentence("a game's name has only letters, digits and hyphens"))
    began = read_moment(row.started)
    if began is None:
        raise BadGame(Sentence("the game does not say when it began"))
    setup = _read_setup(row.setup)
    texts = row.moves.split("\n") if row.moves else []
    times = _read_times(row.times, began)
    if len(texts) > MOST_EVENTS:
        raise BadGame(Sentence("a game has at most {most} moves", most=MOST_EVENTS))
    if times is None or len(texts) != len(times) or not _are_moves(row.moves, texts):
        raise BadGame(Sentence("the moves of the game are damaged"))
    game = CheckedGame(row.name, began, setup, texts, times)
    return _follow(game) if _NOTE in row.moves or not {"undo", "redo"}.isdisjoint(texts) else game


def _read_setup(text: str) -> dict[str, Any]:
    """The set-up. It need not fit the rules of this version: a log may hold games that can't be
    replayed, and nothing plays them. Raises BadGame."""
    try:
        setup = strict_json.parse(text if len(text) <= _LARGEST_SETUP else "")
    except ValueError:
        setup = None
    if not isinstance(setup, dict) or not setup.keys() <= _GAME_HEAD:
        raise BadGame(Sentence("the set-up is not the head of a record"))
    players = setup.get("players")
    seated = players if isinstance(players, list) else []
    good = all(isinstance(name, str) and _is_name(name) for name in seated)
    if not seated or not good or not isinstance(setup.get("edition", ""), str):
        raise BadGame(Sentence("the set-up does not name a box and its players"))
    if RESULT in setup:
        try:
            _check_result(setup)
            read_result(setup)
        except (ValueError, TypeError, KeyError):
            raise BadGame(Sentence("the result of the game is damaged")) from None
    return game_rows.load_setup(setup)


def _is_name(name: str) -> bool:
    short = 0 < len(name) <= record.MAX_NAME_LENGTH
    return short and printable(name) == name and not set(name) & set("\n\t")


def _check_result(setup: dict[str, Any]) -> None:
    """Raise ValueError, TypeError or KeyError unless the log can hold what a result adds to it."""
    result = setup[RESULT]
    for number in (result["minutes"], result["rounds"], *result["totals"], *result["places"]):
        if type(number) is not int or not 0 <= number < 10**6:
            raise ValueError(number)
    if not 0 < len(setup["edition"]) < 60 or not setup["edition"].isidentifier():
        raise ValueError(setup["edition"])
    if not isinstance(result["id"], str):
        raise TypeError(result["id"])


def _read_times(text: str, began: datetime) -> list[int] | None:
    """Milliseconds since the beginning; None unless all of them are times that a clock can show."""
    try:
        times = [*map(int, text.split(" "))] if text else []
        ends = [began + timedelta(milliseconds=end) for end in (min(times), max(times))]
    except (ValueError, OverflowError):
        return None if text else []
    return times if all(end.year in YEARS for end in ends) else None


def _are_moves(text: str, texts: list[str]) -> bool:
    """Whether each can be a move; as a whole, since there may be millions."""
    if not texts:
        return True
    signs = text.replace("\n", "") if text.isascii() else "".join({*text} - {"\n"})
    is_plain = signs.isprintable() if text.isascii() else printable(signs) == signs
    return (
        is_plain
        and "\t" not in signs
        and "" not in texts
        and max(map(len, texts)) <= MAX_MOVE_LENGTH
    )


def _follow(game: CheckedGame) -> CheckedGame:
    """The game without notes. Raises BadGame for an undo or a redo too many."""
    notes, texts, times = Notes(), [], []
    try:
        for text, after in zip(game.texts, game.times, strict=True):
            if not notes.take(text if text in _NO_MOVES else "move", text):
                texts.append(text)
                times.append(after)
    except IndexError:
        sentence = Sentence("the game undoes or redoes more moves than it has")
        raise BadGame(sentence) from None
    return game._replace(texts=texts, times=times)


# -- `companion export`: writes a table's games, names, cards and chips to one file ---------------


class Packed(NamedTuple):
    games: int
    unfinished: int
    names: int
    chips: int


def pack(path: str, store: Store, chips_path: str, cards_path: str) -> Packed:
    """Write everything to the new file `path`. Raises UnusableFile, StoreError, ChipsError."""
    if os.path.lexists(path):
        raise UnusableFile(
            Sentence("{file}: this file already exists; name another one", file=path)
        )
    registry, cards = chips.load(chips_path), read_cards(cards_path)
    are_over: list[bool] = []
    with closing(sqlite3.connect(":memory:")) as made:
        for table in TABLES:
            made.execute(table)
        others = [(CHIPS, json.dumps(registry.to_data()))]
        others += [(CARDS, cards)] if cards is not None else []
        made.executemany("INSERT INTO other VALUES (?, ?)", others)
        # one consistent snapshot
        with store.database.look() as connection, log_file.transaction(connection, "DEFERRED"):
            changed = names.carry(connection)
            for game, is_over in _list_games(connection):
                are_over.append(is_over)
                made.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?)", game)
        made.executemany("INSERT INTO name VALUES (?, ?)", changed.items())
        made.commit()
        parcel.write(path, made.serialize())
    return Packed(len(are_over), are_over.count(False), len(changed), len(registry))


def _list_games(connection: sqlite3.Connection) -> Iterator[tuple[SharedGame, bool]]:
    """Each readable game, the most recently played last, and whether it is over. Forgotten players
    are called somebody."""
    forgotten = names.find_forgotten(connection)
    for game, name, at, start, over in connection.execute(_GAMES).fetchall():
        moves, times = (text or "" for text in connection.execute(_ROWS, (at, game)).fetchone())
        try:
            setup = game_rows.setup(start)
            if game in forgotten:
                setup = names.hide_in_setup(setup, forgotten[game])
                moves = "\n".join(
                    names.hide_in_move(one, forgotten[game]) for one in moves.split("\n")
                )
            text = json.dumps(game_rows.store_setup(setup))
            checked = check(SharedGame(name, at, text, moves, times))
        except (BadLog, BadGame):
            continue  # damaged; the others can still be played
        times = " ".join(map(str, checked.times))
        yield SharedGame(name, at, text, "\n".join(checked.texts), times), bool(over)


def read_cards(path: str) -> str | None:
    """The text of the table's own cards; None if there are none. Raises UnusableFile."""
    try:
        return strict_yaml.read_text(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableFile(cannot_be_read(path, error)) from None
    except Problems as error:
        raise UnusableFile(*map(str, error.problems)) from None
