"""The file of an export: a game as a line, written by SQL and parsed with every problem."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from common import NamedTuple, own_files, strict_yaml
from common.sentences import Sentence
from companion import chips
from companion.files.clean import printable, read_moment
from companion.files.locations import cannot_be_read
from companion.history import parcel
from companion.history.counting import complete
from companion.history.parcel import UnusableFile
from companion.log import BadLog, game_rows, log_file, name_rows
from companion.log.digest import RESULT, Digest, read_result
from companion.log.game_rows import GameLog
from companion.log.records import MAX_MOVES
from engine import record
from engine.moves import MAX_MOVE_LENGTH

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from companion.chips.registry import Registry
    from companion.log.store import Store


GAME = "game"
_KEYS = {"kind", "name", "started", "setup", "moves", "times", "figures"}
_OLD_KEYS = {"kind", "name", "started", "setup", "events"}
_GAME_HEAD = (frozenset(record.KEYS) | {RESULT}) - {"moves"}
_NO_MOVES = ("undo", "redo", "finish")
"""Rows of the log that are no moves, and are called so among the moves."""

MOST_EVENTS = MAX_MOVES
"""The most rows of a game: moves, undos and redos."""

_LARGEST_SETUP = 50_000  # characters
_GAME_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")

_GAMES = """
SELECT play.game, over, name, at, text FROM play JOIN games ON games.id = play.game
JOIN events ON seq = (SELECT min(seq) FROM events WHERE game = play.game)
WHERE kind = 'start' ORDER BY play.last
"""
_ROWS = """
SELECT group_concat(CASE kind WHEN 'move' THEN text ELSE kind END, '\n'), group_concat(at, ' ')
FROM events INDEXED BY events_of_game WHERE game = ? AND kind != 'start'
"""
"""In the order of the index, rows are joined as they were written."""


class LogRow(NamedTuple):
    """A row of the log after the first: time, kind, and a move's text."""

    at: str
    kind: str
    text: str


class ArchivedGame(NamedTuple):
    """A game in the file."""

    name: str
    started: str
    setup: dict[str, Any]
    events: tuple[LogRow, ...]
    digest: Digest | None = None
    """Its figures, if they are in the file."""

    @property
    def key(self) -> tuple[str, str]:
        """The game's identity: when it began, and its set-up."""
        return key_of(self.started, self.setup)


def key_of(started: str, setup: dict[str, Any]) -> tuple[str, str]:
    """The identity of a game, the same on every computer."""
    began = read_moment(started)
    return _write(began) if began else started, json.dumps(setup, sort_keys=True)


_encode = json.JSONEncoder(separators=(",", ":")).encode


def write_games(rows: sqlite3.Connection) -> Iterator[tuple[str, bool]]:
    """The line of each readable game, the most recently played last, and whether the game is over.
    Forgotten players of finished games are called somebody."""
    entries, counts = name_rows.find_all_forgotten(rows), parcel.list_figures(rows)
    for game, over, name, at, start in rows.execute(_GAMES).fetchall():
        moves, times = (text or "" for text in rows.execute(_ROWS, (game,)).fetchone())
        try:
            setup = game_rows.setup(start)
        except BadLog:
            continue
        if over and game in entries:
            names = entries[game]
            setup = name_rows.hide_in_setup(setup, names)
            moves = "\n".join(name_rows.hide_in_move(one, names) for one in moves.split("\n"))
        line = {"kind": GAME, "name": name, "started": at, "setup": setup, "moves": moves}
        head = _encode(line | {"figures": counts.get(game)})
        # most of the file: the encoder would search each letter for what has to be escaped
        text = _encode(times) if '"' in times or "\\" in times else f'"{times}"'
        yield f'{head[:-1]},"times":{text}}}', bool(over)


def read_game(rows: sqlite3.Connection, game: int, name: str) -> ArchivedGame | None:
    """The game, or None if its rows are damaged."""
    query = "SELECT at, kind, text FROM events WHERE game = ? ORDER BY seq"
    events = [LogRow._make(row) for row in rows.execute(query, (game,))]
    if not events or events[0].kind != "start":
        return None
    try:
        return ArchivedGame(name, events[0].at, game_rows.setup(events[0].text), tuple(events[1:]))
    except BadLog:
        return None


