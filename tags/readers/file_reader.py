"""A reader for scripts: taps come as lines from a file, a named pipe or standard input.

A line is an id in hex (a tap), ``hold`` and an id (the chip stays), or ``lift``; empty lines and
those that begin with ``#`` say nothing.  A file may grow while it is read.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Sequence
from typing import Literal, NamedTuple

from common.sentences import Sentence
from tags.readers.faults import gone, told
from tags.readers.script import Script
from tags.uids import parse_uid

LONGEST = 200
"""Characters of a line; a longer one is wrong whatever it says."""

_CHUNK = 65536


class Step(NamedTuple):
    """One line of a script of taps."""

    what: Literal["tap", "hold", "lift"]
    uid: bytes = b""


def parse_step(line: str) -> Step | None:
    """What the line says; None for an empty one and a remark.  Raises ``ValueError``."""
    words = line.split()
    if not words or words[0].startswith("#"):
        return None
    if words == ["lift"]:
        return Step("lift")
    if len(line) > LONGEST:
        raise ValueError("It is too long.")
    if words[0] == "hold":
        return Step("hold", parse_uid(" ".join(words[1:])))
    return Step("tap", parse_uid(" ".join(words)))


class FileReader:
    """A ``Reader`` of the file at ``path``, ``-`` for standard input.

    What was read stays read: opening again continues where reading stopped, unless the file is
    another one by then.  A wrong line is told as a fault of the reader and then passed over.
    """

    certain = True

    def __init__(self, path: str, name: str | None = None) -> None:
        self.path = path
        self._name = name or f"file:{path}"
        self._script = Script()
        self._source: _Source | None = None
        self._unread = b""
        self._line = 0
        self._read_up_to = (0, 0, 0)

    @property
    def name(self) -> str:
        """What people call this reader."""
        return self._name

    def open(self) -> None:
        """Begin or go on to read; harmless when open already.  Raises ``ReaderGone``."""
        if self._source is not None:
            return
        try:
            self._source = _Input() if self.path == "-" else _File(self.path)
            self._go_on(self._source)
            self._script.begin()
        except OSError as error:
            self.close()
            raise gone(error, self.name, "file") from error

    def poll(self) -> Sequence[bytes]:
        """What the next step says; never waits.  Raises ``ReaderGone``, once for a wrong line."""
        if self._source is None:
            raise told("missing", self.name, "file")
        try:
            more = self._source.read()
        except OSError as error:
            self.close()
            raise gone(error, self.name, "file") from error
        self._take(more)
        return self._script.poll()

    def close(self) -> None:
        """Let the file go; what was read and not yet handed out is kept."""
        source, self._source = self._source, None
        if source is not None:
            self._read_up_to = source.place()
            source.close()

    def _go_on(self, source: _Source) -> None:
        """Continue where reading stopped if this is still the same file."""
        if not source.resume(self._read_up_to):
            self._unread, self._line = b"", 0

    def _take(self, more: bytes) -> None:
        *lines, self._unread = (self._unread + more).split(b"\n")
        if len(self._unread) > LONGEST:
            lines.append(self._unread)
            self._unread = b""
        wrong = [problem for line in lines if (problem := self._read(line))]
        if wrong:
            raise told("failed", self.name, "file", wrong[0])

    def _read(self, line: bytes) -> str:
        """Take one line in; what is wrong with it, if anything."""
        self._line += 1
        try:
            step = parse_step(line.decode("utf-8", "replace"))
        except ValueError as error:
            return Sentence(
                "line {number} is neither an id, hold ID nor lift. {problem}",
                number=self._line,
                problem=str(error),
            )
        match step:
            case Step("tap", uid):
                self._script.tap(uid)
            case Step("hold", uid):
                self._script.hold(uid)
            case Step("lift"):
                self._script.lift()
        return ""


class _Source:
    """Where the lines come from: bytes that are there now, and a place to go on from."""

    def read(self) -> bytes:
        """What has come since the last call, at most 64 KiB.  Raises ``OSError``."""
        raise NotImplementedError

    def place(self) -> tuple[int, int, int]:
        """How far this was read."""
        return 0, 0, 0

    def resume(self, place: tuple[int, int, int]) -> bool:
        """Go on from there; whether this is still what was read then."""
        return True

    def close(self) -> None:
        """Let it go."""


class _File(_Source):
    """A file, or a pipe, which is read without ever waiting for its writer."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))

    def read(self) -> bytes:
        """Raises ``OSError`` also when the file is gone from its folder."""
        os.stat(self._path)
        try:
            return os.read(self._fd, _CHUNK)
        except BlockingIOError:
            return b""

    def place(self) -> tuple[int, int, int]:
        """Device, inode and offset."""
        found = os.fstat(self._fd)
        try:
            return found.st_dev, found.st_ino, os.lseek(self._fd, 0, os.SEEK_CUR)
        except OSError:  # a pipe
            return found.st_dev, found.st_ino, 0

    def resume(self, place: tuple[int, int, int]) -> bool:
        """Seek to where reading stopped."""
        if self.place()[:2] != place[:2]:
            return False
        if place[2]:
            os.lseek(self._fd, place[2], os.SEEK_SET)
        return True

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


class _Input(_Source):
    """Standard input, read in a thread of its own because it blocks on every system."""

    _lines: queue.SimpleQueue[bytes] | None = None

    def __init__(self) -> None:
        if _Input._lines is None:
            _Input._lines = queue.SimpleQueue()
            thread = threading.Thread(
                target=_pump, args=(_Input._lines,), name="taps from standard input", daemon=True
            )
            thread.start()

    def read(self) -> bytes:
        """Whatever lines have come in."""
        assert _Input._lines is not None
        got = b""
        while len(got) < _CHUNK:
            try:
                got += _Input._lines.get_nowait()
            except queue.Empty:
                break
        return got


def pass_on() -> queue.SimpleQueue[bytes]:
    """Where somebody else, who reads standard input, puts the lines that are for a reader of it.

    To be called before any reader of standard input is opened.
    """
    if _Input._lines is None:
        _Input._lines = queue.SimpleQueue()
    return _Input._lines


def _pump(lines: queue.SimpleQueue[bytes]) -> None:
    if sys.stdin is None:
        return
    while line := sys.stdin.buffer.readline(_CHUNK):
        lines.put(line)
