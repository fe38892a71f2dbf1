"""Where lines of chips come from: a file or named pipe, and standard input.

Each is read without waiting.
"""

from __future__ import annotations

import errno
import os
import queue
import stat
import sys
import threading
from typing import Literal

Silence = Literal["none", "ended", "unwritten"]
"""Why nothing more is to be read: the program that wrote has ended, or none has begun."""

_CHUNK = 65536
_SILENT = 40  # polls, some two seconds


class LineSource:
    """A source of lines, open once it is made, which raises ``OSError``."""

    def read(self) -> bytes:
        """The bytes since the last call, at most 64 KiB; none is no end. Never waits. Raises
        ``OSError`` if there is nothing more to come; a new one is made later."""
        raise NotImplementedError

    def place(self) -> tuple[int, int, int]:
        """The position reached."""
        return 0, 0, 0

    def resume(self, place: tuple[int, int, int]) -> bool:
        """Resume from there; whether this is still the same source, in which half a line goes
        on."""
        return False

    def note_silence(self) -> Silence:
        """The silence that begins now, once for each."""
        return "none"

    def close(self) -> None:
        """Close it."""


class TapFile(LineSource):
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
        os.close(self._fd)


class StandardInput(LineSource):
    """Standard input, read in its own thread because it blocks on every system."""

    is_shared = False
    _lines: queue.SimpleQueue[bytes] | None = None

    def __init__(self) -> None:
        self._has_ended = False
        if StandardInput._lines is None:
            StandardInput._lines = queue.SimpleQueue()
            thread = threading.Thread(
                target=_pump,
                args=(StandardInput._lines,),
                name="taps from standard input",
                daemon=True,
            )
            thread.start()

    def read(self) -> bytes:
        assert StandardInput._lines is not None
        got = b""
        while len(got) < _CHUNK:
            try:
                more = StandardInput._lines.get_nowait()
            except queue.Empty:
                break
            self._has_ended = not more
            got += more
        return got

    def resume(self, place: tuple[int, int, int]) -> bool:
        """It goes on where it was."""
        return True

    def note_silence(self) -> Silence:
        """Whether standard input has ended."""
        has_ended, self._has_ended = self._has_ended, False
        return "ended" if has_ended else "none"


def pass_on() -> queue.SimpleQueue[bytes]:
    """The queue into which another reader of standard input puts lines for a file reader.

    Call it before any reader of standard input is opened.
    """
    StandardInput.is_shared = True
    if StandardInput._lines is None:
        StandardInput._lines = queue.SimpleQueue()
    return StandardInput._lines


def _pump(lines: queue.SimpleQueue[bytes]) -> None:
    if sys.stdin is not None:
        # Not its own buffer: Python aborts if it ends while this thread holds that one's lock.
        with open(sys.stdin.fileno(), "rb", closefd=False) as stream:
            while line := stream.readline(_CHUNK):
                lines.put(line)
    lines.put(b"")
