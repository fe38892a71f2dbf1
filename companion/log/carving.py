"""Reads rows from the pages of a SQLite file without SQLite: for damaged files.

A leaf page holds whole rows and is marked as one, so every intact page gives its rows, whatever
the state of the tree above it. The format is SQLite's ("Database File Format", sections 1.6, 2.3
and 4). No content of a file raises here.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

from common import own_files

LEAF = 13  # the first byte of a table's leaf page
HEAD, WAL_HEAD, FRAME_HEAD = 100, 32, 24  # bytes
SIZES = tuple(2**power for power in range(9, 17))
LARGEST = 2**30  # bytes; larger files are rejected; a million games
_LONGEST_ROW = 1_000_000  # bytes


class Row(NamedTuple):
    """A row: its rowid and values."""

    id: int
    values: tuple[int | str | None, ...]


def rows(path: str) -> Iterator[Row]:
    """Every readable row, unordered; of a row's versions, the latest.

    Raises OSError if the file itself cannot be read.
    """
    pages = _pages(path)
    for page, data in pages.items():
        begin = HEAD if page == 1 else 0
        if data[begin : begin + 1] == bytes((LEAF,)):
            yield from _rows_of(data, begin, pages)


def _pages(path: str) -> dict[int, bytes]:
    """The file's pages by number; pages in the WAL override those in the file."""
    whole = own_files.read(path, LARGEST)
    size = struct.unpack(">H", whole[16:18].rjust(2, b"\0"))[0]
    size = 65536 if size == 1 else size
    size = size if size in SIZES else 4096
    pages = {n // size + 1: whole[n : n + size] for n in range(0, len(whole), size)}
    journal = f"{os.path.realpath(path)}-wal"
    if os.path.exists(journal):
        frames = own_files.read(journal, LARGEST)
        salt = frames[16:24]
        for begin in range(WAL_HEAD, len(frames) - size, FRAME_HEAD + size):
            head = frames[begin : begin + FRAME_HEAD]
            if head[8:16] == salt:  # otherwise left over from an earlier checkpoint
                page = struct.unpack(">I", head[:4])[0]
                pages[page] = frames[begin + FRAME_HEAD : begin + FRAME_HEAD + size]
    return pages


def _rows_of(data: bytes, begin: int, pages: dict[int, bytes]) -> Iterator[Row]:
    """The rows of a leaf page."""
    cells = struct.unpack(">H", data[begin + 3 : begin + 5].rjust(2, b"\0"))[0]
    for number in range(min(cells, len(data) // 4)):
        place = begin + 8 + 2 * number
        try:
            yield _row(data, struct.unpack(">H", data[place : place + 2])[0], pages)
        except (IndexError, ValueError, struct.error, OverflowError):
            continue  # a damaged cell


def _row(data: bytes, place: int, pages: dict[int, bytes]) -> Row:
    length, place = _varint(data, place)
    number, place = _varint(data, place)
    if length > _LONGEST_ROW:
        raise ValueError
    usable = len(data)
    here = length
    if length > usable - 35:
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        here = least if here > usable - 35 else here
    payload = data[place : place + here]
    following = 0
    if here < length:
        following = struct.unpack(">I", data[place + here : place + here + 4])[0]
    while following and len(payload) < length:
        more = pages.get(following, b"")
        following = struct.unpack(">I", more[:4])[0]
        payload += more[4 : 4 + length - len(payload)]
    if len(payload) < length:
        raise ValueError
    return Row(number, tuple(_values(payload)))


def _values(payload: bytes) -> Iterator[int | str | None]:
    end, place = _varint(payload, 0)
    body = end
    while place < end:
        kind, place = _varint(payload, place)
        size = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind] if kind < 10 else (kind - 12) // 2
        value = payload[body : body + size]
        if len(value) < size or kind in (7, 10, 11) or (kind > 11 and kind % 2 == 0):
            raise ValueError  # neither number nor text: not ours
        body += size
        if kind == 0:
            yield None
        elif kind in (8, 9):
            yield kind - 8
        elif kind < 10:
            yield int.from_bytes(value, "big", signed=True)
        else:
            yield value.decode()


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """The number there, and the offset after it."""
    number = 0
    for step in range(9):
        byte = data[place + step]
        if step == 8:
            return number << 8 | byte, place + 9
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, place + step + 1
    raise ValueError
