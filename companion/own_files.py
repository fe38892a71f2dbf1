"""Files of ours on the disk: for their user alone, whole or not at all, and no draft left behind.

Whatever may hold a secret of a game is made here: folders 0700, files 0600, and what an older
version left wider is narrowed. On Windows the user's folders keep others out, and modes are only
asked for.
"""

from __future__ import annotations

import errno
import os
import re
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER, FILE = 0o700, 0o600

_DRAFT = re.compile(r".+\.(\d+)\.new")


def make_folder(path: str) -> None:
    """Make that folder and those above it, none of them for anybody else. Raises OSError."""
    above = os.path.dirname(path)
    if above and not os.path.isdir(above):
        make_folder(above)
    try:
        os.mkdir(path, FOLDER)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def private(path: str, flags: int) -> int:
    """The `opener` of a file that may hold a secret. Raises OSError."""
    return os.open(path, flags, FILE)


def make_file(path: str) -> None:
    """Make an empty file for its user alone where there is nothing yet. Raises OSError."""
    if not os.path.lexists(path):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE))


def read(path: str, most: int) -> bytes:
    """The first `most` bytes of a file. Raises OSError, also for a pipe or a device, whose end may
    never come; what the system calls /dev/stdin or /dev/fd is what somebody has just opened."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if path.startswith("/dev/"):
        flags = os.O_RDONLY
    with open(os.open(path, flags), "rb") as file:
        if not path.startswith("/dev/") and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE), path)
        return file.read(most)


def replace(path: str, text: str, *, mode: int = FILE) -> None:
    """Put the text there, the whole file or nothing; a link stays one. Raises OSError."""
    path = os.path.realpath(path)
    draft = f"{path}.{os.getpid()}.new"
    make_folder(os.path.dirname(path))
    try:
        with open(draft, "w", encoding="utf-8", newline="", opener=private) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, mode)
        os.replace(draft, path)
    except BaseException:
        _remove(draft)
        raise


def tidy(folder: str) -> None:
    """Remove the drafts in that folder whose writers are gone. Never raises."""
    for entry in _entries(folder):
        writer = _DRAFT.fullmatch(entry.name)
        if writer and not _runs(int(writer[1][:9])):
            _remove(entry.path)


def narrow(folder: str, *beginnings: str) -> None:
    """Keep others out of what is there already: the folder, and what in it begins so. What cannot
    be changed stays as it is, and so does a folder that more than this program lives in."""
    if not hasattr(os, "getuid"):
        return
    if os.path.realpath(folder) != os.path.realpath(os.path.expanduser("~")):
        _narrow(folder)
    for entry in _entries(folder):
        if entry.name.startswith(beginnings):
            _narrow(entry.path)


def _narrow(path: str) -> None:
    try:
        found = os.lstat(path)
        wide = found.st_mode & 0o077
        shared = found.st_mode & stat.S_ISVTX or stat.S_ISLNK(found.st_mode)
        if wide and found.st_uid == os.getuid() and not shared:
            os.chmod(path, stat.S_IMODE(found.st_mode) & ~0o077)
    except OSError:
        return


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            yield from found
    except OSError:
        return


def _runs(process: int) -> bool:
    """Whether a process of that number may still be writing."""
    if os.name != "posix":
        return False  # Windows lets nobody remove what another program has open
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _remove(path: str) -> None:
    try:  # noqa: SIM105 - contextlib is not worth its import here
        os.unlink(path)
    except OSError:
        pass
