"""The caller in a real terminal: the test's own tmux server, and its screen."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests import needs
from tests.waiting import wait_until

_ENDED = "ended with "
_HOLD = rf"""
sh -c 'echo $$ >"$0"; exec "$@"' "$@"
printf '\033]2;{_ENDED}%s\007' $?
exec cat
"""
"""A shell command that writes a program's process id into a file and runs it. What it writes after
the program's output is a title: tmux may read no more once the terminal's own process has ended, so
that stays."""


class Terminal:
    """One window that runs one program."""

    def __init__(self, folder: Path) -> None:
        """`folder` is for its servers' sockets."""
        needs.require("tmux")
        self._folder = folder
        self._starts = 0

    def start(
        self,
        words: Sequence[str],
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        """Start `companion WORDS`, with `env` added to the test's variables. The screen stays
        visible after it has ended."""
        self._starts += 1
        options = {
            key: os.environ[key] for key in ("COMPANION_DATA", "PYTHONPATH") if key in os.environ
        }
        module = "tests.voice.recording" if "TESTS_VOICE" in (env or {}) else "companion"
        variables = [f"{key}={value}" for key, value in {**options, **(env or {})}.items()]
        self.tmux(
            *("new-session", "-d", "-s", "table", "-x", str(size[0]), "-y", str(size[1])),
            *("sh", "-c", _HOLD, "sh", str(self._pid_file)),
            *("env", "-u", "COLUMNS", "-u", "LINES", *variables),
            *(sys.executable, "-m", module, *words),
        )

    @property
    def pid(self) -> int:
        return int(self._pid_file.read_text())

    @property
    def _pid_file(self) -> Path:
        return self._folder / f"pid-{self._starts}"

    def tmux(self, *words: str) -> str:
        """Run a tmux command; returns its output."""
        # a new server for each start: the previous one may still be ending
        socket = str(self._folder / f"tmux-{self._starts}")
        command = ["tmux", "-S", socket, "-f", "/dev/null", *words]
        result = subprocess.run(command, capture_output=True, check=False)
        return result.stdout.decode()

    def keys(self, *keys: str) -> None:
        """Press keys, as tmux names them."""
        self.tmux("send-keys", "-t", "table", *keys)

    def text(self) -> str:
        return self.tmux("capture-pane", "-p", "-t", "table")

    def colours(self) -> str:
        """The screen with its escape sequences."""
        return self.tmux("capture-pane", "-p", "-e", "-t", "table")

    def read_scrollback(self) -> str:
        """The screen with its escape sequences, and the scrollback."""
        return self.tmux("capture-pane", "-p", "-e", "-S", "-", "-t", "table")

    def format(self, wanted: str) -> str:
        """Expand a tmux format for the window."""
        return self.tmux("display-message", "-p", "-t", "table", wanted).rstrip("\n")

    def cursor(self) -> tuple[int, int, bool]:
        """Column and row of the cursor, and whether it is shown."""
        column, row, text = self.format("#{cursor_x} #{cursor_y} #{cursor_flag}").split()
        return int(column), int(row), text == "1"

    def wait_for_rest(self) -> str:
        """Wait until the program has nothing left to do and nothing changes any more; returns the
        title, the cursor, and the screen with the scrollback."""
        lines: list[str] = []
        pids = (self.format("#{pid}"), str(self.pid))

        def rests() -> bool:
            idle = self._are_idle(pids)
            where = "#{pane_title} #{cursor_x},#{cursor_y}"
            lines.append(
                self.tmux(
                    *("display-message", "-p", "-t", "table", where, ";"),
                    *("capture-pane", "-p", "-e", "-S", "-", "-t", "table"),
                )
            )
            if not idle:
                del lines[:-1]
            return len(lines) > 3 and len(set(lines[-4:])) == 1

        self.wait_until(rests, "rest", every=0.03)
        return lines[-1]

    @staticmethod
    def _are_idle(pids: Sequence[str]) -> bool:
        """Whether all threads of these processes sleep. On a busy computer a thread that
        has something to do may wait for its turn for longer than the screen is looked at."""
        states = []
        for pid in pids:
            for task in Path("/proc", pid, "task").glob("*/stat"):
                with suppress(OSError):  # the thread has ended meanwhile
                    states.append(task.read_text().rpartition(")")[2].split()[0])
        return set(states) <= {"S"}

    def wait_until(self, action: Callable[[], bool], what: str, every: float = 0.05) -> None:
        """Wait until `happened()` is true, polling every `every` seconds, or fail."""
        wait_until(action, every, lambda: f"{what}\n{self.text()}")

    def see(self, text: str) -> None:
        self.wait_until(lambda: text in self.text(), repr(text))

    def wait(self) -> int:
        """Wait until the program has ended and its whole output is on the screen; returns its exit
        code, or 128 and the number of the signal that ended it."""
        self.wait_until(lambda: self.format("#{pane_title}").startswith(_ENDED), "the end")
        return int(self.format("#{pane_title}").removeprefix(_ENDED))

    def end(self) -> None:
        self.tmux("kill-server")
