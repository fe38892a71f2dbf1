"""Line editing key by key: a line is echoed only as far as it is known to be public."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.files.clean import printable
from companion.terminal.lines import LONGEST, cut

_ENTER = "\r\n"
_BACKSPACE = "\x7f\b"
_ALL = "\x15"  # Ctrl-U
_WORD = "\x17"  # Ctrl-W
_ESCAPE = "\x1b"


class Editing:
    """The line being typed. Only a prefix of it may be shown, and is shown at once."""

    def __init__(self, write: Callable[[str], None], may_show: Callable[[str], bool]) -> None:
        """`write` puts text on the screen at the cursor; `may_show` says whether a line typed so
        far may be shown."""
        self._write = write
        self._may_show = may_show
        self.text = ""
        self._shown = 0  # how many characters of the text are on the screen
        self._sequence = ""  # of a multi-character key, such as an arrow

    def press(self, key: str, *, seen: bool = False) -> str | None:
        """Handle one character from the keyboard; return the line, if that was Enter.

        `seen` says that the terminal has echoed the character already.
        """
        if self._is_of_sequence(key):
            return None
        if key in _ENTER:
            line, self.text, self._shown = self.text, "", 0
            self._write("" if seen else "\n")
            return cut(line)
        if key in _BACKSPACE:
            self._keep(len(_drop_last(self.text)))
        elif key == _ALL:
            self._keep(0)
        elif key == _WORD:
            self._keep(self.text.rstrip().rfind(" ") + 1)
        elif len(self.text) <= LONGEST and (key == "\t" or unicodedata.category(key) != "Cc"):
            self._shown += seen and self._shown == len(self.text)
            self.text += " " if key == "\t" else key
        self._show()
        return None

    @contextmanager
    def step_aside(self) -> Iterator[None]:
        """Put the block's output on lines of its own, and repeat the typed text after it."""
        self._write("\n" if self._shown else "")
        self._shown = 0
        yield
        self._show()

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
        columns = _width(self.text[count : self._shown])
        self._write("\b \b" * columns)
        self.text = self.text[:count]
        self._shown = min(self._shown, count)

    def _show(self) -> None:
        if len(self.text) > self._shown and self._may_show(self.text):
            self._write(printable(self.text[self._shown :]))
            self._shown = len(self.text)


def _drop_last(text: str) -> str:
    """The text without its last character and that one's accents."""
    end = len(text)
    while end and unicodedata.combining(text[end - 1]):
        end -= 1
    return text[: max(end - 1, 0)]


def _width(text: str) -> int:
    """The width of the text in terminal columns."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in printable(text)
    )
