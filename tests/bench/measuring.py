"""Shared by the benchmarks: programs in a pseudo terminal, CPU time, ratios to a yardstick, and the
figures that `run.py` collects in one table.

A ratio says the same on a busy machine as on an idle one: both programs run in turn, in one run,
and CPU time is measured wherever that is what a person waits for.
"""

from __future__ import annotations

import compileall
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import statistics
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

SHORT = bool(os.environ.get("BENCH_SHORT"))
"""Whether few samples are enough (`make bench ARGS=--short`)."""

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
NEW = ["--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt"]

_ESCAPES = re.compile(rb"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def compile_ours() -> None:
    """Byte-compile our modules, as an installation or the first start does."""
    for package in ("companion", "common", "engine", "tags"):
        compileall.compile_dir(ROOT / package, quiet=2)


def figure(what: str, value: float, floor: float, *, at_least: bool = False) -> None:
    """Print one measured ratio with its floor, and note it for `run.py`, which fails if it is
    worse: greater, or with `at_least` less. Few samples scatter, and fail only if half as much
    again: CI looks for what has become slow, `make bench` measures."""
    print(f"{what:62} {value:7.2f} times   (floor {floor:g})", flush=True)
    if notes := os.environ.get("BENCH_FIGURES"):
        spread = 1.5 if SHORT else 1.0
        is_failed = value * spread < floor if at_least else value > floor * spread
        row = {"what": what, "value": value, "floor": floor, "failed": is_failed}
        with open(notes, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def interleave(measures: Mapping[str, Callable[[], float]], samples: int) -> dict[str, list[float]]:
    """Samples of each measure, taken in turn; the first fill caches and are dropped."""
    taken: dict[str, list[float]] = {name: [] for name in measures}
    for _sample in range(samples + 1):
        for name, measure in measures.items():
            taken[name].append(measure())
    return {name: values[1:] for name, values in taken.items()}


def ratio(samples: Sequence[float], yardstick: Sequence[float]) -> float:
    """The median ratio of neighbouring samples: other load on the machine slows down both."""
    return statistics.median(one / other for one, other in zip(samples, yardstick, strict=True))


def spend(words: Sequence[str], env: Mapping[str, str] | None = None) -> float:
    """The CPU time in milliseconds that a program takes from its start to its end, its children
    included (POSIX)."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        streams = [(os.POSIX_SPAWN_DUP2, null, stream) for stream in (1, 2)]
        variables = {**os.environ, **(env or {})}
        pid = os.posix_spawn(words[0], list(words), variables, file_actions=streams)
        usage = os.wait4(pid, 0)[2]
    finally:
        os.close(null)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def show_spread(samples: Sequence[float]) -> str:
    """The lowest, median and highest sample."""
    low, middle, high = min(samples), statistics.median(samples), max(samples)
    return f"{low:.1f} to {high:.1f}, median {middle:.1f}"


class Terminal:
    """A program in a pseudo terminal of 100 columns and 30 rows."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})})
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
            os.execv(words[0], list(words))
        self.output = b""

    def wait_for(self, text: str, patience: float = 20.0) -> None:
        """Wait for that text. Output before the last call is ignored. Raises TimeoutError."""
        data = text.encode()
        end = time.perf_counter() + patience
        while time.perf_counter() < end:
            if self._read(0.05) and data in _ESCAPES.sub(b"", self.output):
                self.output = b""
                return
        name = _ESCAPES.sub(b"", self.output).decode(errors="replace")
        raise TimeoutError(f"{text!r} was not painted within {patience:.0f} s; painted was {name}")

    def press(self, keys: str, text: str) -> None:
        """Send keys, and wait until that text is painted."""
        self.output = b""
        os.write(self._terminal, keys.encode())
        self.wait_for(text)

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

    def spent(self) -> float:
        """The CPU time of all its threads so far in milliseconds, to the nanosecond (Linux)."""
        files = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(file.read_text().split()[0]) for file in files) / 1e6

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
