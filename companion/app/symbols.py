"""The signs of the screen that are no words: the marks of district types, arrows, frames, bars.

`use` chooses them once at the start; everything that is shown asks here. On a console whose font
has few signs, every other one is replaced by one of ASCII, never by a box or a question mark.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

LETTERS = {"noble": "N", "religious": "R", "trade": "T", "military": "M", "unique": "U"}
SHAPES = {"noble": "♦", "religious": "†", "trade": "●", "military": "▲", "unique": "★"}

_PLAIN = str.maketrans("…·›▶▷▏↑↓–—“”’«»−█▀▄■□╭╮╰╯─│", '~->>>|^v--""\'""-#^_#.++++-|')

_marks = dict(LETTERS)
_ascii = False


def use(symbols: str | Mapping[str, str], environment: Mapping[str, str] = os.environ) -> None:
    """Show district types by `symbols`, a word of `setting_checks.SYMBOLS` or own marks."""
    global _marks, _ascii
    own = {} if isinstance(symbols, str) else symbols
    word = symbols if isinstance(symbols, str) else "auto"
    if word == "auto":
        word = "ascii" if environment.get("TERM") == "linux" else "both"
    _ascii = word == "ascii"
    both = {type_: SHAPES[type_] + letter for type_, letter in LETTERS.items()}
    _marks = {"both": both, "shapes": SHAPES}.get(word, LETTERS) | dict(own)


def mark(type_: str) -> str:
    """The mark of a district type: one or two signs."""
    return _marks[type_]


def is_plain() -> bool:
    """Whether only ASCII may be drawn."""
    return _ascii


def drawable(text: str) -> str:
    """`text` with signs that the terminal can draw, each as wide as the one it replaces."""
    return text.translate(_PLAIN) if _ascii else text
