"""The terminal below the full screen: what it can show, what it sends, how it is restored.

Textual would end at a byte that is not UTF-8, print local variables with every exception, and leave
the terminal unrestored when killed by a signal. Here such a byte is passed over, however the
application ends the terminal is restored, and no traceback is shown.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from contextlib import suppress
from io import StringIO
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.scrollbar import ScrollBar, ScrollBarRender

from companion import errors

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.geometry import Offset
    from textual.message import Message


def terminal_is_gone() -> bool:
    """Whether the terminal was closed: its other end hung up, or there is no input at all."""
    if not hasattr(select, "poll") or sys.__stdin__ is None:
        return False
    try:
        poller = select.poll()
        poller.register(sys.__stdin__.fileno(), 0)  # error and hangup are always reported
        return any(event & select.POLLHUP for _file, event in poller.poll(0))
    except (OSError, ValueError):
        return True


class _PlainScrollBar(ScrollBarRender):
    VERTICAL_BARS: ClassVar[list[str]] = [" "] * len(ScrollBarRender.VERTICAL_BARS)
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * len(ScrollBarRender.HORIZONTAL_BARS)


def draw_plain_scrollbars() -> None:
    """Draw scrollbars with blanks only, for terminals without partial-block characters."""
    ScrollBar.renderer = _PlainScrollBar


_ENDING = ("SIGTERM", "SIGHUP")


class SafeApp(App[int]):
    """An application whose `play` returns a command's exit code."""

    failure: BaseException | None = None
    """What has ended it, if that is a bug."""

    terminal: Driver | None = None
    """The driver of a terminal of Linux or macOS, once it runs in one."""

    def play(self) -> int:
        """Run until the user quits. Return the exit code; a bug is printed and reported."""
        errors.catch_logged()
        self.error_console = Console(file=StringIO())  # Textual's reports have local variables
        code = self.run()
        if self.failure is not None:
            errors.tell(self.failure)
            return errors.MISTAKE
        return code or 0

    def get_driver_class(self) -> type[Driver]:
        """The default driver, but tolerant of any byte, and of messages after the end."""
        usual = super().get_driver_class()
        if sys.platform == "win32" or usual.__name__ != "LinuxDriver":
            return usual
        app = self

        class TolerantDriver(LinuxDriver):
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                app.terminal = self

            def run_input_thread(self) -> None:
                while True:
                    try:
                        return super().run_input_thread()
                    except UnicodeDecodeError:
                        continue  # what was read with that byte is lost
                    except Exception as error:
                        app.failure = error
                        raise

            def send_message(self, message: Message) -> None:
                with suppress(RuntimeError):  # the program has ended: nobody waits for it
                    app.post_message(message)

        return TolerantDriver

    def put_cursor(self, place: Offset) -> None:
        """Move the terminal's cursor there: braille displays and magnifiers follow it.

        Textual moves it only when it paints something; if nothing changes, it must be moved here.
        """
        if self.cursor_position != place:
            self.cursor_position = place
            self._write(f"\x1b[{place.y + 1};{place.x + 1}H")

    def show_cursor(self) -> None:
        """Show the terminal's cursor, which Textual hides when it starts."""
        self._write("\x1b[?25h")

    def _write(self, sequence: str) -> None:
        if self.terminal is not None:
            self.terminal.write(sequence)
            self.terminal.flush()

    def on_load(self) -> None:
        """Let signals end it cleanly."""
        if self.is_headless:
            return
        for name in _ENDING:
            with suppress(AttributeError, NotImplementedError, ValueError):
                number = signal.Signals[name] if name in signal.Signals.__members__ else None
                if number is not None:
                    asyncio.get_running_loop().add_signal_handler(
                        number, self.end_by_signal, number
                    )

    def let_go(self) -> None:
        """Release shared resources when this program is killed."""

    def end_by_signal(self, number: int) -> None:
        """Restore the terminal, if it is still there, and end as the signal would."""
        if self.terminal is not None and not terminal_is_gone():
            with suppress(Exception):  # the terminal may be impossible to restore
                self.terminal.stop_application_mode()
                self.terminal.close()
        self.let_go()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def bell(self) -> None:
        """Keep the exception because of which Textual rings as it ends; nothing else rings."""
        self.failure = self.failure or sys.exception()
