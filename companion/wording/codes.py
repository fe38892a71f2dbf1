"""QR codes at a terminal: the code of a link, or what to do where it cannot be drawn."""

from __future__ import annotations

import shutil

from companion import terminal
from companion.language import _


def fits(link: str) -> bool:
    """Whether a QR code has room for it: many long names are too much."""
    return len(link.encode()) <= terminal.CAPACITY


def draw(link: str) -> list[str]:
    """The QR code in lines for the terminal of standard output, or a sentence if it does not fit:
    half a code is useless."""
    if not fits(link):
        return [tell_too_long()]
    if terminal.is_dumb():
        return [tell_undrawable(link)]
    rows = terminal.draw_half_blocks(link)
    window = shutil.get_terminal_size()
    if len(rows[0]) > window.columns or len(rows) >= window.lines:
        return [tell_size(rows, below=1)]  # the prompt
    return [f"{terminal.DARK_ON_LIGHT}{row}{terminal.AS_BEFORE}" for row in rows]


def tell_too_long() -> str:
    return _("The names are too long for a QR code; open the link on the phone itself.")


def tell_undrawable(link: str) -> str:
    return _("This terminal cannot show a QR code; open {link} on the phone.").format(link=link)


def tell_size(rows: list[str], *, below: int = 0) -> str:
    """Say that a window is too small for the code in `rows` and `below` more lines, and what to
    do."""
    return _(
        "The QR code needs a window of {columns} columns and {lines} lines: make the font smaller."
    ).format(columns=len(rows[0]), lines=len(rows) + below)
