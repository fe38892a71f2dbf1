"""What one person types in private, at a real terminal: not echoed, and nothing of it stays."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.companion.listening import NEW, PATIENCE, ROOT


class Terminal:
    """A person at a terminal: what is typed stands among the answers, where it is echoed."""

    def __init__(self, *words: str) -> None:
        self.master, slave = pty.openpty()
        self.slave = slave
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "play", "--plain", "--reader", "none", *words],
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )

    def hear(self, until: str = "Waiting for ") -> str:
        """Everything on the terminal up to the line that begins so."""
        heard = ""
        limit = time.monotonic() + PATIENCE
        while not (f"\n{until}" in heard and heard.endswith("\n")):
            assert time.monotonic() < limit, heard
            if select.select([self.master], [], [], 0.1)[0]:
                heard += os.read(self.master, 65536).decode().replace("\r\n", "\n")
        return heard

    def type(self, line: str) -> str:
        """Type a line; what stands on the terminal afterwards."""
        os.write(self.master, f"{line}\n".encode())
        return self.hear()

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)


@contextmanager
def at_a_terminal(*words: str) -> Iterator[Terminal]:
    """The line caller at a terminal of its own."""
    terminal = Terminal(*words)
    try:
        terminal.hear("Type help ")
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)
        os.close(terminal.slave)


def test_a_secret_target_is_never_echoed() -> None:
    with at_a_terminal(*NEW, "--secrecy", "secret") as terminal:
        assert "faceup bishop merchant" in terminal.type("faceup bishop merchant")
        terminal.type("call")
        heard = terminal.type("reveal Anna")
        assert "What is typed is not shown until a character is named." in heard
        assert not terminal.echoes
        heard = terminal.type("kill warlord")
        assert "warlord" not in heard.casefold()
        assert "Anna, the Assassin, has named a character." in heard
        assert terminal.echoes
        assert "gold" in terminal.type("gold").splitlines()[0]
        terminal.type("end")
        terminal.type("reveal Ben")
        heard = terminal.type("rob architec")
        assert "architec" not in heard.casefold()


def test_a_recorded_choice_in_the_open_is_not_played_and_is_asked_for_unseen() -> None:
    with at_a_terminal(*NEW) as terminal:
        terminal.type("faceup bishop merchant")
        heard = terminal.type("choose Anna king")
        assert "it is not played" in heard
        assert "What is typed is not shown now." in heard
        assert not terminal.echoes
        heard = terminal.type("4")
        assert "4" not in heard
        assert heard.splitlines()[-2:][0] == "A choice is recorded."
        assert terminal.echoes


def test_a_terminal_shows_typing_again_after_the_caller_was_ended_in_private() -> None:
    with at_a_terminal(*NEW, "--secrecy", "secret") as terminal:
        for line in ("faceup bishop merchant", "call", "reveal Anna"):
            terminal.type(line)
        assert not terminal.echoes
        terminal.process.send_signal(signal.SIGTERM)
        terminal.process.wait(PATIENCE)
        assert terminal.echoes
