"""A line as it is typed, key by key: it is shown only as far as it is known to be public."""

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
    """The line being typed. What may be shown of it is a beginning, and is shown at once."""

    def __init__(self, write: Callable[[str], None], may_show: Callable[[str], bool]) -> None:
        """`write` puts text on the screen where the cursor is; `may_show` says whether a line
        typed so far may be seen."""
        self._write = write
        self._may_show = may_show
        self.text = ""
        self._shown = 0  # how many characters of the text are on the screen
        self._sequence = ""  # of a key with several characters, such as an arrow

    def press(self, key: str, *, seen: bool = False) -> str | None:
        """Take in one character that the keyboard sent; the line, if that was Enter.

        `seen` says that the terminal has shown the character already.
        """
        if self._is_of_sequence(key):
            return None
        if key in _ENTER:
            line, self.text, self._shown = self.text, "", 0
            self._write("" if seen else "\n")
            return cut(line)
        if key in _BACKSPACE:
            self._keep(len(_without_last(self.text)))
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
    def aside(self) -> Iterator[None]:
        """Something else is said meanwhile: on lines of its own, and what was typed comes after."""
        self._write("\n" if self._shown else "")
        self._shown = 0
        yield
        self._show()

    def _is_of_sequence(self, key: str) -> bool:
        """Whether the character belongs to a key that types nothing: ESC [ … letter, ESC O x."""
        before = self._sequence
        if key == _ESCAPE or (before == _ESCAPE and key in "[O"):
            self._sequence = key
        elif before == "[" and not "@" <= key <= "~":
            pass  # its numbers
        else:
            self._sequence = ""
            return before in ("[", "O")
        return True

    def _keep(self, count: int) -> None:
        """Forget what was typed behind the first `count` characters."""
        columns = _width(self.text[count : self._shown])
        self._write("\b \b" * columns)
        self.text = self.text[:count]
        self._shown = min(self._shown, count)

    def _show(self) -> None:
        if len(self.text) > self._shown and self._may_show(self.text):
            self._write(printable(self.text[self._shown :]))
            self._shown = len(self.text)


def _without_last(text: str) -> str:
    """The text without its last character, accents and all."""
    end = len(text)
    while end and unicodedata.combining(text[end - 1]):
        end -= 1
    return text[: max(end - 1, 0)]


def _width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in printable(text)
    )
