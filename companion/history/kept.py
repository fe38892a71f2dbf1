"""The cache of statistics, so that many games are added up only once.

A cached file names its source: the log, its last row, the players' names and the choice of games.
It is valid while all of these are unchanged; a damaged or missing file, or one of another version,
is made again silently. Moves in games that are still unfinished do not invalidate it.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from common import own_files
from common.sentences import Sentence
from companion.files import locations
from companion.history import games, people, statistics
from companion.log import digest

if TYPE_CHECKING:
    import sqlite3

    from companion.history.games import Progress
    from companion.history.wanted import Wanted
    from companion.log.store import Store

FORMAT = 1
MOST_FILES = 40
"""Cached files: one per recent choice of games."""

_LARGEST = 64_000_000  # bytes

_STATE = """
SELECT (SELECT at || text FROM events ORDER BY seq LIMIT 1), max(seq) FROM events
"""
_OVER_SINCE = "SELECT 1 FROM events WHERE seq > ? AND kind = 'finish'"
_WAS_OVER = """
SELECT 1 FROM events WHERE seq > ? AND game IN (
    SELECT game FROM events WHERE kind = 'finish' AND seq <= ?
)
"""


def add_up(
    store: Store, wanted: Wanted, progress: Progress = games.ignore_progress
) -> dict[str, Any]:
    """The statistics of the wanted games (`statistics.add_up`).

    Raises StoreError.
    """
    known = people.read(store)
    with store.database.errors_in_rows(Sentence("the games cannot be listed")):
        rows = store.database.read()
        state = rows.execute(_STATE).fetchone() if rows else (None, None)
        source = [FORMAT, digest.VERSION, os.path.realpath(store.path), known.names, list(wanted)]
        path = _path(store, wanted)
        found = _read(path, json.loads(json.dumps(source)))
        if found is not None and rows is not None and _is_current(rows, found["state"], state):
            kept: dict[str, Any] = found["statistics"]
            return kept
    with games.pause_garbage_collection():
        looked_at = games.read_all(store, progress)
        made = statistics.add_up((g for g in looked_at if wanted.takes(g, known)), known)
    _write(path, {"source": source, "state": state, "statistics": made})
    return made


def _is_current(rows: sqlite3.Connection, then: list[Any], now: tuple[Any, ...]) -> bool:
    """Whether the finished games are still the same."""
    first, last = then
    if first != now[0] or last is None or last > now[1]:
        return False
    if last == now[1]:
        return True
    changed = rows.execute(_OVER_SINCE, (last,)).fetchone()
    return changed is None and rows.execute(_WAS_OVER, (last, last)).fetchone() is None


def _path(store: Store, wanted: Wanted) -> str:
    what = json.dumps([os.path.realpath(store.path), *wanted])
    return os.path.join(folder(), f"{zlib.crc32(what.encode()):08x}.json")


def folder() -> str:
    """The cache folder; its contents can be deleted at any time."""
    return os.path.join(locations.cache_dir(), "statistics")


def _read(path: str, source: list[Any]) -> dict[str, Any] | None:
    """The cached content if it was made from that source, otherwise None."""
    try:
        content = own_files.read(path, _LARGEST)
        checksum, body = content[:8], content[8:]
        if checksum != f"{zlib.crc32(body):08x}".encode():
            return None
        found: dict[str, Any] = json.loads(body)
    except (OSError, ValueError, RecursionError):
        return None
    return found if found.get("source") == source else None


def _write(path: str, content: dict[str, Any]) -> None:
    body = json.dumps(content, separators=(",", ":")).encode()
    with suppress(OSError):  # without a cache they are made again
        own_files.replace(path, f"{zlib.crc32(body):08x}".encode() + body, durable=False)
        _remove_old(os.path.dirname(path))


def _remove_old(kept_in: str) -> None:
    files = sorted(os.scandir(kept_in), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in files[MOST_FILES:]:
        os.unlink(entry.path)
