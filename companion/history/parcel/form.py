"""The file format: header line, checksum, compressed lines; and a game as one of these lines, made
from its rows, and parsed with every problem."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from common import own_files
from common.sentences import Sentence
from companion.errors import Told
from companion.files.clean import printable
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.log import game_rows, name_rows
from companion.log.game_rows import GameLog
from companion.log.log_errors import BadLog
from companion.log.records import MAX_MOVES
from companion.log.salvage import KINDS
from engine import record
from engine.moves import MAX_MOVE_LENGTH

if TYPE_CHECKING:
    import sqlite3


VERSION = 1
MOST_PACKED = 512_000_000
"""Bytes; larger files are rejected."""

MOST_TIMES = 100
"""The highest compression ratio that is accepted; games reach twelve."""

LONGEST_LINE = 4_000_000
"""Bytes; the longest possible game is shorter."""

_NAME = "citadels-companion-games"
_HEAD = re.compile(rb"%b ([0-9]{1,6}) ([0-9]{1,12}) ([0-9a-f]{64})\n" % _NAME.encode())
_LONGEST_HEAD = 200
_CHUNK = 1 << 18
_ALWAYS_FITS = 1_000_000  # bytes unpacked that any file may have, however short


class ParcelError(Told):
    """A file that is rejected: every reason, in a sentence each."""

    code = 1


class UnusableFile(Told):
    """A file that cannot be read or written."""


def write(path: str, lines: Iterable[Any]) -> None:
    """Write the lines' objects to the file, atomically. Raises UnusableFile."""
    pack, body = zlib.compressobj(), bytearray()
    for line in lines:
        body += pack.compress(json.dumps(line, separators=(",", ":")).encode() + b"\n")
    body += pack.flush()
    head = f"{_NAME} {VERSION} {len(body)} {hashlib.sha256(body).hexdigest()}\n"
    try:
        own_files.replace(path, head.encode() + bytes(body), makes_folder=False)
    except OSError as error:
        raise UnusableFile(cannot_be_saved(path, error)) from None


class Parcel:
    """A file whose checksum is right; `lines` may be called repeatedly."""

    def __init__(self, path: str) -> None:
        """Check the file as a whole. Raises ParcelError and UnusableFile."""
        self.path = path
        try:
            with self._open() as file:
                self._begin = self._check(file)
        except (OSError, ValueError) as error:  # such as a NUL in the path
            raise UnusableFile(cannot_be_read(path, error)) from None

    def _open(self) -> BinaryIO:
        pipe = os.path.exists(self.path) and not os.path.isfile(self.path)
        if pipe and not os.path.isdir(self.path):  # a pipe can be read only once
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), self.path)
        return open(self.path, "rb")

    def _check(self, file: BinaryIO) -> int:
        """Check the header; returns the offset of the packed lines."""
        first = file.readline(_LONGEST_HEAD)
        head = _HEAD.fullmatch(first)
        if head is None:
            raise self.refuse(
                Sentence("this is not a file of “companion export”, or it is damaged")
            )
        version, length, wanted = int(head[1]), int(head[2]), head[3].decode()
        if version != VERSION:
            raise self.refuse(
                Sentence(
                    "written by another version of the companion (format {version}, this one "
                    "knows {known}); update the companion",
                    version=version,
                    known=VERSION,
                )
            )
        found, checksum = 0, hashlib.sha256()
        while found <= min(length, MOST_PACKED) and (chunk := file.read(_CHUNK)):
            found += len(chunk)
            checksum.update(chunk)
        if length > MOST_PACKED:
            raise self.refuse(Sentence("the file is too large"))
        if found < length:
            raise self.refuse(Sentence("the file is incomplete; copy it again"))
        if found > length or checksum.hexdigest() != wanted:
            raise self.refuse(Sentence("the file is damaged; copy it again"))
        return len(first)

    def lines(self) -> Iterator[tuple[int, Any]]:
        """The number, from 1, and object of each line. Raises ParcelError."""
        rest, number = b"", 0
        for piece in self._unpack():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                number += 1
                yield number, self._read(number, line)
            if len(rest) > LONGEST_LINE:
                raise self._refuse_line(number + 1, Sentence("the line is too long"))
        if rest:
            raise self._refuse_line(number + 1, Sentence("this is not JSON"))

    def _unpack(self) -> Iterator[bytes]:
        unpack, size = zlib.decompressobj(), 0
        most = _ALWAYS_FITS + MOST_TIMES * os.path.getsize(self.path)
        try:
            with self._open() as file:
                file.seek(self._begin)
                packed = file.read(_CHUNK)
                while packed:
                    piece = unpack.decompress(packed, _CHUNK)
                    size += len(piece)
                    if size > most:
                        raise self.refuse(Sentence("the file is too large"))
                    yield piece
                    packed = unpack.unconsumed_tail or file.read(_CHUNK)
        except OSError as error:
            raise UnusableFile(cannot_be_read(self.path, error)) from None
        except zlib.error:
            raise self.refuse(Sentence("the file is damaged; copy it again")) from None
        if not unpack.eof or unpack.unused_data:
            raise self.refuse(Sentence("the file is damaged; copy it again"))

    def _read(self, number: int, line: bytes) -> Any:
        try:
            return json.loads(line, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            raise self._refuse_line(number, Sentence("this is not JSON")) from None

    def _refuse_line(self, number: int, reason: Sentence) -> ParcelError:
        return self.refuse(Sentence("line {number}: {reason}", number=number, reason=reason))

    def refuse(self, *reasons: str) -> ParcelError:
        """The error with these reasons."""
        return ParcelError(
            *(Sentence("{path}: {reason}", path=self.path, reason=reason) for reason in reasons),
            Sentence("Nothing was imported."),
        )


def _refuse_constant(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are not JSON


GAME = "game"
_KEYS = {"kind", "name", "started", "setup", "events"}
_GAME_HEAD = frozenset(record.KEYS) - {"moves"}
MOST_EVENTS = MAX_MOVES
"""The most rows of a game: moves, undos and redos."""

_LARGEST_SETUP = 50_000  # characters
_GAME_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


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
            yield _hide_forgotten(rows, game, found)


def _hide_forgotten(rows: sqlite3.Connection, game: int, found: Carried) -> Carried:
    """The game with its forgotten players called somebody, once it is over."""
    over = bool(found.events) and found.events[-1].kind == "finish"
    names = name_rows.find_forgotten(rows, game, found.setup) if over else {}
    if not names:
        return found
    events = [e._replace(text=name_rows.hide_in_move(e.text, names)) for e in found.events]
    setup = name_rows.hide_in_setup(found.setup, names)
    return found._replace(setup=setup, events=tuple(events))


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
    if not isinstance(name, str) or not _GAME_NAME.fullmatch(name):
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
    try:
        list_moves(game)
    except BadLog:
        return [Sentence("the game undoes or redoes more moves than it has")]
    return []


def list_moves(game: Carried) -> list[str]:
    """The game's moves that were not undone. Raises BadLog for an undo too many."""
    log = GameLog(0, game.name, game.setup)
    for event in game.events:
        game_rows.replay(log, event.kind, event.text)
    return log.moves
