"""Puts the terminal into raw mode without echo for a while, and restores it however the program
ends.

If the program is ended or stopped meanwhile, the shell would inherit the mode: a signal that ends
or stops the program restores the terminal first, and one that continues it changes the mode again.
Text typed in between is discarded, since the terminal has echoed it.
"""

from __future__ import annotations

import os
import select
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

if sys.platform == "win32":
    import msvcrt
else:
    import termios

Tell = Callable[[int], None]

_listeners: list[Tell] = []
_pipe: int | None = None  # the pipe to which the system's own handler writes each signal's number


def listen_for_signals(tell: Tell) -> None:
    """Call `tell` in another thread with the number of each handled signal, until `forget`; for the
    main thread."""
    global _pipe
    _listeners.append(tell)
    if _pipe is None:
        pipe_end, _pipe = os.pipe()
        os.set_blocking(_pipe, False)
        signal.set_wakeup_fd(_pipe, warn_on_full_buffer=False)
        threading.Thread(target=_pass_on, args=(pipe_end,), name="signals", daemon=True).start()


def ignore_signals(tell: Tell) -> None:
    """Stop calling `tell`; for the main thread."""
    global _pipe
    if tell in _listeners:
        _listeners.remove(tell)
    if not _listeners and _pipe is not None:
        signal.set_wakeup_fd(-1)
        os.close(_pipe)  # the thread ends
        _pipe = None


def _pass_on(signal_number: int) -> None:
    with os.fdopen(signal_number, "rb", buffering=0) as signals:
        while number := signals.read(1):
            for tell in tuple(_listeners):
                tell(number[0])


Attributes = list[Any]
"""What `termios.tcgetattr` gives."""

_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")
_STOPPING = "SIGTSTP"
_CONTINUING = "SIGCONT"


def at_terminal() -> bool:
    """Whether a person types here: standard input is a terminal."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:
        return False  # closed


def has_input() -> bool:
    """Whether anything can come on standard input: it is a terminal, a pipe or a file."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode if sys.stdin is not None else 0
    except (OSError, ValueError):
        return False  # closed
    return at_terminal() or not (mode == 0 or stat.S_ISCHR(mode))


def _key_by_key(modes: Attributes) -> None:
    modes[3] &= ~(termios.ECHO | termios.ICANON)
    modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0


class Modes:
    """The modes of the terminal at standard input, with at most one change in force.

    Use it from the main thread, which gets the signals.
    """

    def __init__(self) -> None:
        self._before: Attributes | None = None
        self._handlers: dict[int, Any] = {}
        self._guard = threading.RLock()

    @property
    def changed(self) -> bool:
        """Whether the change was made and not undone."""
        return self._before is not None

    @property
    def in_force(self) -> bool:
        """Whether the change was made and is still in force: another program may have changed the
        terminal meanwhile."""
        if self._before is None:
            return False
        with suppress(OSError, ValueError, termios.error):
            now = termios.tcgetattr(sys.stdin)
            attributes = [*now]
            _key_by_key(attributes)
            return now == attributes
        return False

    def change(self) -> bool:
        """Make the change, again if it was lost; return whether it is in force."""
        if self._before is None:
            if sys.platform == "win32" or not at_terminal():
                return False
            try:
                self._before = termios.tcgetattr(sys.stdin)
            except (OSError, ValueError, termios.error):
                return False
            self._catch()
            self._make(termios.TCSADRAIN)
        else:
            self._change_again()
        if not self.in_force:
            self.put_back()
        return self.changed

    def put_back(self) -> None:
        with self._guard:
            if self._before is None:
                return
            self._set(self._before)
            self._before = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers = {}
        ignore_signals(self._hear)

    def _make(self, when: int) -> None:
        with suppress(OSError, ValueError, termios.error):
            attributes = termios.tcgetattr(sys.stdin)
            _key_by_key(attributes)
            termios.tcsetattr(sys.stdin, when, attributes)

    def _set(self, modes: Attributes) -> None:
        with suppress(OSError, ValueError, termios.error):  # the terminal may be closed
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)

    def _change_again(self) -> None:
        """Make the change again if it was lost, and discard text typed meanwhile; for any
        thread."""
        with self._guard:
            if self._before is not None and not self.in_force:
                self._make(termios.TCSAFLUSH)

    # -- signals ----------------------------------------------------------------------------

    def _catch(self) -> None:
        handlers = {name: self._end for name in _ENDING}
        handlers |= {_STOPPING: self._stop, _CONTINUING: lambda number, frame: None}
        for name, handler in handlers.items():
            number = signal.Signals[name]
            self._handlers[number] = signal.signal(number, handler)
        listen_for_signals(self._hear)

    def _hear(self, number: int) -> None:
        if number == signal.Signals[_CONTINUING]:
            self._change_again()

    def _end(self, number: int, frame: object) -> None:
        self.put_back()
        os.kill(os.getpid(), number)

    def _stop(self, number: int, frame: object) -> None:
        if self._before is not None:
            self._set(self._before)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)  # returns on continue, at once if nobody could continue it
        signal.signal(number, self._stop)
        self._change_again()


_STEP = 0.05  # seconds between polls of a keyboard that cannot be waited for


Wait = Callable[[float], bool]
"""Waits that many seconds; returns whether a key was pressed meanwhile."""


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
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def _windows(seconds: float) -> bool:
    if sys.platform == "win32":
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if msvcrt.kbhit():
                msvcrt.getwch()
                return True
            time.sleep(_STEP)
    return False
