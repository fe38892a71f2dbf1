"""Programs with windows, on a screen that nobody sees."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.waiting import PATIENCE, wait_until


def start(stack: ExitStack, folder: Path, *words: str, **variables: str) -> None:
    """Start a program, which is ended with the stack, and all that it has started."""
    with (folder / "programs.log").open("ab") as log:
        process = subprocess.Popen(
            words,
            env={**os.environ, "HOME": str(folder), **variables},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            process_group=0,
        )

    def end() -> None:
        for number, limit in ((signal.SIGTERM, PATIENCE / 6), (signal.SIGKILL, PATIENCE)):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(limit)

    stack.callback(end)


def start_telling(stack: ExitStack, folder: Path, words: str) -> str:
    """Start a program that tells something on its file descriptor 3; returns that line."""
    told = folder / words.split()[0]
    start(stack, folder, "sh", "-c", f"exec {words} 3> '{told}'")
    wait_until(lambda: told.exists() and told.read_text().endswith("\n"))
    return told.read_text().strip()


def open_screen(stack: ExitStack, folder: Path) -> str:
    """A screen of X; returns what DISPLAY must be."""
    return ":" + start_telling(stack, folder, "Xvfb -displayfd 3 -nolisten tcp")


def connect(port: int) -> socket.socket:
    """A connection to that port, once it answers."""
    links = []

    def answers() -> bool:
        with suppress(OSError):
            links.append(socket.create_connection(("127.0.0.1", port), PATIENCE))
        return bool(links)

    wait_until(answers)
    return links[0]
