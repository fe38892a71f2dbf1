"""Waits for a while, unless a key is pressed at the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from companion.terminal.modes import Modes, at_terminal

_STEP = 0.05  # seconds between polls of a keyboard that cannot be waited for


class Wait(Protocol):
    """Wait that many seconds; return whether a key was pressed meanwhile."""

    def __call__(self, seconds: float) -> bool: ...


@contextmanager
def listen_for_any_key() -> Iterator[Wait]:
    """Let any key of the terminal end a wait, without Enter; without a terminal nothing ends it."""
    if not at_terminal():
        yield _sleep
    elif sys.platform == "win32":
        yield _windows
    else:
        keyboard = Modes()
        keyboard.change()
        try:
            yield _posix
        finally:
            keyboard.put_back()


def _sleep(seconds: float) -> bool:
    time.sleep(seconds)
    return False


def _posix(seconds: float) -> bool:
    import select

    return bool(select.select([sys.stdin], [], [], seconds)[0])


def _windows(seconds: float) -> bool:
    if sys.platform == "win32":
        import msvcrt

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if msvcrt.kbhit():
                msvcrt.getwch()
                return True
            time.sleep(_STEP)
    return False
