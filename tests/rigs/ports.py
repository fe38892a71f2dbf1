"""Free ports for programs that are told which one to use."""

from __future__ import annotations

import os
import random
import socket
from contextlib import ExitStack, suppress
from itertools import cycle

_WORKERS = 16
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _WORKERS
_FIRST = 10_000 + 2 * (random.randrange(600) * _WORKERS + _WORKER)
_PORTS = cycle(range(_FIRST, 32_766, 2 * _WORKERS))
"""Pairs of ports below those that a system hands out by itself: between being found and being
listened at, nobody is given one by chance, nor by another worker."""


def find_port() -> int:
    """A port of this computer that is free now, as is the next one."""
    while True:
        port = next(_PORTS)
        with ExitStack() as stack, suppress(OSError):
            for one in (port, port + 1):
                stack.enter_context(socket.create_server(("127.0.0.1", one)))
            return port
