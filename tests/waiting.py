"""The timeout of waits in tests."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds until a wait fails: generous, because a loaded machine is slow and a hang is forever."""


def wait_until(is_so: Callable[[], bool], every: float = 0.05) -> None:
    """Ask every that many seconds until it is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never became so"
        time.sleep(every)
