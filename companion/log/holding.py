"""A lock file, the lock of a game; the system releases it when the program ends."""

from __future__ import annotations

import os

from common import own_files


class LockHeld(Exception):
    """Another program has the lock."""


class Hold:
    """The lock at `path`, held until `let_go`."""

    def __init__(self, path: str) -> None:
        """Take the lock. Raises LockHeld, and OSError if the file system has no locks or the file
        cannot be created."""
        self.path = path
        self._file = own_files.open_private(
            path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        )
        is_locked = False
        try:
            is_locked = own_files.lock(self._file)
        finally:
            if not is_locked:
                os.close(self._file)
        if not is_locked:
            raise LockHeld

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
