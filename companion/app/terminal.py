"""The terminal below the full screen: what it can show, what it sends, how it is restored.

Textual would crash on invalid UTF-8, print local variables with every exception, and leave the
terminal unrestored when killed by a signal. Here what is not UTF-8 becomes U+FFFD, however the
application ends the terminal is restored, and no traceback is shown.
"""

from __future__ import annotations

import asyncio
import os
import select
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from companion import errors

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.geometry import Offset
    from textual.message import Message


AT_ONCE = 4096  # bytes
STEP = 0.1  # seconds between checks for the program's end


class AnyByteDriver(LinuxDriver):
    """Like its base class, whose thread would crash on invalid UTF-8."""

    def send_message(self, message: Message) -> None:
        """Pass a message to the application. Its base class makes a coroutine for it, of which
        Python complains on the terminal if the program ends before it is run."""
        with suppress(RuntimeError):  # the program has ended: nobody waits for the message
            self._loop.call_soon_threadsafe(self._app.post_message, message)

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        """Pass on typed input until the program ends."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(STEP):
                    data = os.read(self.fileno, AT_ONCE)
                    if not data:  # the terminal is closed; the program notices that separately
                        return
                    text = decode(data)
                    for event in parser.feed(text) if text else ():  # "" would mean end of input
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
            try:
                for event in parser.feed(""):
                    self.process_message(event)
            except (EOFError, ParseError):
                return


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


def draw_plain_scrollbars() -> None:
    """Draw scrollbars with blanks only, for terminals without partial-block characters."""
    from textual.scrollbar import ScrollBar, ScrollBarRender

    class Plain(ScrollBarRender):
        VERTICAL_BARS: ClassVar[list[str]] = [" "] * len(ScrollBarRender.VERTICAL_BARS)
        HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * len(ScrollBarRender.HORIZONTAL_BARS)

    ScrollBar.renderer = Plain


def put_cursor(app: App[int], place: Offset) -> None:
    """Move the terminal's cursor there: braille displays and magnifiers follow it.

    Textual moves it only when it paints something; if nothing changes, it must be moved here.
    """
    if app.cursor_position == place:
        return
    app.cursor_position = place
    if app._driver is not None and not app.is_headless:
        app._driver.write(f"\x1b[{place.y + 1};{place.x + 1}H")
        app._driver.flush()


def show_cursor(app: App[int]) -> None:
    """Show the terminal's cursor, which Textual hides when it starts."""
    if app._driver is not None and not app.is_headless:
        app._driver.write("\x1b[?25h")
        app._driver.flush()


_ENDING = ("SIGTERM", "SIGHUP")


class SafeApp(App[int]):
    """An application whose `play` returns a command's exit code."""

    failure: BaseException | None = None

    def play(self) -> int:
        """Run until the user quits. Return the exit code; a bug is printed and reported."""
        errors.catch_logged()
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
