"""Callers' settings of a game, stored beside the log: convenience only, not part of the record.

One JSON file, replaced as a whole. An unreadable file counts as empty, and a failed write is
ignored: no game stops for it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from common import own_files

LIMIT = 1_000_000  # bytes; larger files are not ours


def path_of(log: str) -> str:
    """The file with the settings of that log's games."""
    return f"{log}-settings.json"


def get(log: str, game: str, key: str) -> Any:
    """The game's value for the key; None if there is none."""
    return _read(log).get(game, {}).get(key)


def put(log: str, game: str, key: str, value: Any) -> None:
    """Store the game's value for the key."""
    everything = _read(log)
    if everything.get(game, {}).get(key) == value:
        return
    everything.setdefault(game, {})[key] = value
    with suppress(OSError):
        own_files.replace(path_of(log), json.dumps(everything))


def _read(log: str) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(own_files.read(path_of(log), LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {game: kept for game, kept in found.items() if isinstance(kept, dict)}
