"""A full screen ended by a signal restores the terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from companion.files import locations
from companion.log.store import Store
from tests.companion.listening import NEW
from tests.starting import ROOT
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

PUT_BACK = {
    "the screen from before": b"\x1b[?1049l",
    "the cursor": b"\x1b[?25h",
    "no mouse": b"\x1b[?1003l",
    "no marks around what is pasted": b"\x1b[?2004l",
    "lines that wrap": b"\x1b[?7h",
}


def _read(master: int, until: bytes) -> bytes:
    """The program's output up to `until`, or to its end."""
    data, limit = b"", time.monotonic() + PATIENCE
    while until not in data or not until:
        assert time.monotonic() < limit, data[-2000:]
        if select.select([master], [], [], 0.1)[0]:
            try:
                data += os.read(master, 65536)
            except OSError:
                break
        elif not until:
            break
    return data


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_put_back(number: signal.Signals) -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(slave)
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "play", *NEW, "--reader", "none"],
        cwd=ROOT,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color"},
    ) as caller:
        _read(master, b"Kurt. Discard")
        assert termios.tcgetattr(slave) != before
        caller.send_signal(number)
        data = b""
        while caller.poll() is None:  # an unread terminal would block it
            data += _read(master, b"")
        assert caller.returncode == -number
    data += _read(master, b"")
    assert [what for what, content in PUT_BACK.items() if content not in data] == []
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)
    with Store(locations.games_file(locations.data_dir())) as store, store.open_game(1):
        assert store.load(1).moves == []  # it has released the game
