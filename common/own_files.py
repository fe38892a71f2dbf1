"""Our own files on disk: private to the user, written atomically, no temporary files left behind.

Anything that may hold a secret of a game is created here: folders 0700, files 0600; wider modes
left by an older version are narrowed. On Windows the user's folders are already private, and modes
are only requested.

Files that are parsed once are cached here, as Python caches modules: parsing settings, card data or
a catalogue of sentences takes longer than starting the interpreter, and `companion card` is run
between turns.
"""

from __future__ import annotations

import errno
import marshal
import os
import stat
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


FOLDER, FILE = 0o700, 0o600

_LOCKED = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_ALREADY_OPEN = ("/dev/fd/", "/proc/self/fd/")
_DRAFT = ".new"

# Version of the cache layout, and of the Python whose `marshal` wrote the file.
_VERSION = f"parsed file 1 {sys.implementation.cache_tag} ".encode()


def make_folder(path: str, mode: int = FOLDER) -> None:
    """Make that folder and those above it, private to the user by default.

    Raises OSError.
    """
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
            import msvcrt

            os.lseek(file, 1024, os.SEEK_SET)  # beyond the text, which stays readable to others
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _LOCKED:
            return False
        raise
    return True


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
    durable: bool = True,
    makes_folder: bool = True,
) -> None:
    """Write the file (text as UTF-8) atomically, through a symbolic link if it is one. A file that
    is not `durable` may be lost in a power failure. `makes_folder` is for our own folders: one that
    a user names must exist. Raises OSError."""
    path = os.path.realpath(path)
    draft = f"{path}.{os.getpid()}{_DRAFT}"
    if makes_folder:
        make_folder(os.path.dirname(path), mode | (mode & 0o444) >> 2 | 0o300)
    _remove(draft)
    try:
        with open(draft, "xb", opener=open_private) as file:
            file.write(content.encode() if isinstance(content, str) else content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if mode != FILE:
            os.chmod(draft, mode)
        os.replace(draft, path)
    except BaseException:
        _remove(draft)
        raise


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
        count = status.st_mode & stat.S_ISVTX or stat.S_ISLNK(status.st_mode)
        if wide and status.st_uid == os.getuid() and not count:
            os.chmod(path, stat.S_IMODE(status.st_mode) & ~0o077)
    except OSError:
        return


def _list_entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as match:
            yield from match
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
    try:  # noqa: SIM105 - contextlib is not worth its import here
        os.unlink(path)
    except OSError:
        pass


def read_parsed(
    path: str,
    kept: str,
    parse: Callable[[bytes], Any],
    *,
    rules: int,
    most: int,
    mode: int = FILE,
) -> Any:
    """What `parse` makes of the file's first `most` bytes: plain data, which `marshal` can write.

    It is cached in the file `kept`, created with `mode`, if that can be written. `rules` is the
    version of `parse`: raise it when the result for the same file changes.

    Raises OSError if the file cannot be read, and what `parse` raises.
    """
    source = read(path, most)
    version = _VERSION + b"%d " % rules
    entries = _load(kept, version, source)
    if entries is not None:
        return entries[0]
    data = parse(source)
    body = marshal.dumps((source, data))
    try:
        replace(kept, version + _checksum(body) + body, mode=mode, durable=False)
    except OSError:
        return data  # for example, from a read-only installation
    return data


def find_beside(path: str) -> str:
    """Where the result of one of the program's own files is cached: as Python does it."""
    folder, name = os.path.split(path)
    tag = sys.implementation.cache_tag
    return os.path.join(folder, "__pycache__", f"{os.path.splitext(name)[0]}.{tag}.marshal")


def _load(path: str, version: bytes, source: bytes) -> tuple[Any] | None:
    """The cached data of exactly this source, or None."""
    try:
        with open(path, "rb") as file:
            if not _can_be_trusted(os.fstat(file.fileno())):
                return None
            head, body = file.read(len(version) + 4), file.read()
        if head != version + _checksum(body):
            return None
        kept_source, data = marshal.loads(body)  # noqa: S302 - whole and trusted, see above
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return (data,) if kept_source == source else None


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(4, "big")


def _can_be_trusted(status: os.stat_result) -> bool:
    """Whether only the user or root can have written the file: `marshal` is unsafe with untrusted
    files."""
    return not hasattr(os, "geteuid") or (
        status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022
    )
