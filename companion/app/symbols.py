"""The screen's symbols: district types, arrows, frames, bars.

`use` sets them once at startup; everything displayed asks here. On a console whose font has few
symbols, each missing one is replaced by ASCII, never by a box or a question mark.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from companion.language import district_type
from companion.wording.signs import SHAPES

DEEDS = {"murder": "✗", "robbery": "¤", "destruction": "▼"}
"""The symbols of hostile deeds, each shown with a word."""

_PLAIN = str.maketrans("…·›▶▷▏↑↓–—“”’«»−█▀▄■□╭╮╰╯─│✗¤▼", '~->>>|^v--""\'""-#^_#.++++-|x$v')

_own: Mapping[str, str] = {}
_word = "both"


def use(symbols: str | Mapping[str, str], environment: Mapping[str, str] = os.environ) -> None:
    """Show district types by `symbols`, a word of `checks.SYMBOLS` or custom marks."""
    global _own, _word
    _own = {} if isinstance(symbols, str) else symbols
    _word = symbols if isinstance(symbols, str) else "auto"
    if _word == "auto":
        _word = "ascii" if environment.get("TERM") == "linux" else "both"


def mark(type_: str) -> str:
    """The mark of a district type: one to three characters, its letter in the current language."""
    if type_ in _own:
        return _own[type_]
    letter = format(district_type(type_), "letter")
    return {"both": SHAPES[type_] + letter, "shapes": SHAPES[type_]}.get(_word, letter)


def is_plain() -> bool:
    """Whether only ASCII may be drawn."""
    return _word == "ascii"


def make_drawable(text: str) -> str:
    """`text` in characters that the terminal can draw, each as wide as the one it replaces."""
    return text.translate(_PLAIN) if is_plain() else text
