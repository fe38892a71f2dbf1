"""A desk that nobody sees: a screen, a session bus, what tells assistive programs of windows, and a
keyboard."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.companion.listening import NEW
from tests.rigs import unseen
from tests.waiting import PATIENCE


class Desk:
    """Programs are started there after each other."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        bus = "dbus-daemon --session --nofork --nopidfile --print-address=3"
        self.variables = {
            "DISPLAY": unseen.open_screen(stack, folder),
            "DBUS_SESSION_BUS_ADDRESS": unseen.start_telling(stack, folder, bus),
            "GSETTINGS_BACKEND": "memory",
        }
        ask = ("dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus")
        self._run(*ask, "org.a11y.Bus.GetAddress")  # starts it

    def start(self, *words: str) -> None:
        """Start a program there."""
        unseen.start(self._stack, self._folder, *words, **self.variables)

    def open_windows(self) -> Path:
        """Start what gives windows the keyboard; returns the path of what is there once it does."""
        ready = self._folder / "ready"
        self.start("openbox", "--startup", f"touch {ready}")
        return ready

    def play_in_lines(self) -> None:
        """Play a new game in lines, in a terminal."""
        play = shlex.join([sys.executable, "-m", "companion", "play", "--plain", *NEW])
        self.start("mate-terminal", "--disable-factory", "--geometry=80x24", "-e", play)

    def type(self, line: str) -> None:
        """Type a line."""
        self._run("xdotool", "type", line)
        self.press("Return")

    def press(self, key: str) -> None:
        """Press a key."""
        self._run("xdotool", "key", key)

    def _run(self, *words: str) -> None:
        env = {**os.environ, **self.variables}
        subprocess.run(words, env=env, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
