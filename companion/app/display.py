"""Renders text and symbols for the screen: always as text, never as markup or control sequences.

Names, chip texts and files can contain anything. Every widget of the caller shows `Content` made
here; foreign text is never passed to Textual as a plain string, which it would parse as markup. On
a console whose font has few symbols, each missing one is replaced by ASCII, never by a box or a
question mark; `use_symbols` decides once at startup.

The themes are dark, light, high contrast, and the terminal's own colours. No colour carries
information alone; they only make what is said in words easier to find.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from rich.cells import cell_len
from textual.content import Content
from textual.theme import BUILTIN_THEMES, Theme

from common.clean import printable
from companion.language import _, boxes, current, district_type, translate


def _theme(name: str, *, dark: bool, names: dict[str, str], **colours: str) -> Theme:
    names = {"chosen-style": "bold", **names}
    return Theme(name=name, dark=dark, variables=names, **colours)  # type: ignore[arg-type]


THEMES = (
    _theme(
        "dark",
        dark=True,
        primary="#d9a441",
        secondary="#7f93b2",
        accent="#d9a441",
        warning="#e8b84b",
        error="#ef7d6b",
        success="#86c58b",
        foreground="#e6e3da",
        background="#12161f",
        surface="#181e2a",
        panel="#222a3a",
        names={
            "quiet": "#93a0b8",
            "mark": "#3d3520",
            "on-mark": "#f4d58a",
            "gold": "#e8bd5c",
            "chosen": "#473c28",
            "refused": "#492f32",
            "edge": "#39455e",
            "noble": "#f0d060",
            "religious": "#82b4f0",
            "trade": "#86c58b",
            "military": "#ef8d7d",
            "unique": "#c9a2e8",
        },
    ),
    _theme(
        "light",
        dark=False,
        primary="#7a4a00",
        secondary="#4a5a78",
        accent="#7a4a00",
        warning="#7a4a00",
        error="#a1281b",
        success="#1f6b34",
        foreground="#1d2230",
        background="#f7f3ea",
        surface="#efe9db",
        panel="#e2dac7",
        names={
            "quiet": "#545e72",
            "mark": "#ecd9a8",
            "on-mark": "#4a2d00",
            "gold": "#7a4a00",
            "chosen": "#e3d4b4",
            "refused": "#f0cfc6",
            "edge": "#b5a988",
            "noble": "#6b5200",
            "religious": "#17498f",
            "trade": "#1f6b34",
            "military": "#a1281b",
            "unique": "#6a2f92",
        },
    ),
    _theme(
        "high-contrast",
        dark=True,
        primary="#ffff00",
        secondary="#ffffff",
        accent="#ffff00",
        warning="#ffff00",
        error="#ffff00",
        success="#ffffff",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#000000",
        names={
            "quiet": "#ffffff",
            "mark": "#ffff00",
            "on-mark": "#000000",
            "gold": "#ffff00",
            "chosen": "#4d4d00",
            "refused": "#404000",
            "edge": "#ffffff",
            "noble": "#ffffff",
            "religious": "#ffffff",
            "trade": "#ffffff",
            "military": "#ffffff",
            "unique": "#ffffff",
        },
    ),
)


def terminal_theme() -> Theme:
    """A theme of only the terminal's foreground and background: which other colours of its palette
    are readable on that background is unknown."""
    base = BUILTIN_THEMES["ansi-dark"]
    own = "ansi_default"
    names = dict.fromkeys(THEMES[0].variables, own) | {
        "edge": "ansi_bright_black",
        "chosen-style": "bold underline",
    }
    return replace(
        base,
        name="terminal",
        primary=own,
        secondary=own,
        accent=own,
        warning=own,
        error=own,
        success=own,
        variables={**base.variables, **names},
    )


def titles() -> dict[str, str]:
    """The display names of the themes, in the order in which they are offered."""
    return {
        "dark": _("dark"),
        "light": _("light"),
        "high-contrast": _("high contrast"),
        "terminal": _("same as the terminal"),
    }


SHAPES = {"noble": "♦", "religious": "†", "trade": "●", "military": "▲", "unique": "★"}
"""The symbol of each district type."""


DEEDS = {"murder": "✗", "robbery": "¤", "destruction": "▼"}
"""The symbols of hostile deeds, each shown with a word."""

_PLAIN = str.maketrans("…·›▶▷▏↑↓–—“”’«»−█▀▄■□╭╮╰╯─│✗¤▼○§", '~->>>|^v--""\'""-#^_#.++++-|x$vo?')

_own: Mapping[str, str] = {}
_word = "both"


def use_symbols(symbols: str | Mapping[str, str]) -> None:
    """Show district types by `symbols`, a word of `checks.SYMBOLS` or custom marks."""
    global _own, _word
    _own = {} if isinstance(symbols, str) else symbols
    _word = symbols if isinstance(symbols, str) else "auto"
    if _word == "auto":
        _word = "ascii" if os.environ.get("TERM") == "linux" else "both"


def type_mark(type_: str) -> str:
    """The mark of a district type: one to three characters, its letter in the current language."""
    if type_ in _own:
        return _own[type_]
    letter = _find_letter(type_, current(), boxes())
    return {"both": SHAPES[type_] + letter, "shapes": SHAPES[type_]}.get(_word, letter)


@lru_cache(256)
def _find_letter(type_: str, _language: str, _boxes: tuple[str, ...]) -> str:
    """The letter of a district type, as the boxes print it in the language."""
    return format(district_type(type_), "letter")


def is_plain() -> bool:
    """Whether only ASCII may be drawn."""
    return _word == "ascii"


def make_drawable(text: str) -> str:
    """`text` in characters that the terminal can draw, each as wide as the one it replaces."""
    return text.translate(_PLAIN) if _word == "ascii" else text


SHEET_WIDTH = 70  # cells of a line on a sheet in a terminal of 80


def paint(text: str, style: str = "") -> Content:
    """`text` as the screen shows it, on one line, in a style of the theme (`$gold bold`)."""
    return _paint(text if type(text) is str else translate(text), style, _word)


@lru_cache(4096)
def _paint(text: str, style: str, _symbols: str) -> Content:
    """One `Content` for all places that show the same: it never changes."""
    is_safe = text.isascii() and text.isprintable()
    safe = text if is_safe else make_drawable(" ".join(printable(text).split("\n")))
    return Content.styled(safe, style) if style else Content(safe)


def join(parts: Iterable[Content | str]) -> Content:
    """Parts in a row; plain strings among them are text too."""
    return Content.assemble(*[paint(p) if isinstance(p, str) else p for p in parts])


def lines(parts: Iterable[Content | str]) -> Content:
    """Parts below each other."""
    return Content("\n").join([paint(p) if isinstance(p, str) else p for p in parts])


def wrap(text: Content, width: int) -> list[Content]:
    """`text` in lines of at most `width` cells, never broken at a no-break space."""
    if _HELD.keys().isdisjoint(map(ord, text.plain)):
        return text.wrap(width)
    wrapped_lines = Content(text.plain.translate(_HELD), list(text.spans)).wrap(width)
    return [Content(row.plain.translate(_FREED), list(row.spans)) for row in wrapped_lines]


_HELD = {0xA0: 0xE000, 0x202F: 0xE001}  # spaces that Textual would wrap at; private-use characters
_FREED = {letter: space for space, letter in _HELD.items()}


def fit(text: str, width: int) -> str:
    """`text` in exactly `width` cells of the terminal, truncated with an ellipsis if longer."""
    text = printable(text)
    length = cell_len(text)
    if length > width:
        while text and cell_len(text) > width - 1:
            text = text[:-1]
        text += "…"
        length = cell_len(text)
    return text + " " * (width - length)


def fit_columns(left: str, right: str, width: int) -> str:
    """`left` and `right` at the two ends of a line; the left one is truncated first."""
    right = printable(right)
    return fit(left, max(1, width - cell_len(right) - 1)) + " " + right


def lay_in_rows(parts: list[Content], between: Content, width: int) -> list[Content]:
    """The parts in rows of at most `width` cells, never broken within one."""
    rows: list[Content] = []
    row = Content("")
    for part in parts:
        longer = row + between + part if row else part
        if row and longer.cell_length > width:
            rows.append(row)
            longer = part
        row = longer if longer.cell_length <= width else paint(fit(longer.plain, width))
    return [*rows, row]


def indent(
    mark: str, text: str, style: str, width: int, *, mark_style: str | None = None
) -> list[Content]:
    """A sentence after a mark, with a hanging indent; the mark in its own style."""
    first = paint(mark, style if mark_style is None else mark_style)
    indent = paint(" " * len(mark))
    rows = wrap(paint(text, style), max(1, width - len(mark)))
    return [(indent if at else first) + row for at, row in enumerate(rows)]


def cut(parts: list[Content], width: int, height: int) -> list[Content]:
    """The parts wrapped to `width`, as many as fit into `height` lines."""
    rows: list[Content] = []
    for part in parts:
        rows += wrap(part, width) or [Content("")]
        if len(rows) >= height:
            break
    return rows[:height]
