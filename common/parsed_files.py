"""Files that are parsed once: the result is cached on disk, as Python caches modules.

Parsing a settings file, the card data or a catalogue of sentences takes longer than starting the
interpreter, and `companion card` is run between turns.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib

from common import own_files

TYPE_CHECKING = False  # `typing` costs more to import than the rest of this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Version of the cache layout, and of the Python whose `marshal` wrote the file.
_VERSION = f"parsed file 1 {sys.implementation.cache_tag} ".encode()


def read(
    path: str,
    kept: str,
    parse: Callable[[bytes], Any],
    *,
    rules: int,
    most: int,
    mode: int = own_files.FILE,
) -> Any:
    """What `parse` makes of the file's first `most` bytes: plain data, which `marshal` can write.

    It is cached in the file `kept`, created with `mode`, if that can be written. `rules` is the
    version of `parse`: raise it when the result for the same file changes.

    Raises OSError if the file cannot be read, and what `parse` raises.
    """
    source = own_files.read(path, most)
    version = _VERSION + b"%d " % rules
    entries = _load(kept, version, source)
    if entries is not None:
        return entries[0]
    data = parse(source)
    body = marshal.dumps((source, data))
    try:
        own_files.replace(kept, version + _checksum(body) + body, mode=mode, durable=False)
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
