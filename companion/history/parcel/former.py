"""Files of `companion export` as earlier versions wrote them; they are read until November 2027.

They are lines of JSON, packed: version 1 by zlib behind our head, version 2 by gzip with the
version in the first line. Figures of games in them are passed over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from common import strict_json
from common.sentences import Sentence
from companion.history import parcel
from companion.history.parcel.format import CARDS, CHIPS, SharedGame

GZIP = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
"""How version 2 begins: with anything else a bit has turned."""

LONGEST_LINE = 2_000_000
"""Bytes of a line of such a file, which has a game."""

_OTHER_LINES = 4  # names, chips, cards, the end
_MILLISECOND = timedelta(milliseconds=1)


def rewrite(path: str, version: int, packed: bytes, made: sqlite3.Connection) -> None:
    """Write what such a file holds into the tables of today. Raises ParcelError."""
    lines = _read_lines(path, packed)
    if version == 0:
        match next(lines, None):
            case {"kind": parcel.NAME, "version": int(version)}:
                if version != 2:
                    parcel.refuse_version(path, version)
            case _:
                parcel.refuse_damaged(path)
    games, end = 0, None
    for number, line in enumerate(lines):
        if end is not None:
            parcel.refuse_damaged(path)
        if number > parcel.MOST_GAMES + _OTHER_LINES:
            parcel.refuse(path, Sentence("the file is too large"))
        try:
            match line["kind"]:
                case "game":
                    games += 1
                    made.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?)", _convert(line))
                case "names":
                    made.executemany("INSERT INTO name VALUES (?, ?)", line["names"].items())
                case "chips":
                    row = CHIPS, json.dumps(line["chips"])
                    made.execute("INSERT INTO other VALUES (?, ?)", row)
                case "cards":
                    made.execute("INSERT INTO other VALUES (?, ?)", (CARDS, line["text"]))
                case "end":
                    end = line["games"]
                case _:
                    parcel.refuse_damaged(path)
        except (LookupError, ValueError, TypeError, AttributeError, OverflowError, sqlite3.Error):
            parcel.refuse_damaged(path)
    if end != games:
        parcel.refuse_damaged(path)


def _read_lines(path: str, packed: bytes) -> Iterator[Any]:
    rest = b""
    for piece in parcel.inflate(path, packed):
        *whole, rest = (rest + piece).split(b"\n")
        if len(rest) > LONGEST_LINE:
            parcel.refuse_damaged(path)
        for line in whole:
            try:
                yield strict_json.parse(line)
            except ValueError:
                parcel.refuse_damaged(path)
    if rest:
        parcel.refuse_damaged(path)


def _convert(line: dict[str, Any]) -> SharedGame:
    """The game of a line. Raises LookupError, ValueError, TypeError, AttributeError and
    OverflowError if it is none."""
    times: list[int] = []
    if "events" in line:  # version 1: milliseconds, the kind, and the text of a move
        moves = []
        for after, kind, text in line["events"]:
            times.append(after)
            moves.append(text if kind == "move" else kind)
    else:
        began = datetime.fromisoformat(line["started"])
        for at in line["times"].split():
            times.append((datetime.fromisoformat(at) - began) // _MILLISECOND)
        moves = [line["moves"]]
    texts = "\n".join(moves), " ".join(map(str, times))
    return SharedGame(line["name"], line["started"], json.dumps(line["setup"]), *texts)
