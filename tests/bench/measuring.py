"""Shared by the benchmarks: programs in a pseudo terminal, CPU time, and the output format of
figures that `run.py` collects in one table."""

from __future__ import annotations

import compileall
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
NEW = ["--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt"]

_ESCAPES = re.compile(rb"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def compile_ours() -> None:
    """Byte-compile our modules, as an installation or the first start does."""
    for package in ("companion", "common", "engine", "tags"):
        compileall.compile_dir(ROOT / package, quiet=2)


def begin_game(folder: str) -> None:
    """Begin a game in the data folder `folder`: everybody is about to choose."""
    subprocess.run(
        [str(BIN / "companion"), "play", "--plain", *NEW, "--reader", "none"],
        input="faceup bishop merchant\n",
        env={"COMPANION_DATA": folder},
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def figure(what: str, value: float, unit: str, goal: str) -> None:
    """Print one measured figure with its goal."""
    print(f"{what:58} {value:7.2f} {unit:7} (goal {goal})", flush=True)


def show_spread(samples: Sequence[float]) -> str:
    """The lowest, median and highest sample."""
    low, middle, high = min(samples), statistics.median(samples), max(samples)
    return f"{low:.1f} to {high:.1f}, median {middle:.1f}"


def percentile(samples: Sequence[float], share: int) -> float:
    """The value below which `share` percent of the samples lie."""
    return statistics.quantiles(samples, n=100, method="inclusive")[share - 1]


class Terminal:
    """A program in a pseudo terminal of 100 columns and 30 rows."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Start it; the clock of `started` begins just before."""
        self.started = time.perf_counter()
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})})
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
            os.execv(words[0], list(words))
        self.output = b""

    def wait_for(self, text: str, patience: float = 20.0) -> float:
        """Wait for that text; returns the time on the performance counter. Output before the last
        call is ignored. Raises TimeoutError."""
        wanted = text.encode()
        end = time.perf_counter() + patience
        while time.perf_counter() < end:
            if self._read(0.05) and wanted in _ESCAPES.sub(b"", self.output):
                painted = time.perf_counter()
                self.output = b""
                return painted
        shown = _ESCAPES.sub(b"", self.output).decode(errors="replace")
        raise TimeoutError(f"{text!r} was not painted within {patience:.0f} s; painted was {shown}")

    def press(self, keys: str, text: str) -> float:
        """Send keys; returns the seconds until that text is painted."""
        self.output = b""
        pressed = time.perf_counter()
        os.write(self._terminal, keys.encode())
        return self.wait_for(text) - pressed

    def let_run(self, seconds: float) -> None:
        """Let it run for a while, reading its output."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)
        self.output = b""

    def _read(self, patience: float) -> bool:
        if not select.select([self._terminal], [], [], patience)[0]:
            return False
        try:
            self.output += os.read(self._terminal, 65536)
        except OSError:
            raise TimeoutError(f"it ended, having painted {self.output!r}") from None
        return True

    def processor_time(self) -> float:
        """Its CPU time so far in seconds (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Kill it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._terminal)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
