"""An application that leaves the terminal as it found it, whatever ends it, and shows no traceback.

Textual would end on a byte that is not UTF-8, print the values of the program with every mistake,
and leave the screen as it is when a signal ends it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.app import App

from companion import errors
from companion.app.terminal import terminal_is_gone
from companion.errors import logged

if TYPE_CHECKING:
    from textual.driver import Driver

_ENDING = ("SIGTERM", "SIGHUP")


class SafeApp(App[int]):
    """An application whose `play` gives a command's exit code."""

    failure: BaseException | None = None

    def play(self) -> int:
        """Run until it is left. The exit code; a mistake of ours is told and reported."""
        logged.catch_logged()
        code = self.run()
        if self.failure is not None:
            errors.tell(self.failure)
            return errors.MISTAKE
        return code or 0

    def get_driver_class(self) -> type[Driver]:
        """The usual driver, but one that reads any byte."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":
            return usual
        from companion.app.driver import AnyByteDriver

        return AnyByteDriver

    def on_load(self) -> None:
        """Let signals end it in order."""
        if self.is_headless:
            return
        for name in _ENDING:
            with suppress(AttributeError, NotImplementedError, ValueError):
                number = signal.Signals[name] if name in signal.Signals.__members__ else None
                if number is not None:
                    asyncio.get_running_loop().add_signal_handler(
                        number, self._end_by_signal, number
                    )

    def let_go(self) -> None:
        """Let go of what others may have when this program ends at once."""

    def leave_at_once(self, code: int) -> None:
        """End without a word to the terminal, which is gone."""
        self.let_go()
        os._exit(code)

    def _end_by_signal(self, number: int) -> None:
        """Put the terminal back, and end as that signal ends a program."""
        if self._driver is not None and not terminal_is_gone():
            with suppress(Exception):  # whatever cannot be put back any more
                self._driver.stop_application_mode()
                self._driver.close()
        self.let_go()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _fatal_error(self) -> None:
        """Leave; `play` tells what went wrong, without the values that Textual would print."""
        self.failure = self._exception or sys.exc_info()[1]
        self._close_messages_no_wait()
