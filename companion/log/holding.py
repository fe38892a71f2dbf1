"""A lock file, the lock of a game; the system releases it when the program ends."""

from __future__ import annotations

import errno
import os
import sys

from common import own_files

_TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class Taken(Exception):
    """Another program has the lock."""


class Hold:
    """The lock at `path`, held until `let_go`."""

    def __init__(self, path: str) -> None:
        """Take the lock. Raises Taken, and OSError if the file system has no locks or the file
        cannot be created."""
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
        """Whether the path still leads to this lock; if it was removed, others would lock another
        file."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except OSError:
            return False

    def let_go(self) -> None:
        """Release the lock."""
        os.close(self._file)


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
