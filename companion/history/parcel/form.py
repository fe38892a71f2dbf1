"""The file format: header line, checksum, compressed lines."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from common import own_files
from common.sentences import Sentence
from companion.errors import Told
from companion.files.locations import cannot_be_read, cannot_be_saved

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