def from_line(line: dict[str, Any]) -> ArchivedGame | list[str]:
    """The game parsed from a line's object, or all problems with it."""
    if line.keys() not in (_KEYS, _OLD_KEYS):
        return [Sentence("the keys of a game are {keys}", keys=", ".join(sorted(_KEYS)))]
    name, setup = line["name"], line["setup"]
    began = read_moment(line["started"])
    problems: list[str] = []
    if not isinstance(name, str) or not _GAME_NAME.fullmatch(name):
        problems.append(Sentence("a game's name has only letters, digits and hyphens"))
    if began is None:
        problems.append(Sentence("the game does not say when it began"))
    problems += _check_setup(setup)
    if "events" in line:
        events = list(_read_old_events(line["events"], began or _EPOCH))
    else:
        events = list(_read_events(line["moves"], line["times"]))
    problems += [event for event in events if isinstance(event, str)]
    if problems or began is None:
        return problems
    rows = tuple(e for e in events if isinstance(e, LogRow))
    game = ArchivedGame(name, _write(began), setup, rows)
    problems = _check_order(game)
    if not problems and line.get("figures") is not None:
        try:
            digest = parcel.read_figures(line["figures"], setup, len(list_moves(game)))
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return [Sentence("the figures of the game are damaged")]
        game = game._replace(digest=digest)
    return problems or game


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def _write(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def _check_setup(setup: object) -> Iterator[str]:
    """What is wrong with the set-up. It need not fit the rules of this version: a log may hold
    games that can't be replayed, and nothing plays them."""
    if not isinstance(setup, dict) or not setup.keys() <= _GAME_HEAD:
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
    elif RESULT in setup:
        try:
            _check_result(setup)
            read_result(setup)
        except (ValueError, TypeError, KeyError):
            yield Sentence("the result of the game is damaged")


def _check_result(setup: dict[str, Any]) -> None:
    """Raise ValueError, TypeError or KeyError unless the log can hold what a result adds to it."""
    result = setup[RESULT]
    for number in (result["minutes"], result["rounds"], *result["totals"], *result["places"]):
        parcel.check_count(number)
    parcel.check_id(setup["edition"])
    if not isinstance(result["id"], str):
        raise TypeError(result["id"])


def _read_events(moves: object, times: object) -> Iterator[LogRow | str]:
    if not isinstance(moves, str) or not isinstance(times, str):
        yield Sentence("row {number} of the game is not a move", number=1)
        return
    texts, moments = moves.split("\n") if moves else [], times.split()
    if len(texts) != len(moments) or len(texts) > MOST_EVENTS:
        yield Sentence("a game has at most {most} moves", most=MOST_EVENTS)
        return
    for number, (at, text) in enumerate(zip(moments, texts, strict=True), start=1):
        began = read_moment(at)
        if began is None or not _is_move(text):
            yield Sentence("row {number} of the game is not a move", number=number)
            return
        no_move = text in _NO_MOVES
        yield LogRow(at, text if no_move else "move", "" if no_move else text)


def _is_move(text: str) -> bool:
    return 0 < len(text) <= MAX_MOVE_LENGTH and printable(text) == text


def _read_old_events(events: object, began: datetime) -> Iterator[LogRow | str]:
    """The rows as version 1 has them: milliseconds since the beginning, kind, and a move's text."""
    if not isinstance(events, list) or len(events) > MOST_EVENTS:
        yield Sentence("a game has at most {most} moves", most=MOST_EVENTS)
        return
    for number, event in enumerate(events, start=1):
        match event:
            case [int(after), str(kind), str(text)] if (
                _is_move(text) if kind == "move" else kind in _NO_MOVES and not text
            ):
                try:
                    yield LogRow(_write(began + timedelta(milliseconds=after)), kind, text)
                    continue
                except OverflowError:
                    pass
        yield Sentence("row {number} of the game is not a move", number=number)
        return


def _check_order(game: ArchivedGame) -> list[str]:
    """Problems with the order of undos and redos."""
    try:
        list_moves(game)
    except BadLog:
        return [Sentence("the game undoes or redoes more moves than it has")]
    return []


def list_moves(game: ArchivedGame) -> list[str]:
    """The game's moves that were not undone. Raises BadLog for an undo too many."""
    log = GameLog(0, game.name, game.setup)
    for event in game.events:
        game_rows.replay(log, event.kind, event.text)
    return log.moves


# -- `companion export`: writes a table's games, names, cards and chips to one file ---------------


NAMES, CHIPS, CARDS, END = "names", "chips", "cards", "end"
"""Kinds of lines other than games; the last line holds the number of games."""


class Packed(NamedTuple):
    """Counts of what was written."""

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
    registry, cards = chips.load(chips_path), _read_cards(cards_path)
    rows = complete(store)  # the figures of finished games are carried too
    names: dict[str, str] = {}
    are_over: list[bool] = []
    with store.database.errors_in_rows(Sentence("the games cannot be read")):
        if rows is None:
            parcel.write(path, _list_lines([], names, registry, cards, are_over))
        else:
            with log_file.transaction(rows, "DEFERRED"):  # one consistent snapshot
                names = name_rows.carry(rows)
                games = write_games(rows)
                parcel.write(path, _list_lines(games, names, registry, cards, are_over))
    return Packed(len(are_over), are_over.count(False), len(names), len(registry))


def _list_lines(
    games: Iterable[tuple[str, bool]],
    names: dict[str, str],
    registry: Registry,
    cards: str | None,
    are_over: list[bool],
) -> Iterator[str]:
    """The lines of the file; notes of each game whether it is over."""
    yield _encode({"kind": NAMES, "names": names})
    yield _encode({"kind": CHIPS, "chips": registry.to_data()})
    if cards is not None:
        yield _encode({"kind": CARDS, "text": cards})
    for line, is_over in games:
        are_over.append(is_over)
        yield line
    yield _encode({"kind": END, "games": len(are_over)})


def _read_cards(path: str) -> str | None:
    """The text of the table's own cards; None if there are none."""
    try:
        return own_files.read(path, strict_yaml.MAX_SIZE).decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableFile(cannot_be_read(path, error)) from None
