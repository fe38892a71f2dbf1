"""The reader behind the open door: chips come as lines (``tags.chip_lines``) from a file, a named
pipe or standard input.

Several readers may share one file: a line that ends in ``@`` and a reader's name is that one's.
"""

from __future__ import annotations

import errno
import os
import queue
import re
import stat
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal
from weakref import WeakValueDictionary

from common.sentences import Sentence
from tags.chip_lines import (
    LONGEST,
    ChipLine,
    IsKnown,
    NotUnderstood,
    is_made,
    parse_line,
    shorten,
)
from tags.presence import AGAIN, POLLED, Traits
from tags.readers import explain_error, explain_fault

SEEN = 2
"""The fewest polls that see a chip: two, because an unknown id counts only when read twice."""

UNSEEN = 2
"""Polls that miss it afterwards: enough for a lift without a dropout time."""

TOLD_EVERY = 60.0
"""Seconds between two notices about lines that are not understood."""

STANDARD_INPUT = "-"

Silence = Literal["none", "ended", "unwritten"]
"""Why nothing more is to be read: the program that wrote has ended, or none has begun."""

_REPEATED = SEEN + round(AGAIN / POLLED.interval)
_CHUNK = 65536
_SILENT = 40  # polls, some two seconds
_PAUSE = 10  # polls that end a line, half a second: not every program writes the end of one
_ENDS = re.compile(rb"[\r\n\x03]")  # serial readers end with a return or ETX


class Script:
    """A queue of future polls; when empty, the last poll repeats."""

    def __init__(self) -> None:
        self._polls: deque[bytes | None] = deque()
        self._last: bytes | None = None
        self._number = 0  # polls so far
        self._reports: dict[bytes, int] = {}  # the poll of each chip's last report

    def begin(self) -> None:
        """Start after opening: later chips were not there before, unless held."""
        if self._last is None:
            self._polls.appendleft(None)

    def tap(self, uid: bytes) -> None:
        """Queue laying the chip on and taking it away."""
        self._polls += [uid] * SEEN + [None] * UNSEEN

    def report(self, uid: bytes) -> None:
        """Queue a tap, unless the same chip was reported within a second: that is one touch."""
        now = self._number + len(self._polls)
        last = self._reports.get(uid)
        self._reports = {one: at for one, at in self._reports.items() if now - at < _REPEATED}
        self._reports[uid] = now
        if last is None or now - last >= _REPEATED:
            self.tap(uid)

    def hold(self, uid: bytes) -> None:
        """Queue replacing the chip there with this one, which stays."""
        self._polls += [uid] * SEEN

    def lift(self, uid: bytes = b"") -> None:
        """Queue taking away the chip there, if it is that one."""
        lying = self._polls[-1] if self._polls else self._last
        if uid in (b"", lying):
            self._polls += [None] * UNSEEN

    def wait(self, seconds: float) -> None:
        """Queue that time without a change."""
        self._polls += [self._polls[-1] if self._polls else self._last] * round(
            seconds / POLLED.interval
        )

    def poll(self) -> Sequence[bytes]:
        """The chips of the next poll."""
        self._number += 1
        if self._polls:
            self._last = self._polls.popleft()
        return () if self._last is None else (self._last,)


