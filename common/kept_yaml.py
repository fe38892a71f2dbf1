"""A cache of parsed YAML on disk, because parsing YAML takes longer than starting Python.

A cache file contains its whole source and is used only if that equals the current source byte for
byte and its checksum is right. So it is never stale, and a missing or damaged one only costs time.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib

from common import own_files, strict_yaml
from common.strict_yaml import Document

# Version of the cache layout and the reader's rules (raise it when either changes), and of the
# Python whose `marshal` wrote the file.
_VERSION = f"kept yaml 3 {sys.implementation.cache_tag} ".encode()


def read(
    path: str, kept: str, *, most: int = strict_yaml.MAX_VALUES, mode: int = own_files.FILE
) -> Document:
    """`strict_yaml.read`, cached in the file `kept`, created with `mode`, if it can be written.
    Same result, same errors."""
    source = own_files.read(path, strict_yaml.MAX_SIZE + 1)
    found = _load(kept, source)
    if found is not None:
        return Document(path, *found)
    document = strict_yaml.parse_bytes(source, name=path, most=most)
    body = marshal.dumps((source, document.data, marshal.dumps(document.marks)))
    try:
        own_files.replace(kept, _VERSION + _checksum(body) + body, mode=mode, durable=False)
    except OSError:
        return document  # for example, from a read-only installation
    return document


def _load(kept: str, source: bytes) -> tuple[object, bytes] | None:
    """The cached data and marks of exactly this source, or None."""
    try:
        with open(kept, "rb") as file:
            if not _can_be_trusted(os.fstat(file.fileno())):
                return None
            head, body = file.read(len(_VERSION) + 4), file.read()
        if head != _VERSION + _checksum(body):
            return None
        kept_source, data, marks = marshal.loads(body)  # noqa: S302 - whole and trusted, see above
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return (data, marks) if kept_source == source else None


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(4, "big")


def _can_be_trusted(status: os.stat_result) -> bool:
    """Whether only the user or root can have written the file: `marshal` is unsafe with untrusted
    files."""
    return not hasattr(os, "geteuid") or (
        status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022
    )
