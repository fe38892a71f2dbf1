"""A terminal's keyboard, read and edited key by key: this program decides what is echoed.

Keys wait until the line before them was answered, since only then is it known whether they may be
shown. So one thread reads them, and the caller's own uses them. A line is echoed only as far as it
is known to be public.
"""

from __future__ import annotations

import codecs
import os
import struct
import sys
import threading
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from common.clean import printable
from companion.terminal import LONGEST, cut_line
from companion.terminal.raw_mode import Modes

if sys.platform != "win32":
    import fcntl
    import termios

_ENTER = "\r\n"
_BACKSPACE = "\x7f\b"
_ALL = "\x15"  # Ctrl-U
_WORD = "\x17"  # Ctrl-W
_ESCAPE = "\x1b"


class Editing:
    """The line being typed. Only a prefix of it may be shown, and is shown at once."""

    def __init__(
        self,
        write: Callable[[str], None],
        may_show: Callable[[str], bool],
        find_asked: Callable[[], object] = lambda: None,
    ) -> None:
        """`write` puts text on the screen at the cursor; `may_show` says whether a line typed so
        far may be shown, `find_asked` what it would answer: once that is something else, no more
        of it is shown."""
        self._write = write
        self._may_show = may_show
        self._find_asked = find_asked
        self.begun: object = None  # what was asked when the line began
        self.text = self.prompt = ""
        self._on_screen = 0  # how many characters of the text are on the screen
        self._sequence = ""  # of a multi-character key, such as an arrow
        self._asides = 0  # blocks of other output, one within the other
        self._is_left = False  # whether such a block has left the line

    def ask(self, prompt: str) -> None:
        """Put that before the text, in place of what stood there."""
        self.prompt = prompt
        if not self._asides:
            self._write(prompt)

    def press(self, key: str, *, seen: bool = False) -> str | None:
        """Handle one character from the keyboard; return the line, if that was Enter.

        `seen` says that the terminal has echoed the character already.
        """
        if self._is_of_sequence(key):
            return None
        if not self.text:
            self.begun = self._find_asked()
        if key in _ENTER:
            line, self.text, self.prompt, self._on_screen = self.text, "", "", 0
            self._write("" if seen else "\n")
            return cut_line(line)
        if key in _BACKSPACE:
            self._keep(len(_drop_last(self.text)))
        elif key == _ALL:
            self._keep(0)
        elif key == _WORD:
            self._keep(self.text.rstrip().rfind(" ") + 1)
        elif len(self.text) <= LONGEST and (key == "\t" or unicodedata.category(key) != "Cc"):
            self._on_screen += seen and self._on_screen == len(self.text)
            self.text += " " if key == "\t" else key
        self._show()
        return None

    @contextmanager
    def step_aside(self, *, is_sure: bool = True) -> Iterator[None]:
        """Put the block's output on lines of its own, and repeat prompt and typed text after it. If
        it `is_sure` there is any; else only a block within it says so."""
        if is_sure and not self._is_left:
            self.leave_line()
            self._is_left = True
        self._asides += 1
        try:
            yield
        finally:
            self._asides -= 1
            if self._is_left and not self._asides:
                self._is_left = False
                self._write(self.prompt)
                self._show()

    def ask_no_more(self) -> None:
        """Leave the prompt behind."""
        self.leave_line()
        self.prompt = ""

    def leave_line(self) -> None:
        """Begin a new line if anything stands on this one."""
        self._write("\n" if self._on_screen or self.prompt else "")
        self._on_screen = 0

    def _is_of_sequence(self, key: str) -> bool:
        """Whether the character belongs to an escape sequence: ESC [ … letter, ESC O x."""
        before = self._sequence
        if key == _ESCAPE or (before == _ESCAPE and key in "[O"):
            self._sequence = key
        elif before == "[" and not "@" <= key <= "~":
            pass  # its parameters
        else:
            self._sequence = ""
            return before in ("[", "O")
        return True

    def _keep(self, count: int) -> None:
        """Delete the text after the first `count` characters."""
        columns = _width(self.text[count : self._on_screen])
        self._write("\b \b" * columns)
        self.text = self.text[:count]
        self._on_screen = min(self._on_screen, count)

    def _show(self) -> None:
        is_held = len(self.text) > self._on_screen
        if is_held and self._may_show(self.text) and self.begun == self._find_asked():
            self._write(printable(self.text[self._on_screen :]))
            self._on_screen = len(self.text)


