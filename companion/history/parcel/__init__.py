"""Export and import: games, names and chips in one file for another computer.

The file is an SQLite file with the tables of `format`, packed by zlib behind a line that has the
format's version, the number of packed bytes, and a SHA-256 of all this: no byte can change, miss or
be added without being noticed. Earlier versions are read until November 2027 (`former`).
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator
from typing import NoReturn

from common import own_files
from common.sentences import Sentence, locate
from companion.errors import UserError
from companion.files.locations import cannot_be_read, cannot_be_saved

VERSION = 3
MOST_PACKED = 32_000_000
"""Bytes of a file; games of 300 moves have about one thousand."""

MOST_UNPACKED = 80_000_000
"""Bytes of it when it is unpacked; ten thousand games of 300 moves have about fifty million."""

MOST_GAMES = 20_000

NAME = "citadels-companion-games"
_HEAD = re.compile(rb"%b ([0-9]{1,6}) ([0-9]{1,12}) ([0-9a-f]{64})" % NAME.encode())
_CHUNK = 1 << 18


class ParcelError(UserError):
    """A file that is refused, with the reason."""

    code = 1


class UnusableFile(UserError):
    """A file that cannot be read or written."""


def refuse(path: str, *reasons: str) -> NoReturn:
    """Refuse the file for these reasons. Raises ParcelError."""
    raise ParcelError(
        *(locate(path, reason) for reason in reasons),
        Sentence("Nothing was imported."),
    )


def refuse_damaged(path: str) -> NoReturn:
    refuse(path, Sentence("the file is damaged; copy it again"))


def write(path: str, database: bytes, version: int = VERSION) -> None:
    """Pack the SQLite file and write it, atomically. Raises UnusableFile."""
    body = zlib.compress(database, 6)
    try:
        own_files.replace(path, _make_head(version, body) + b"\n" + body, makes_folder=False)
    except OSError as error:
        raise UnusableFile(cannot_be_saved(path, error)) from None


def _make_head(version: int, body: bytes) -> bytes:
    begin = f"{NAME} {version} {len(body)} ".encode()
    checksum = hashlib.sha256(b"" if version < VERSION else begin)
    checksum.update(body)
    return begin + checksum.hexdigest().encode()


def read(path: str) -> tuple[int, bytes]:
    """The version of the file and what is packed in it; 0 and all of its bytes, if it has no head
    of ours. Raises ParcelError and UnusableFile."""
    try:
        data = own_files.read(path, MOST_PACKED + 1)
    except (OSError, ValueError) as error:  # such as a NUL in the path
        raise UnusableFile(cannot_be_read(path, error)) from None
    if len(data) > MOST_PACKED:
        refuse(path, Sentence("the file is too large"))
    head, _line_end, body = data.partition(b"\n")
    match = _HEAD.fullmatch(head)
    if match is None:
        return 0, data
    version, size = int(match[1]), int(match[2])
    if version > VERSION:
        refuse_version(path, version)
    if len(body) < size:
        refuse(path, Sentence("the file is incomplete; copy it again"))
    if head != _make_head(version, body):
        refuse_damaged(path)
    return version, body


def refuse_version(path: str, version: int) -> NoReturn:
    """Refuse the file of another version. Raises ParcelError."""
    refuse(
        path,
        Sentence(
            "written by another version of the companion (format {version}, this one "
            "knows {known}); update the companion",
            version=version,
            known=VERSION,
        ),
    )


def inflate(path: str, packed: bytes) -> Iterator[bytes]:
    """What was packed, piece by piece. Raises ParcelError."""
    unpack, size = zlib.decompressobj(32 + zlib.MAX_WBITS), 0  # zlib, or gzip
    try:
        while packed and not unpack.eof:
            piece = unpack.decompress(packed, _CHUNK)
            packed = unpack.unconsumed_tail
            size += len(piece)
            if size > MOST_UNPACKED:
                refuse(path, Sentence("the file is too large"))
            yield piece
    except zlib.error:
        refuse_damaged(path)
    if not unpack.eof:
        refuse(path, Sentence("the file is incomplete; copy it again"))
    if unpack.unused_data:
        refuse_damaged(path)
