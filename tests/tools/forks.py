"""Run work in parallel forks of this process, each with a timeout."""

from __future__ import annotations

import os
import pickle
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

Trial = tuple[Callable[[], Any], Any, float]
"""The function to run in a fork, its result on timeout, and the timeout in seconds."""


def run_at_once(trials: Iterator[Trial], jobs: int) -> Iterator[Any]:
    """Run the trials in forks, `jobs` in parallel; yields their results."""
    running: dict[int, tuple[Any, str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (trial, otherwise, seconds) in enumerate(trials):
            while len(running) >= jobs:
                yield from _collect_ended(running)
            result = os.path.join(folder, str(number))
            child = os.fork()
            if child == 0:
                _work(trial, result)
            running[child] = (otherwise, result, time.monotonic() + seconds)
        while running:
            yield from _collect_ended(running)


def _collect_ended(running: dict[int, tuple[Any, str, float]]) -> Iterator[Any]:
    time.sleep(0.01)
    for child, (otherwise, result, limit) in list(running.items()):
        if time.monotonic() > limit:
            os.killpg(child, signal.SIGKILL)
        if os.waitpid(child, os.WNOHANG)[0]:
            del running[child]
            if os.path.exists(result):
                with open(result, "rb") as file:
                    yield pickle.load(file)  # noqa: S301 - written by our own child
            else:
                yield otherwise


def _work(trial: Callable[[], Any], result: str) -> NoReturn:
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        outcome = trial()
        with open(f"{result}.part", "wb") as file:
            pickle.dump(outcome, file)
        os.replace(f"{result}.part", result)
    finally:
        os._exit(0)
