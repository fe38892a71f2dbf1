"""A file that one program at a time holds, the lock of a game; it ends with the program."""

from __future__ import annotations

import errno
import os
import sys

from common import own_files

_TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class Taken(Exception):
    """Somebody else holds it."""


class Hold:
    """The lock at `path`, held until `release`."""

    def __init__(self, path: str) -> None:
        """Hold it. Raises Taken, and OSError where the disk knows no locks or the file cannot be
        made."""
        self.path = path
        self._file = own_files.open_private(
            path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        )
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            if error.errno in _TAKEN:
                raise Taken from None
            raise

    @property
    def is_in_place(self) -> bool:
        """Whether others still find this very lock: who removed it would hold another one."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except OSError:
            return False

    def let_go(self) -> None:
        """Let others hold it."""
        os.close(self._file)


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
