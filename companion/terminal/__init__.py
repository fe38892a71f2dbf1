"""The terminal as lines: line input, echo control, events beside it, waiting for any key.

A line typed by a person or sent by a program is one valid line, however long or odd.
"""

from __future__ import annotations

import sys

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


def cut_line(line: str) -> str:
    """The line, or its beginning and `…` if it is too long."""
    return line if len(line) <= LONGEST else line[:LONGEST] + "…"