def _drop_last(text: str) -> str:
    """The text without its last character and that one's accents."""
    end = len(text)
    while end and unicodedata.combining(text[end - 1]):
        end -= 1
    return text[: max(end - 1, 0)]


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in printable(text)
    )


_AT_ONCE = 1024  # bytes per read
_END = "\x04"  # Ctrl-D


class Keys(NamedTuple):
    """Characters from the keyboard, and whether the terminal has echoed them."""

    typed: str
    seen: bool = False


class Keyboard:
    """Standard input if it is a terminal. Call `begin` before anything else, `close` at the end."""

    def __init__(self) -> None:
        self.may_show: Callable[[str], bool] = lambda text: True
        self.find_asked: Callable[[], object] = lambda: None
        self.was_seen = False  # whether the terminal has echoed any of the last line
        self._modes = Modes()
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._screen: int | None = None
        self._has_echo = False  # whether it has echoed any of the line being typed
        self._keys: deque[tuple[str, bool]] = deque()
        self._key_count = threading.Semaphore(0)
        self.editing = Editing(
            self._write, lambda text: self.may_show(text), lambda: self.find_asked()
        )

    def begin(self) -> bool:
        """Turn off the terminal's echo; return whether there is a terminal that can.

        Text typed before that was echoed by the terminal.
        """
        if not self._modes.change():
            return False
        with suppress(OSError):
            self._screen = os.open(os.ttyname(sys.stdin.fileno()), os.O_WRONLY | os.O_NOCTTY)
        self._keys += ((key, True) for key in self._read_typed_before())
        return True

    def close(self) -> None:
        self.editing.leave_line()
        self._modes.put_back()
        if self._screen is not None:
            os.close(self._screen)
            self._screen = None

    def listen(self, put: Callable[[Keys], None]) -> None:
        """Hand over keys until the terminal is closed; for a thread of its own."""
        while True:
            try:
                data = os.read(sys.stdin.fileno(), _AT_ONCE)
            except (OSError, ValueError):
                data = b""
            put(Keys(self._decoder.decode(data) if data else _END))
            if not data:
                return
            self._key_count.acquire()

    def take(self, keys: Keys) -> None:
        """Store keys until their line is asked for."""
        self._keys += ((key, keys.seen) for key in keys.typed)
        self._key_count.release()

    def line(self) -> tuple[str | None, ...]:
        """The next line, if typed completely; None in it is the end of input."""
        while self._keys:
            key, is_seen = self._keys.popleft()
            if key == _END:
                return (None,)
            self._has_echo |= is_seen
            line = self.editing.press(key, seen=is_seen)
            if line is not None:
                self.was_seen, self._has_echo = self._has_echo or not self._keep_echo_off(), False
                return (line,)
        return ()

    def _keep_echo_off(self) -> bool:
        """Whether the terminal has echoed nothing; if it has, turn off its echo again."""
        hides = self._modes.in_force
        if not hides:
            self._modes.change()
        return hides

    def _read_typed_before(self) -> str:
        keyboard, size = sys.stdin.fileno(), struct.pack("i", 0)
        with suppress(OSError):
            (waiting,) = struct.unpack("i", fcntl.ioctl(keyboard, termios.FIONREAD, size))
            if waiting:
                text = self._decoder.decode(os.read(keyboard, waiting))
                return text.replace("\0", _END)  # so the terminal keeps Ctrl-D
        return ""

    def _write(self, text: str) -> None:
        if self._screen is None:
            print(text, end="", flush=True)
            return
        with suppress(OSError):  # the terminal may be closed
            os.write(self._screen, text.encode(errors="replace"))
