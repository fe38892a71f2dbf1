"""An application that restores the terminal however it ends, and shows no traceback.

Textual would crash on invalid UTF-8, print local variables with every exception, and leave the
terminal unrestored when killed by a signal.
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
    """An application whose `play` returns a command's exit code."""

    failure: BaseException | None = None

    def play(self) -> int:
        """Run until the user quits. Return the exit code; a bug is printed and reported."""
        logged.catch_logged()
        code = self.run()
        if self.failure is not None:
            errors.tell(self.failure)
            return errors.MISTAKE
        return code or 0

    def get_driver_class(self) -> type[Driver]:
        """The default driver, but tolerant of any byte."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":
            return usual
        from companion.app.driver import AnyByteDriver

        return AnyByteDriver

    def on_load(self) -> None:
        """Let signals end it cleanly."""
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
        """Release shared resources when this program is killed."""

    def leave_at_once(self, code: int) -> None:
        """Exit without writing to the terminal, which is closed."""
        self.let_go()
        os._exit(code)

    def _end_by_signal(self, number: int) -> None:
        """Restore the terminal, and end as the signal would."""
        if self._driver is not None and not terminal_is_gone():
            with suppress(Exception):  # the terminal may be impossible to restore
                self._driver.stop_application_mode()
                self._driver.close()
        self.let_go()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _fatal_error(self) -> None:
        """Exit; `play` prints the error without Textual's local variables."""
        self.failure = self._exception or sys.exc_info()[1]
        self._close_messages_no_wait()
