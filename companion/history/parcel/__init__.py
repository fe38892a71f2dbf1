"""Export and import: games, names and chips in one file for another computer.

The file is gzip over JSON lines, the first of which names the format and its version, so truncated,
damaged or appended data is detected before anything is used. Files of version 1, with a header line
before a zlib stream, are read until November 2027.

A finished game's figures in it are written by SQL from the ledger and read as a digest. They save
counting every game again. Whoever imports them counts a few games and compares.
"""

from __future__ import annotations

import errno
import gzip
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO

from common import own_files
from common.sentences import Sentence
from companion.errors import UserError
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.log import ledger
from companion.log.digest import Digest, PlayerResult

if TYPE_CHECKING:
    import sqlite3


VERSION = 2
MOST_PACKED = 512_000_000
"""Bytes; larger files are rejected."""

MOST_TIMES = 100
"""The highest compression ratio that is accepted; games reach twenty."""

LONGEST_LINE = 4_000_000
"""Bytes; the longest possible game is shorter."""

_NAME = "citadels-companion-games"
_OLD_HEAD = re.compile(rb"%b ([0-9]{1,6}) [0-9]{1,12} [0-9a-f]{64}\n" % _NAME.encode())
"""The first line of version 1, before a zlib stream; to be read until November 2027."""

_GZIP = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
"""How `write` begins: with anything else a bit has turned."""

_AT_ONCE = 50  # lines that are packed while others are made
_LONGEST_HEAD = 200
_CHUNK = 1 << 18
_ALWAYS_FITS = 1_000_000  # bytes unpacked that any file may have, however short

_PLAYS = "SELECT game, edition, rounds FROM play WHERE over AND rounds > 0"
_OF_A_GAME = {
    "seats": """
        SELECT game, json_group_array(json_array(
            place, districts, five_types, complete, uniques, gold, city, stolen
        )) FROM (SELECT * FROM seat ORDER BY game, seat) GROUP BY game
    """,
    "characters": """
        SELECT game, json_group_array(
            json_array(seat, character, chosen, murdered, robbed, won)
        ) FROM character GROUP BY game
    """,
    "districts": """
        SELECT game, json_group_array(json_array(seat, district, built, destroyed))
        FROM district GROUP BY game
    """,
}


class ParcelError(UserError):
    """A file that is rejected: every reason, in a sentence each."""

    code = 1


class UnusableFile(UserError):
    """A file that cannot be read or written."""


def write(path: str, lines: Iterable[str], version: int = VERSION) -> None:
    """Write the lines, each with an object as JSON, to the file, atomically. Raises
    UnusableFile."""
    body, head = BytesIO(), json.dumps({"kind": _NAME, "version": version})
    texts = chain([head], lines)
    with gzip.GzipFile("", "wb", 6, body, mtime=0) as pack, ThreadPoolExecutor(1) as worker:
        packing = None  # while the next lines are made
        while some := [f"{line}\n".encode() for line in islice(texts, _AT_ONCE)]:
            if packing is not None:
                packing.result()
            packing = worker.submit(pack.writelines, some)
    try:
        own_files.replace(path, body.getvalue(), makes_folder=False)
    except OSError as error:
        raise UnusableFile(cannot_be_saved(path, error)) from None


