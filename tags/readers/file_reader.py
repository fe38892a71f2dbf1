"""A reader for scripts: taps come as lines from a file, a named pipe or standard input.

A line is an id in hex (a tap), ``hold`` and an id (the chip stays), ``lift``, or ``wait`` and up to
60 seconds, as before the same chip again; empty lines and lines that begin with ``#`` are ignored.
A file may grow while it is read.
"""

from __future__ import annotations

import os
import queue
import re
import sys
import threading
from collections import deque
from collections.abc import Sequence
from typing import Literal

from common import NamedTuple
from common.sentences import Sentence
from tags.links import parse_uid
from tags.presence import POLLED, Road
from tags.readers import explain_error, explain_fault

SEEN = 2
"""The fewest polls that see a chip: two, because an unknown id counts only when read twice."""

UNSEEN = 2
"""Polls that miss it afterwards: enough for a lift without a dropout time."""


class Script:
    """A queue of future polls; when empty, the last poll repeats."""

    def __init__(self) -> None:
        self._polls: deque[bytes | None] = deque()
        self._last: bytes | None = None

    def begin(self) -> None:
        """Start after opening: later chips were not there before, unless held."""
        if self._last is None:
            self._polls.appendleft(None)

    def tap(self, uid: bytes) -> None:
        """Queue laying the chip on and taking it away."""
        self._polls += [uid] * SEEN + [None] * UNSEEN

    def hold(self, uid: bytes) -> None:
        """Queue replacing the chip there with this one, which stays."""
        self._polls += [uid] * SEEN

    def lift(self) -> None:
        """Queue taking away the chip there."""
        self._polls += [None] * UNSEEN

    def wait(self, seconds: float) -> None:
        """Queue that time without a change."""
        self._polls += [self._polls[-1] if self._polls else self._last] * round(
            seconds / POLLED.interval
        )

    def poll(self) -> Sequence[bytes]:
        """The chips of the next poll."""
        if self._polls:
            self._last = self._polls.popleft()
        return () if self._last is None else (self._last,)


LONGEST = 200
"""The most characters in a line; a longer one is invalid."""

LONGEST_WAIT = 60
"""The most seconds that a line waits."""

_SECONDS = re.compile(r"[0-9]{1,2}(\.[0-9]{1,3})?")
_CHUNK = 65536


class ScriptStep(NamedTuple):
    """One line of a script of taps."""

    what: Literal["tap", "hold", "lift", "wait"]
    uid: bytes = b""
    seconds: float = 0


def parse_step(line: str) -> ScriptStep | None:
    """Parse a line; None if it is empty or a comment. Raises ``ValueError``."""
    words = line.split()
    if not words or words[0].startswith("#"):
        return None
    if words == ["lift"]:
        return ScriptStep("lift")
    if len(line) > LONGEST:
        raise ValueError("It is too long.")
    if words[0] == "wait":
        return ScriptStep("wait", seconds=_parse_wait(" ".join(words[1:])))
    if words[0] == "hold":
        return ScriptStep("hold", parse_uid(" ".join(words[1:])))
    return ScriptStep("tap", parse_uid(" ".join(words)))


def _parse_wait(text: str) -> float:
    """The seconds to wait. Raises ``ValueError``."""
    if not _SECONDS.fullmatch(text) or float(text) > LONGEST_WAIT:
        raise ValueError(Sentence("“wait” takes 0 to {most} seconds.", most=LONGEST_WAIT))
    return float(text)


class FileReader:
    """A ``Reader`` of the file at ``path``, ``-`` for standard input.

    Opening again continues where reading stopped, unless the file was replaced. An invalid line is
    reported as a fault of the reader, then skipped.
    """

    road = Road(sees_two=False, by_hand=False, writes=False)

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
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Start or resume reading; no-op when open. Raises ``ReaderError``."""
        if self._source is not None:
            return
        try:
            self._source = _Input() if self.path == "-" else _File(self.path)
            self._go_on(self._source)
            self._script.begin()
        except OSError as error:
            self.close()
            raise explain_error(error, self.name, "file") from error

    def poll(self) -> Sequence[bytes]:
        """The chips of the next step; never waits. Raises ``ReaderError``, once for an invalid
        line."""
        if self._source is None:
            raise explain_fault("missing", self.name, "file")
        try:
            more = self._source.read()
        except OSError as error:
            self.close()
            raise explain_error(error, self.name, "file") from error
        self._take(more)
        return self._script.poll()

    def close(self) -> None:
        """Close the file; steps already read are kept."""
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
            raise explain_fault("failed", self.name, "file", wrong[0])

    def _read(self, line: bytes) -> str:
        """Queue one line's step; returns what is wrong with it, if anything."""
        self._line += 1
        try:
            step = parse_step(line.decode("utf-8", "replace"))
        except ValueError as error:
            return Sentence(
                "line {number} is neither an id, hold ID, lift nor wait SECONDS. {problem}",
                number=self._line,
                problem=str(error),
            )
        match step:
            case ScriptStep("tap", uid):
                self._script.tap(uid)
            case ScriptStep("hold", uid):
                self._script.hold(uid)
            case ScriptStep("lift"):
                self._script.lift()
            case ScriptStep("wait", seconds=seconds):
                self._script.wait(seconds)
        return ""


class _Source:
    """A source of lines: its available bytes, and a position to resume from."""

    def read(self) -> bytes:
        """The bytes since the last call, at most 64 KiB. Raises ``OSError``."""
        raise NotImplementedError

    def place(self) -> tuple[int, int, int]:
        """The position reached."""
        return 0, 0, 0

    def resume(self, place: tuple[int, int, int]) -> bool:
        """Resume from there; whether this is still the same source."""
        return True

    def close(self) -> None:
        """Close it."""


class _File(_Source):
    """A file, or a pipe read without blocking on its writer."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))

    def read(self) -> bytes:
        """Raises ``OSError`` also when the file was removed."""
        os.stat(self._path)
        try:
            return os.read(self._fd, _CHUNK)
        except BlockingIOError:
            return b""

    def place(self) -> tuple[int, int, int]:
        """Device, inode and offset."""
        status = os.fstat(self._fd)
        try:
            return status.st_dev, status.st_ino, os.lseek(self._fd, 0, os.SEEK_CUR)
        except OSError:  # a pipe
            return status.st_dev, status.st_ino, 0

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
    """Standard input, read in its own thread because it blocks on every system."""

    _lines: queue.SimpleQueue[bytes] | None = None

    def __init__(self) -> None:
        if _Input._lines is None:
            _Input._lines = queue.SimpleQueue()
            thread = threading.Thread(
                target=_pump, args=(_Input._lines,), name="taps from standard input", daemon=True
            )
            thread.start()

    def read(self) -> bytes:
        """The lines received."""
        assert _Input._lines is not None
        got = b""
        while len(got) < _CHUNK:
            try:
                got += _Input._lines.get_nowait()
            except queue.Empty:
                break
        return got


def pass_on() -> queue.SimpleQueue[bytes]:
    """The queue into which another reader of standard input puts lines for a file reader.

    Call it before any reader of standard input is opened.
    """
    if _Input._lines is None:
        _Input._lines = queue.SimpleQueue()
    return _Input._lines


def _pump(lines: queue.SimpleQueue[bytes]) -> None:
    if sys.stdin is None:
        return
    # Not its own buffer: Python aborts if it ends while this thread holds that one's lock.
    with open(sys.stdin.fileno(), "rb", closefd=False) as stream:
        while line := stream.readline(_CHUNK):
            lines.put(line)
