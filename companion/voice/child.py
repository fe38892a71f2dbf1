"""A child process that speaks: started, fed its text, waited for with a timeout, killed at once.

It runs in its own process group, so that a shell's pipeline is killed whole and the caller's Ctrl-C
does not reach it. On Linux the kernel kills it with the caller, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from common.named_tuples import NamedTuple
from common.sentences import locate
from companion.files import reason
from companion.files.clean import clean_text


class Command(NamedTuple):
    """What to run: its words, the text for its standard input, and the beginning of a line on its
    standard error that means failure whatever the exit code."""

    words: tuple[str, ...]
    text: str = ""
    complaint: str = ""


class Failed(Exception):
    """Nothing was spoken; the message says why, on one line."""


class Child:
    """One run of a command. `kill` may be called from any thread at any moment."""

    def __init__(self, command: Command) -> None:
        """Start it. Raises Failed if it cannot be started."""
        self.command = command
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `wait`
        self.killed = False
        try:
            self._process = subprocess.Popen(
                [*_build_death_prefix(), *command.words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                start_new_session=True,
                umask=0o077 if os.name == "posix" else -1,  # a sound may hold a secret
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            self._complaints.close()
            raise Failed(locate(command.words[0], reason(error))) from None

    def wait(self, limit: float) -> None:
        """Send the text and wait until it is spoken, up to `limit` seconds.

        Also returns when it was killed. Raises Failed if it took longer (then it is killed) or did
        not speak.
        """
        name = self.command.words[0]
        try:
            self._process.communicate(self.command.text.encode(), timeout=limit)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.communicate()
            raise Failed(f"{name} did not finish within {limit:.0f} seconds") from None
        finally:
            complaint = self._find_complaint()
        if self.killed:
            return
        code = self._process.returncode
        if code or (complaint and self.command.complaint):
            raise Failed(
                f"{name}: {clean_text(complaint) if complaint else f'it ended with code {code}'}"
            )

    def kill(self) -> None:
        """Kill it now, with everything that it started."""
        self.killed = True
        if self._process.poll() is not None:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _find_complaint(self) -> str:
        """The last line on its standard error; the first ones are often from its libraries."""
        with self._complaints as file:
            file.seek(0)
            lines = file.read(8000).decode(errors="replace").split("\n")
        complaints = [line for line in lines if line.startswith(self.command.complaint) and line]
        return complaints[-1] if complaints else ""


def _build_death_prefix() -> tuple[str, ...]:
    """A command prefix that makes the kernel kill the command when we end; empty if unsupported."""
    match = shutil.which("setpriv") if sys.platform == "linux" else None
    return (match, "--pdeathsig", "KILL", "--") if match else ()
