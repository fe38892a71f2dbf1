"""What a caller remembers of a game beside its log: comfort only, none of it part of the record.

One JSON file beside the log, replaced as a whole. A file that cannot be read remembers nothing, and
one that cannot be written forgets: a game never stops for it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from common import own_files

LIMIT = 1_000_000  # bytes; what is longer was not written here


def path_of(log: str) -> str:
    """The file of the settings of the games in that log."""
    return f"{log}-settings.json"


def get(log: str, game: str, key: str) -> Any:
    """What is remembered of that game under the key; None if nothing is."""
    return _read(log).get(game, {}).get(key)


def put(log: str, game: str, key: str, value: Any) -> None:
    """Remember something of that game."""
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
