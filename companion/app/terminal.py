"""What the caller must know of the terminal it runs in, beyond what Textual tells."""

from __future__ import annotations

import select
import sys


def terminal_is_gone() -> bool:
    """Whether the terminal has been closed: its other end hung up, or there is no input at all."""
    if not hasattr(select, "poll") or sys.__stdin__ is None:
        return False
    try:
        watched = select.poll()
        watched.register(sys.__stdin__.fileno(), 0)  # only what cannot be asked to be left out
        return any(event & select.POLLHUP for _file, event in watched.poll(0))
    except (OSError, ValueError):
        return True
