"""Puts the terminal into raw mode without echo for a while, and restores it however the program
ends.

If the program is ended or stopped meanwhile, the shell would inherit the mode: a signal that ends
or stops the program restores the terminal first, and one that continues it changes the mode again.
Text typed in between is discarded, since the terminal has echoed it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any

from companion.terminal import signals

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


def _key_by_key(modes: Attributes) -> None:
    import termios

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
        import termios

        with suppress(OSError, ValueError, termios.error):
            now = termios.tcgetattr(sys.stdin)
            wanted = [*now]
            _key_by_key(wanted)
            return now == wanted
        return False

    def change(self) -> bool:
        """Make the change, again if it was lost; return whether it is in force."""
        if self._before is None:
            if not at_terminal():
                return False
            try:
                import termios
            except ImportError:
                return False  # a Windows console
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
        """Undo the change."""
        with self._guard:
            if self._before is None:
                return
            self._set(self._before)
            self._before = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers = {}
        signals.forget(self._hear)

    def _make(self, when: int) -> None:
        import termios

        with suppress(OSError, ValueError, termios.error):
            wanted = termios.tcgetattr(sys.stdin)
            _key_by_key(wanted)
            termios.tcsetattr(sys.stdin, when, wanted)

    def _set(self, modes: Attributes) -> None:
        import termios

        with suppress(OSError, ValueError, termios.error):  # the terminal may be closed
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)

    def _change_again(self) -> None:
        """Make the change again if it was lost, and discard text typed meanwhile; for any
        thread."""
        import termios

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
        signals.listen(self._hear)

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
