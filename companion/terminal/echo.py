"""Whether a terminal shows what is typed: hidden while somebody names a character in private."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import Any

_ENDING = ("SIGTERM", "SIGHUP")


class Echo:
    """The echo of standard input; without a terminal there is none, and nothing to do.

    A shell whose program is ended while typing is hidden would stay so: a signal that ends the
    program shows it again first.
    """

    def __init__(self) -> None:
        self.hidden = False
        self._before: list[Any] | None = None
        self._handlers: dict[int, Any] = {}

    @property
    def at_terminal(self) -> bool:
        """Whether a person types here, and a terminal would show it."""
        try:
            return sys.stdin is not None and sys.stdin.isatty()
        except ValueError:
            return False  # closed

    def hide(self) -> bool:
        """Show no longer what is typed; whether that could be done."""
        if self.hidden or not self.at_terminal:
            return self.hidden
        try:
            import termios
        except ImportError:
            return False  # a console of Windows
        try:
            self._before = termios.tcgetattr(sys.stdin)
            quiet = termios.tcgetattr(sys.stdin)
            quiet[3] &= ~termios.ECHO
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, quiet)
        except (OSError, ValueError, termios.error):
            return False
        self.hidden = True
        for name in _ENDING:
            number = getattr(signal, name, None)
            if number is not None:
                self._handlers[number] = signal.signal(number, self._ended)
        return True

    def show(self) -> None:
        """Show again what is typed."""
        if not self.hidden:
            return
        self.hidden = False
        import termios

        with suppress(OSError, ValueError, termios.error):  # the terminal may have gone
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before or [])
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers = {}

    def _ended(self, number: int, frame: object) -> None:
        self.show()
        os.kill(os.getpid(), number)
