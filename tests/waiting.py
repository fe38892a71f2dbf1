"""The timeout of waits in tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from subprocess import Popen
from typing import IO, Any

PATIENCE = 60.0
"""Seconds until a wait fails: generous, because a loaded machine is slow and a hang is forever."""


def wait_until(
    is_so: Callable[[], object], every: float = 0.05, seen: Callable[[], object] = str
) -> None:
    """Ask every that many seconds until it is so; `seen` is told if it never becomes so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"it never became so: {seen()}"
        time.sleep(every)


@contextmanager
def kill_late(process: Popen[Any], seen: Callable[[], object] = str) -> Iterator[None]:
    """Kill the program if the block is not over in time, which ends its output, and so what waits
    for that; then fail and tell what was `seen`."""
    is_late = threading.Event()

    def kill() -> None:
        is_late.set()
        process.kill()

    late = threading.Timer(PATIENCE, kill)
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()
        assert not is_late.is_set(), f"nothing more came of {process.args!r}: {seen()}"


def read_line(
    process: Popen[Any], stream: IO[Any] | None = None, seen: Callable[[], object] = str
) -> Any:
    """The next line of the program's standard output, or of this stream; nothing at its end. `seen`
    as in `kill_late`."""
    stream = stream or process.stdout
    assert stream is not None
    with kill_late(process, seen):
        return stream.readline()