class Parcel:
    """A file of `companion export`; `lines` may be called repeatedly."""

    def __init__(self, path: str) -> None:
        """Check how the file begins. Raises ParcelError and UnusableFile."""
        self.path = path
        try:
            with self._open() as file:
                first = file.readline(_LONGEST_HEAD)
                old = _OLD_HEAD.fullmatch(first)
                self._begin = len(first) if old else 0
                self._version = int(old[1]) if old else 0
                size = os.path.getsize(path)
        except (OSError, ValueError) as error:  # such as a NUL in the path
            raise UnusableFile(cannot_be_read(path, error)) from None
        if size > MOST_PACKED:
            raise self.refuse(Sentence("the file is too large"))
        if old is None and not first.startswith(_GZIP):
            raise self.refuse(
                Sentence("this is not a file of “companion export”, or it is damaged")
            )
        if old is not None:
            self._check_version(1)

    def _check_version(self, count: int) -> None:
        if self._version != count:
            raise self.refuse(
                Sentence(
                    "written by another version of the companion (format {version}, this one "
                    "knows {known}); update the companion",
                    version=self._version,
                    known=VERSION,
                )
            )

    def _open(self) -> BinaryIO:
        pipe = os.path.exists(self.path) and not os.path.isfile(self.path)
        if pipe and not os.path.isdir(self.path):  # a pipe can be read only once
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), self.path)
        return open(self.path, "rb")

    def lines(self) -> Iterator[tuple[int, Any]]:
        """The number, from 1, and object of each line after the head. Raises ParcelError."""
        rest, number = b"", 0 if self._begin else -1
        for piece in self._unpack():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                number += 1
                match = self._read(number or 1, line)
                if number == 0:
                    self._read_head(match)
                else:
                    yield number, match
            if len(rest) > LONGEST_LINE:
                raise self._refuse_line(number + 1, Sentence("the line is too long"))
        if rest or number < 0:
            raise self._refuse_line(number + 1, Sentence("this is not JSON"))

    def _read_head(self, head: object) -> None:
        match head:
            case {"kind": kind, "version": int(version)} if kind == _NAME:
                self._version = version
                self._check_version(VERSION)
            case _:
                raise self.refuse(
                    Sentence("this is not a file of “companion export”, or it is damaged")
                )

    def _unpack(self) -> Iterator[bytes]:
        unpack, size = zlib.decompressobj(32 + zlib.MAX_WBITS), 0  # gzip, or zlib in version 1
        most = _ALWAYS_FITS + MOST_TIMES * os.path.getsize(self.path)
        try:
            with self._open() as file:
                file.seek(self._begin)
                data = file.read(_CHUNK)
                while data and not unpack.eof:
                    piece = unpack.decompress(data, _CHUNK)
                    size += len(piece)
                    if size > most:
                        raise self.refuse(Sentence("the file is too large"))
                    yield piece
                    data = unpack.unconsumed_tail or file.read(_CHUNK)
                more = data or file.read(1)
        except OSError as error:
            raise UnusableFile(cannot_be_read(self.path, error)) from None
        except zlib.error:
            raise self.refuse(Sentence("the file is damaged; copy it again")) from None
        if not unpack.eof:
            raise self.refuse(Sentence("the file is incomplete; copy it again"))
        if unpack.unused_data or more:
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


def list_figures(rows: sqlite3.Connection) -> dict[int, dict[str, Any]]:
    """The figures of each finished game that was played; parts of them are JSON text."""
    parts = [(part, dict(rows.execute(query))) for part, query in _OF_A_GAME.items()]
    return {
        game: {"version": ledger.VERSION, "edition": edition, "rounds": rounds}
        | {part: results.get(game, "[]") for part, results in parts}
        for game, edition, rounds in rows.execute(_PLAYS)
    }


def read_figures(data: dict[str, Any], setup: dict[str, Any], moves: int) -> Digest | None:
    """The digest of a game with that set-up and that many moves; None if another version has
    counted it. Raises ValueError, TypeError, KeyError, IndexError
    and RecursionError if the figures are none."""
    if data["version"] != ledger.VERSION:
        return None
    seats, characters, districts = (json.loads(data[part]) for part in _OF_A_GAME)
    replays = [_read_seat(*seat) for seat in zip(setup["players"], seats, strict=True)]
    for seat, character, choice, murders, victim, wins in characters:
        one = replays[check_count(seat)]
        one.characters[check_id(character)] = [*map(check_count, (choice, murders, victim))]
        if wins:
            replays[seat] = one._replace(last=(*one.last, character))
    for seat, district, after, losses in districts:
        one = replays[check_count(seat)]
        for sums, number in ((one.built, after), (one.destroyed, losses)):
            if check_count(number):
                sums[check_id(district)] = number
    edition, rounds = check_id(data["edition"]), check_count(data["rounds"])
    return Digest(edition, True, rounds, moves, tuple(replays))


def _read_seat(name: str, numbers: list[int]) -> PlayerResult:
    place, districts, five_types, complete, uniques, gold, city, count = map(check_count, numbers)
    if not place:
        raise ValueError(numbers)
    parts = (districts, five_types, complete, uniques)
    return PlayerResult(name, place, parts, gold, city, (), {}, {}, {}, count)


def check_count(number: int) -> int:
    """The number, if it can be one of a game's. Raises ValueError."""
    if type(number) is not int or not 0 <= number < 10**6:
        raise ValueError(number)
    return number


def check_id(id_: str) -> str:
    """The id, if it has the form of a card's or a box's. Raises ValueError."""
    if not isinstance(id_, str) or not 0 < len(id_) < 60 or not id_.isidentifier():
        raise ValueError(id_)
    return id_


def are_alike(one: Digest, other: Digest) -> bool:
    """Whether two digests have the same figures, as far as the file has them."""
    return _list(one.players) == _list(other.players) and one[:4] == other[:4]


def _list(players: Iterable[PlayerResult]) -> list[PlayerResult]:
    return [
        one._replace(
            last=tuple(sorted(one.last)) if one.place == 1 else (),
            characters={id_: sums for id_, sums in one.characters.items() if any(sums)},
        )
        for one in players
    ]
