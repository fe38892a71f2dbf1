"""A Textual driver that accepts any bytes: what is not UTF-8 becomes U+FFFD."""

from __future__ import annotations

import os
import selectors
from codecs import getincrementaldecoder

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

AT_ONCE = 4096  # bytes
STEP = 0.1  # seconds between checks for the program's end


class AnyByteDriver(LinuxDriver):
    """Like its base class, whose thread would crash on invalid UTF-8."""

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
                    typed = os.read(self.fileno, AT_ONCE)
                    if not typed:  # the terminal is closed; the program notices that separately
                        return
                    text = decode(typed)
                    for event in parser.feed(text) if text else ():  # "" would mean end of input
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
            try:
                for event in parser.feed(""):
                    self.process_message(event)
            except (EOFError, ParseError):
                return