class Doubts:
    """What a reader sent that was not understood: told at once, then once a minute."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._next = float("-inf")

    def tell(self, text: str) -> str | None:
        """The notice about that text; None if there was one lately."""
        now = self._clock()
        if now < self._next:
            return None
        self._next = now + TOLD_EVERY
        return Sentence(
            "{name} sent something that is not understood: {text}",
            name=self._name,
            text=shorten(text),
        )


class FileReader:
    """A ``Reader`` of the file at ``path``, ``-`` for standard input.

    Opening again continues where reading stopped, unless the file was replaced. ``is_known`` tells
    whether a chip has been learned; ``clock`` counts seconds.
    """

    traits = Traits(by_hand=False, writes=False, reads_bytes=False)

    def __init__(
        self,
        path: str,
        name: str | None = None,
        is_known: IsKnown = lambda uid: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self._name = name or f"file:{path}"
        self._is_known = is_known
        self._script = Script()
        self._names: dict[bytes, str] = {}
        self._notices: deque[str] = deque()
        self._doubts = Doubts(self._name, clock)
        self._is_open = False
        place = path if path == STANDARD_INPUT else os.path.realpath(path)
        self._door = _doors.setdefault(place, _Door(path))
        self._door.admit(self._name)

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Start or resume reading; no-op when open. Raises ``ReaderError``."""
        if self._is_open:
            return
        try:
            self._door.open(self._name)
        except OSError as error:
            raise explain_error(error, self.name, "file") from error
        self._is_open = True
        self._script.begin()

    def poll(self) -> Sequence[bytes]:
        """The chips of the next step; never waits. Raises ``ReaderError``."""
        if not self._is_open:
            raise explain_fault("missing", self.name, "file")
        try:
            lines, wrong, silence = self._door.read(self._name, self._is_known)
        except OSError as error:
            self.close()
            raise explain_error(error, self.name, "file") from error
        for text in wrong:
            if (notice := self._doubts.tell(text)) is not None:
                self._notices.append(notice)
        if silence != "none":
            self._notices.append(_explain_silence(silence, self._name))
        for line in lines:
            self._take(line)
        return self._script.poll()

    def take_notice(self) -> str | None:
        """The next notice about what was read, each once."""
        return self._notices.popleft() if self._notices else None

    def name_of(self, uid: bytes) -> str | None:
        """The chip's name in the line."""
        return self._names.get(uid)

    def close(self) -> None:
        """Close the file; steps already read are kept."""
        if self._is_open:
            self._is_open = False
            self._door.close(self._name)

    def _take(self, line: ChipLine) -> None:
        if line.name is not None:
            self._names[line.uid] = line.name
        match line.what:
            case "tap" if self._door.is_typed:
                self._script.tap(line.uid)
            case "tap":
                self._script.report(line.uid)
            case "hold":
                self._script.hold(line.uid)
            case "lift":
                self._script.lift(line.uid)
            case "wait":
                self._script.wait(line.seconds)


def _explain_silence(silence: Silence, name: str) -> Sentence:
    if silence == "ended":
        return Sentence(
            "The program that writes into {name} has ended; start it again to go on with its "
            "chips.",
            name=name,
        )
    return Sentence("No program writes into {name} yet; start the one that does.", name=name)


