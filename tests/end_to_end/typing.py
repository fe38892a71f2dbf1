"""A user at a pseudo terminal, of any program or of the line caller. Echoed input appears among the
output."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import starting
from tests.starting import ROOT
from tests.waiting import PATIENCE

_END = "\0end of the output\0"
_ESCAPES = r"\x1b(?:\[[\d;?]*[A-Za-z]|[()=>]\w?)"


class User:
    """What a user of a program at its own terminal sees and types."""

    process: subprocess.Popen[Any]

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, size[::-1])
        self.screen = ""  # all output so far
        self._listened_to = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # a letter may come in two reads

    def start(self, words: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        """Start a program with exactly these variables; the terminal is its controlling one."""
        self.process = subprocess.Popen(
            words, env=env, cwd=cwd, stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip

    def see(self, text: str) -> None:
        """Wait until that text has been printed since the last answer, escape sequences aside."""
        self.read_until(lambda: text in re.sub(_ESCAPES, "", self.screen[self._listened_to :]))

    def answer(self, keys: str) -> None:
        """Type keys; what was printed before is no longer seen."""
        self._listened_to = len(self.screen)
        self.keys(keys)

    def keys(self, keys: str | bytes) -> None:
        """Type keys without waiting."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def read_until(self, action: Callable[[], object]) -> None:
        limit = time.monotonic() + PATIENCE
        while not action():
            assert time.monotonic() < limit, self.screen
            if select.select([self.master], [], [], 0.02)[0]:
                text = self._decoder.decode(os.read(self.master, 65536))
                self.screen = (self.screen + text).replace("\r\n", "\n")

    def wait_for_end(self) -> int:
        """Wait for the end and read all output; returns the exit code."""
        self.read_until(lambda: self.process.poll() is not None)
        os.write(self.slave, _END.encode())  # comes after everything that the program has written
        self.read_until(lambda: self.screen.endswith(_END))
        self.screen = self.screen.removesuffix(_END)
        return self.process.returncode

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.slave)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self.master)
        os.close(self.slave)


class Typist(User):
    """`companion play --plain` at its own terminal."""

    def __init__(self, *words: str, ahead: str = "", env: dict[str, str] | None = None) -> None:
        """Start it; `ahead` is typed before it is ready."""
        super().__init__()
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

    def hear(self, until: str = "? ") -> str:
        """The terminal's output up to the next question before the cursor, with `until` in it: by
        default the end of the question."""
        start = self._listened_to

        def is_said() -> bool:
            text = self.screen[start:]
            return until in text and text.endswith(" ")

        self.read_until(is_said)
        self._listened_to = len(self.screen)
        return self.screen[start:]

    def type(self, line: str, until: str = "? ") -> str:
        """Type a line; returns the output, like `hear`."""
        self.keys(f"{line}\n")
        return self.hear(until)

    def wait_for_state(self, state: str) -> None:
        """Wait until the process is in that state, by the system's letter."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        self.read_until(lambda: stat.read_text().rpartition(")")[2].split()[0] == state)

    @property
    def echoes(self) -> bool:
        return bool(self.modes()[3] & termios.ECHO)


@contextmanager
def start_at_terminal(
    *words: str, ahead: str = "", greeted: str = "Type help ", env: dict[str, str] | None = None
) -> Iterator[Typist]:
    """Start the line caller at its own terminal; wait for `greeted` and the question after it."""
    typist = Typist(*words, ahead=ahead, env=env)
    try:
        typist.hear(greeted)
        yield typist
    finally:
        typist.close()
