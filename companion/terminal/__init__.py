"""The terminal as lines: line input, echo control, events beside it, waiting for any key.

A line typed by a person or sent by a program is one valid line, however long or odd. QR codes are
drawn here, for terminals, pages and paper.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import segno


LONGEST = 1000
"""How many characters of a line are read; the rest is cut off, never read as another line."""


def use_utf8() -> None:
    """Read and print UTF-8, tolerating invalid bytes."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            errors = "replace" if stream is sys.stdin else "backslashreplace"
            stream.reconfigure(encoding="utf-8", errors=errors)


def read_line() -> str | None:
    """The next line of standard input, without its newline; None at end of input.

    A line that is too long ends with `…`, so that it is not a move.
    """
    if sys.stdin is None:  # started without one
        return None
    try:
        line = sys.stdin.readline(LONGEST + 1)
        rest = line
        while rest and not rest.endswith("\n"):
            rest = sys.stdin.readline(LONGEST)
            if rest and len(line) <= LONGEST:
                line += rest
    except (OSError, ValueError):
        return None  # the terminal was closed: treat it as end of input
    if not line:
        return None
    return cut_line(line.removesuffix("\n"))


def break_line(line: str, stream: TextIO) -> list[str]:
    """The line broken at words to the width of the terminal to which `stream` prints; whole on a
    pipe or in a file."""
    if stream is None or not stream.isatty():
        return [line]
    width = max(20, shutil.get_terminal_size().columns - 1)  # a full line would wrap by itself
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [line]


def cut_line(line: str) -> str:
    """The line, or its beginning and `…` if it is too long."""
    return line if len(line) <= LONGEST else line[:LONGEST] + "…"


CAPACITY = 2953
"""The longest text that a QR code holds, in bytes of UTF-8."""

QUIET, NARROW = 4, 2  # modules of light around a code; enough if room is short

DARK_ON_LIGHT, AS_BEFORE = "\x1b[30;107m", "\x1b[0m"
"""Terminal colours for a line of the code, whatever the terminal's own are, and their reset."""


def encode(text: str, version: int | None = None) -> segno.QRCode:
    """The smallest QR code for a text, or one of the standard's size `version`, with as much error
    correction as fits. Raises ValueError for a longer text than CAPACITY.
    """
    import segno  # lazy: only if a code is drawn

    return segno.make_qr(text, error="l", version=version)


def list_rows(text: str, version: int | None = None) -> tuple[bytes, ...]:
    """The code without its quiet zone: rows of dark (1) and light (0) modules."""
    return tuple(map(bytes, encode(text, version).matrix))


def is_dumb() -> bool:
    """Whether the terminal would show colours as signs, as one inside an editor may."""
    return os.environ.get("TERM") == "dumb"


def draw_half_blocks(text: str) -> list[str]:
    """The code as lines of characters, two modules high each; print it dark on light."""
    rows = [[bool(dark) for dark in row] for row in encode(text).matrix_iter(border=NARROW)]
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(" ▄▀█"[2 * above + below] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def draw_inline(text: str) -> str:
    """The code as SVG, for inlining in a page."""
    svg: str = encode(text).svg_inline(scale=8, border=QUIET, omitsize=True, light="#fff")
    return svg


def draw_picture(text: str) -> str:
    """The code as SVG in a data URL."""
    return encode(text).svg_data_uri(border=QUIET, dark="#000", light="#fff", omitsize=True)
