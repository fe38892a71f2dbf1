"""Which program has a serial port open, and whether a path is a serial port at all.

Programs that are not of this user cannot be looked into; systems without /proc tell nothing.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

PROC = Path("/proc")


def find_holder(port: str, proc: Path = PROC) -> str:
    """The program other than this one that has ``port`` open, with its number; empty if none is
    known."""
    target = os.path.realpath(port)
    for process in sorted(proc.glob("[0-9]*")):
        if process.name == str(os.getpid()):
            continue
        files = _list_open(process)
        # The program at the other end of a pseudo terminal (socat) holds both of its ends.
        if target in files and not any(file.endswith("/ptmx") for file in files):
            return f"{_read_name(process)} ({process.name})"
    return ""


def is_serial_port(port: str) -> bool:
    """Whether ``port``, which exists, can be a serial port; true where that is not known."""
    if sys.platform == "win32":
        return True
    try:
        if not stat.S_ISCHR(os.stat(port).st_mode):
            return False
        file = os.open(port, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        return os.isatty(file)
    finally:
        os.close(file)


def _list_open(process: Path) -> set[str]:
    """The paths of the files that the process has open."""
    try:
        return {os.readlink(file) for file in (process / "fd").iterdir()}
    except OSError:  # not ours, or it has ended meanwhile
        return set()


def _read_name(process: Path) -> str:
    try:
        return (process / "comm").read_text("utf-8", "replace").strip()
    except OSError:
        return "?"
