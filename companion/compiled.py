"""Parsed YAML kept between starts, because reading YAML takes longer than starting Python.

A kept file holds the whole source it was made from and is used only if that equals the source of
now, byte for byte, and its own checksum is right. So it cannot be stale, and deleting, damaging or
never writing it changes nothing but the time taken.
"""

from __future__ import annotations

import marshal
import os
import zlib

from companion import locations, own_files, strict_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The layout of a kept file, and the reader's rules: raise it when either changes.
_VERSION = b"companion compiled 2 "


def read(path: str, *, name: str | None = None, env: Mapping[str, str] = os.environ) -> Any:
    """`strict_yaml.read(path, name=name)`, faster the second time. Same result, same errors."""
    source = own_files.read(path, strict_yaml.MAX_SIZE + 1)
    name = path if name is None else name
    kept = os.path.join(locations.cache_dir(env), "compiled", f"{zlib.crc32(path.encode()):08x}")
    found = _load(kept, source)
    if found is not None:
        return strict_yaml.Document(name, *found)
    document = strict_yaml.parse_bytes(source, name=name)
    _keep(kept, source, document)
    return document


def _load(kept: str, source: bytes) -> tuple[Any, Any] | None:
    """The data and marks kept for exactly this source, or None."""
    try:
        with open(kept, "rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            head, body = file.read(len(_VERSION) + 4), file.read()
        if head != _VERSION + _checksum(body):
            return None
        kept_source, data, marks = marshal.loads(body)  # noqa: S302 - ours alone and whole, as checked above
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return (data, marks) if kept_source == source else None


def _keep(kept: str, source: bytes, document: strict_yaml.Document) -> None:
    """Write the file whole or not at all; where that is not possible, leave it."""
    body = marshal.dumps((source, document.data, document.marks))
    draft = f"{kept}.{os.getpid()}.new"
    try:
        os.makedirs(os.path.dirname(kept), mode=0o700, exist_ok=True)
        with open(draft, "xb", opener=_open_private) as file:
            file.write(_VERSION + _checksum(body) + body)
        os.replace(draft, kept)
    except OSError:
        _remove(draft)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _remove(draft: str) -> None:
    try:  # noqa: SIM105 - contextlib is not worth its import here
        os.unlink(draft)
    except OSError:
        pass


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(4, "big")


def _is_ours(status: os.stat_result) -> bool:
    """Whether nobody else can have written it: loading a stranger's file would trust a stranger."""
    return not hasattr(os, "geteuid") or (
        status.st_uid == os.geteuid() and not status.st_mode & 0o022
    )
