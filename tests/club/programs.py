"""The programs of a club, for tests and measurements: a broker with its folder, and a hub."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.extensions.club import folder
from companion.extensions.club.folder import Club
from tests.rigs.ports import find_port
from tests.waiting import PATIENCE, read_line, wait_until


class Broker:
    """A club's folder whose broker can be started and killed."""

    def __init__(self, path: Path, tables: Iterable[str]) -> None:
        self.path, self.club = path, Club("pub", "127.0.0.1", find_port(), False)
        for table, word in folder.make(str(path), self.club, tables, "127.0.0.1").items():
            (path / f"{table}.word").write_text(word)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        program = folder.find_broker()
        assert program is not None, "mosquitto is not installed"
        words = [program, "-c", os.path.join(self.path, folder.BROKER)]
        self.process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        wait_until(self._answers, 0.02)

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the broker has ended"
        try:
            socket.create_connection(("127.0.0.1", self.club.port), 1).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def url(self, table: str) -> str:
        """The table's address, with its password."""
        return f"{self.club.url(table)}?password-file={self.path / table}.word"

    def count_memory(self) -> float:
        """Its memory in MB."""
        return count_memory(self.process.pid)


class HubProgram:
    """`companion club hub` on that folder."""

    def __init__(self, path: Path, *, port: int = 0) -> None:
        words = ["club", "hub", str(path), "--json", "--host", "127.0.0.1", "--port", str(port)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.fields: dict[str, Any] = json.loads(read_line(self.process))
        self.url: str = self.fields["url"]

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


def count_memory(pid: int) -> float:
    """The memory of the process in MB."""
    match = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert match is not None
    return int(match[1]) / 1024
