"""Reports signals from a separate thread as soon as they arrive.

Python runs a signal's handler in the main thread, and only when that thread runs: while it waits
for input, a signal that the system has delivered to another thread wakes nobody.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

Tell = Callable[[int], None]

_listeners: list[Tell] = []
_told: int | None = None  # the pipe to which the system's own handler writes each signal's number


def listen(tell: Tell) -> None:
    """Call `tell` in another thread with the number of each handled signal, until `forget`; for the
    main thread."""
    global _told
    _listeners.append(tell)
    if _told is None:
        heard, _told = os.pipe()
        os.set_blocking(_told, False)
        signal.set_wakeup_fd(_told, warn_on_full_buffer=False)
        threading.Thread(target=_pass_on, args=(heard,), name="signals", daemon=True).start()


def forget(tell: Tell) -> None:
    """Stop calling `tell`; for the main thread."""
    global _told
    if tell in _listeners:
        _listeners.remove(tell)
    if not _listeners and _told is not None:
        signal.set_wakeup_fd(-1)
        os.close(_told)  # the thread ends
        _told = None


def _pass_on(heard: int) -> None:
    with os.fdopen(heard, "rb", buffering=0) as signals:
        while number := signals.read(1):
            for tell in tuple(_listeners):
                tell(number[0])
