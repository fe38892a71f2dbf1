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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

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
            process_group=0,  # with a parent in the same session, or it could not be stopped
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

    def read(self, length: int) -> str:
        """So many letters that stand on the terminal."""
        return b"".join(os.read(self.master, 1) for _ in range(length)).decode()

    def type(self, line: str) -> str:
        """Type a line; what stands on the terminal afterwards."""
        os.write(self.master, f"{line}\n".encode())
        return self.hear()

    def modes(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self.slave)

    def until(self, happened: Callable[[], object]) -> None:
        """Wait until something has happened."""
        limit = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < limit
            time.sleep(0.01)

    def until_state(self, state: str) -> None:
        """Wait until the process is in that state, as the system calls it."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        self.until(lambda: stat.read_text().rpartition(")")[2].split()[0] == state)

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


@pytest.mark.parametrize("stopping", [signal.SIGTSTP, signal.SIGSTOP])
def test_nothing_private_is_echoed_after_the_caller_was_stopped(stopping: signal.Signals) -> None:
    """As a shell does at Ctrl-Z and `fg`: it gives the terminal its own modes meanwhile."""
    with at_a_terminal(*NEW, "--secrecy", "secret") as terminal:
        for line in ("faceup bishop merchant", "call", "reveal Anna"):
            terminal.type(line)
        usual = terminal.modes()
        terminal.process.send_signal(stopping)
        terminal.until_state("T")
        if stopping == signal.SIGTSTP:
            assert terminal.echoes  # for the shell
        usual[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(terminal.slave, termios.TCSADRAIN, usual)
        os.write(terminal.master, b"kill archi")  # seen by everybody, and not yet sent
        assert terminal.read(len("kill archi")) == "kill archi"
        terminal.process.send_signal(signal.SIGCONT)
        terminal.until(lambda: not terminal.echoes)
        heard = terminal.type("kill warlord")
        assert "warlord" not in heard.casefold()
        assert "Anna, the Assassin, has named a character." in heard
        assert terminal.echoes


def test_a_terminal_that_somebody_lets_echo_again_plays_no_secret() -> None:
    with at_a_terminal(*NEW, "--secrecy", "secret") as terminal:
        for line in ("faceup bishop merchant", "call", "reveal Anna"):
            terminal.type(line)
        modes = terminal.modes()
        modes[3] |= termios.ECHO
        termios.tcsetattr(terminal.slave, termios.TCSADRAIN, modes)
        heard = terminal.type("kill warlord")
        assert "it is not played" in heard
        assert not terminal.echoes