class _Door:
    """One file, and the readers whose lines are in it; thread-safe."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._source: _Source | None = None
        self._read_up_to = (0, 0, 0)
        self._unread = b""
        self._quiet = 0  # polls since the last byte
        self._lines: dict[str, deque[ChipLine]] = {}
        self._users: set[str] = set()
        self._guard = threading.Lock()

    @property
    def is_typed(self) -> bool:
        """Whether the lines come from whoever types the game, too."""
        return self._path == STANDARD_INPUT and _Input.is_shared

    def admit(self, name: str) -> None:
        """Keep that reader's lines for it; the first reader gets those that name none."""
        with self._guard:
            self._lines.setdefault(name, deque())

    def open(self, name: str) -> None:
        """Open the file for that reader. Raises ``OSError``."""
        with self._guard:
            if self._source is None:
                self._source = _Input() if self._path == STANDARD_INPUT else _File(self._path)
                if not self._source.resume(self._read_up_to):
                    self._unread = b""
            self._users.add(name)

    def close(self, name: str) -> None:
        """Close it, if no other reader uses it."""
        with self._guard:
            self._users.discard(name)
            if not self._users:
                self._shut()

    def read(self, name: str, is_known: IsKnown) -> tuple[list[ChipLine], list[str], Silence]:
        """That reader's next lines, those that are not understood, and the silence that begins
        now. Raises ``OSError``."""
        with self._guard:
            if self._source is None:
                raise FileNotFoundError(2, os.strerror(2))
            try:
                more = self._source.read()
            except OSError:
                self._shut()
                raise
            *lines, self._unread = _ENDS.split(self._unread + more)
            self._quiet = 0 if more else self._quiet + 1
            if len(self._unread) > LONGEST or self._quiet >= _PAUSE:
                lines.append(self._unread)
                self._unread = b""
            wrong = [text for line in lines if (text := self._sort(line, is_known))]
            mine, self._lines[name] = list(self._lines[name]), deque()
            return mine, wrong, self._source.note_silence()

    def _shut(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            self._read_up_to = source.place()
            source.close()

    def _sort(self, line: bytes, is_known: IsKnown) -> str:
        """Give the line to its reader; returns it if it is not understood."""
        text = line.decode("utf-8", "replace")
        try:
            step = parse_line(text, is_known)
        except NotUnderstood as error:
            return str(error)
        if step is None:
            return ""
        first = next(iter(self._lines))
        names = {name.casefold(): name for name in self._lines}
        reader = names.get(step.reader.casefold()) if step.reader else first
        if reader is None and first == f"file:{self._path}":
            reader = first  # the only reader, which has no name
        if reader is None:
            return text
        self._lines[reader].append(step)
        return ""


_doors: WeakValueDictionary[str, _Door] = WeakValueDictionary()


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

    def note_silence(self) -> Silence:
        """The silence that begins now, once for each."""
        return "none"

    def close(self) -> None:
        """Close it."""


class _File(_Source):
    """A file, or a pipe read without blocking on its writer."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        mode = os.fstat(self._fd).st_mode
        if stat.S_ISDIR(mode):
            os.close(self._fd)
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        self._is_pipe = stat.S_ISFIFO(mode)
        self._has_writer = False
        self._present = 0  # polls in which the last writer was there, or wrote
        self._silent: int | None = 0  # polls without a writer; None once told
        self._was_told = False

    def read(self) -> bytes:
        """Raises ``OSError`` also when the file was removed."""
        size = os.stat(self._path).st_size
        if not self._is_pipe and size < self.place()[2]:
            os.lseek(self._fd, 0, os.SEEK_SET)  # emptied, and written anew
        try:
            more = os.read(self._fd, _CHUNK)
        except BlockingIOError:
            more, is_there = b"", True
        else:
            is_there = bool(more)
        if is_there:
            self._present = 1 if self._silent != 0 else self._present + 1
            self._has_writer, self._silent = True, 0
        elif self._silent is not None:
            self._silent += 1
        return more

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

    def note_silence(self) -> Silence:
        """Whether the program that wrote into the pipe has ended, or none writes into it."""
        if not self._is_pipe or self._silent is None:
            return "none"
        if self._silent < (1 if self._has_writer else _SILENT):
            return "none"
        self._silent = None
        if not self._has_writer:
            return "unwritten"
        if self._was_told and self._present < _SILENT:
            return "none"  # a program that is started for each chip, such as echo
        self._was_told = True
        return "ended"

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


class _Input(_Source):
    """Standard input, read in its own thread because it blocks on every system."""

    is_shared = False
    _lines: queue.SimpleQueue[bytes] | None = None

    def __init__(self) -> None:
        self._has_ended = False
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
                more = _Input._lines.get_nowait()
            except queue.Empty:
                break
            self._has_ended = not more
            got += more
        return got

    def note_silence(self) -> Silence:
        """Whether standard input has ended."""
        has_ended, self._has_ended = self._has_ended, False
        return "ended" if has_ended else "none"


def pass_on() -> queue.SimpleQueue[bytes]:
    """The queue into which another reader of standard input puts lines for a file reader.

    Call it before any reader of standard input is opened.
    """
    _Input.is_shared = True
    if _Input._lines is None:
        _Input._lines = queue.SimpleQueue()
    return _Input._lines


def parse_typed(line: str) -> ChipLine | None:
    """The tap in a line of standard input that may as well be typed for the game: an id alone or in
    JSON, ``hold``, ``lift`` or ``wait``. None for anything else."""
    try:
        step = parse_line(line)
    except NotUnderstood:
        return None
    if step is None or step.name is not None or step.reader or is_made(step.uid):
        return None
    is_word = step.what != "lift" or line.strip() == "lift"
    return step if is_word else None


def _pump(lines: queue.SimpleQueue[bytes]) -> None:
    if sys.stdin is not None:
        # Not its own buffer: Python aborts if it ends while this thread holds that one's lock.
        with open(sys.stdin.fileno(), "rb", closefd=False) as stream:
            while line := stream.readline(_CHUNK):
                lines.put(line)
    lines.put(b"")
