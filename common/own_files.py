"""Our own files on disk: private to the user, written atomically, no temporary files left behind.

Anything that may hold a secret of a game is created here: folders 0700, files 0600; wider modes
left by an older version are narrowed. On Windows the user's folders are already private, and modes
are only requested.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FOLDER, FILE = 0o700, 0o600

_LOCKED = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_ALREADY_OPEN = ("/dev/fd/", "/proc/self/fd/")
_DRAFT = ".new"


def make_folder(path: str, mode: int = FOLDER) -> None:
    """Make that folder and those above it, private to the user by default. Raises OSError."""
    above = os.path.dirname(path)
    if above and not os.path.isdir(above):
        make_folder(above, mode)
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def open_private(path: str, flags: int) -> int:
    """The `opener` of a file that may hold a secret. Raises OSError."""
    return os.open(path, flags, FILE)


def lock(file: int) -> bool:
    """Lock the open file until it is closed, also by the end of the program; False if another
    program holds its lock. Raises OSError if the file system has no locks."""
    try:
        if sys.platform == "win32":
            os.lseek(file, 1024, os.SEEK_SET)  # beyond the text, which stays readable to others
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _LOCKED:
            return False
        raise
    return True


def open_locked(path: str) -> int | None:
    """The private file, created if there is none, open and locked until it is closed; None if
    another program holds its lock. Raises OSError, also if the file system has no locks."""
    file = open_private(path, os.O_RDWR | os.O_CREAT)
    is_locked = False
    try:
        is_locked = lock(file)
    finally:
        if not is_locked:
            os.close(file)
    return file if is_locked else None


def make_file(path: str) -> None:
    """Create an empty private file if none exists. Raises OSError."""
    if not os.path.lexists(path):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE))


def read(path: str, most: int) -> bytes:
    """The first `most` bytes of a file. Raises OSError, also for a pipe or a device, which may
    never end; one that is already open, such as /dev/stdin or /dev/fd/3, is allowed."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    if not _is_already_open(path):
        mode = os.stat(path).st_mode  # before it is opened, because that can start a device
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), path)
        flags |= getattr(os, "O_NONBLOCK", 0)  # it may have become a pipe since
    with open(os.open(path, flags), "rb") as file:
        return file.read(most)


def _is_already_open(path: str) -> bool:
    """Whether the path names a file that this process has open."""
    folder, _slash, number = path.rpartition("/")
    is_numbered = number.isascii() and number.isdigit() and f"{folder}/" in _ALREADY_OPEN
    return is_numbered or path == "/dev/stdin"


def replace(
    path: str,
    content: str | bytes,
    *,
    mode: int = FILE,
    makes_folder: bool = True,
    is_key: bool = False,
) -> None:
    """Write the file (text as UTF-8) atomically, through a symbolic link if it is one; `is_key` is
    for keys and certificates, which take the link's place. `makes_folder` is for our own folders:
    one that a user names must exist. Raises OSError."""
    path = os.path.abspath(path) if is_key else os.path.realpath(path)
    draft = f"{path}.{os.getpid()}{_DRAFT}"
    if makes_folder:
        make_folder(os.path.dirname(path), mode | (mode & 0o444) >> 2 | 0o300)
    _remove(draft)
    try:
        with open(draft, "xb", opener=open_private) as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        if mode != FILE:
            os.chmod(draft, mode)
        os.replace(draft, path)
    except OSError as error:
        error.filename = path  # not the draft, which nobody has heard of
        raise
    finally:
        _remove(draft)


def need_own_link(path: str) -> None:
    """Raise OSError (ELOOP) if the path is a symbolic link that leads to another user's file than
    the link is; one that leads nowhere would lead to a file of this user."""
    if not os.path.islink(path):
        return
    try:
        owner = os.stat(path).st_uid
    except FileNotFoundError:
        owner = os.geteuid() if hasattr(os, "geteuid") else os.lstat(path).st_uid
    if os.lstat(path).st_uid != owner:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)


def tidy(folder: str) -> None:
    """Remove temporary files in that folder whose processes have ended. Never raises."""
    for entry in _list_entries(folder):
        name, _dot, writer = entry.name.removesuffix(_DRAFT).rpartition(".")
        if not (entry.name.endswith(_DRAFT) and name and writer.isascii() and writer.isdigit()):
            continue
        if not _is_running(int(writer[:9])):
            _remove(entry.path)


def narrow(folder: str, *beginnings: str) -> None:
    """Make the folder, and everything in it with these prefixes, private. Skips what cannot be
    changed, and the home folder itself."""
    if not hasattr(os, "getuid"):
        return
    if os.path.realpath(folder) != os.path.realpath(os.path.expanduser("~")):
        _narrow(folder)
    for entry in _list_entries(folder):
        if entry.name.startswith(beginnings):
            _narrow(entry.path)


def _narrow(path: str) -> None:
    try:
        status = os.lstat(path)
        wide = status.st_mode & 0o077
        shared = status.st_mode & stat.S_ISVTX or stat.S_ISLNK(status.st_mode)
        if wide and status.st_uid == os.getuid() and not shared:
            os.chmod(path, stat.S_IMODE(status.st_mode) & ~0o077)
    except OSError:
        return


def _list_entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return


def _is_running(process: int) -> bool:
    """Whether a process with that id may still be writing."""
    if os.name != "posix":
        return False  # Windows does not remove a file that another program has open
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
