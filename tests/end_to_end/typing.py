"""A user of the line caller at a real terminal: echoed input appears among the output."""

from __future__ import annotations

import codecs
import os
import pty
import select
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import starting
from tests.starting import ROOT
from tests.waiting import PATIENCE

_END = "\0end of the output\0"


class Typist:
    """`companion play --plain` at its own terminal."""

    def __init__(self, *words: str, ahead: str = "", env: dict[str, str] | None = None) -> None:
        """Start it; `ahead` is typed before it is ready."""
        self.master, self.slave = pty.openpty()
        self.screen = ""  # all output so far
        self._heard = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # a letter may come in two reads
        if ahead:
            os.write(self.master, ahead.encode())
            self.see(ahead.splitlines()[-1])
        self.process = starting.start(
            *("play", "--plain", "--reader", "none", *words),
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            process_group=0,  # with a parent in the same session, so that it can be stopped
        )

    def hear(self, until: str = "?\n") -> str:
        """The terminal's output up to the end of a line that ends in `until`: by default a
        question, printed if it has changed."""
        start = self._heard

        def is_said() -> bool:
            heard = self.screen[start:]
            return until in heard and heard.endswith("\n")

        self.read_until(is_said)
        self._heard = len(self.screen)
        return self.screen[start:]

    def see(self, text: str) -> None:
        """Wait until that text has been printed since the last answer."""
        self.read_until(lambda: text in self.screen[self._heard :])

    def keys(self, keys: str | bytes) -> None:
        """Type keys without waiting."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def type(self, line: str, until: str = "?\n") -> str:
        """Type a line; returns the output, like `hear`."""
        self.keys(f"{line}\n")
        return self.hear(until)

    def read_until(self, happened: Callable[[], object]) -> None:
        """Read the terminal until `happened()` is true."""
        limit = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < limit, self.screen
            if select.select([self.master], [], [], 0.02)[0]:
                text = self._decoder.decode(os.read(self.master, 65536))
                self.screen = (self.screen + text).replace("\r\n", "\n")

    def wait_for_state(self, state: str) -> None:
        """Wait until the process is in that state, by the system's letter."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        self.read_until(lambda: stat.read_text().rpartition(")")[2].split()[0] == state)

    def wait_for_end(self) -> int:
        """Wait for the end and read all output; returns the exit code."""
        self.read_until(lambda: self.process.poll() is not None)
        os.write(self.slave, _END.encode())  # comes after everything that the program has written
        self.read_until(lambda: self.screen.endswith(_END))
        self.screen = self.screen.removesuffix(_END)
        return self.process.returncode

    def modes(self) -> list[Any]:
        """The terminal's attributes."""
        return termios.tcgetattr(self.slave)

    @property
    def echoes(self) -> bool:
        """Whether the terminal echoes input."""
        return bool(self.modes()[3] & termios.ECHO)


@contextmanager
def start_at_terminal(
    *words: str, ahead: str = "", greeted: str = "Type help ", env: dict[str, str] | None = None
) -> Iterator[Typist]:
    """Start the line caller at its own terminal and wait for `greeted`."""
    typist = Typist(*words, ahead=ahead, env=env)
    try:
        typist.hear(greeted)
        yield typist
    finally:
        typist.process.kill()
        typist.process.wait()
        os.close(typist.master)
        os.close(typist.slave)
