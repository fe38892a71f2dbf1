"""Callers' settings of a game, stored beside the log: convenience only, not part of the record.

One JSON file, replaced as a whole. An unreadable file counts as empty.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from common import own_files
from common.sentences import Sentence
from companion.log.log_errors import StoreError, translate_errors

LIMIT = 1_000_000  # bytes; larger files are not ours


def path_of(log: str) -> str:
    """The file with the settings of that log's games."""
    return f"{log}-settings.json"


class GameSettings:
    """The settings of one game, also in memory: where the file was removed, they are all written
    again."""

    def __init__(self, log: str, game: str) -> None:
        """Read those of the game with that name."""
        self._log, self._game = log, game
        self._values = _read(log).get(game, {})

    def get(self, key: str) -> Any:
        """The value for the key; None if there is none."""
        return self._values.get(key)

    def put(self, key: str, value: Any) -> None:
        """Set the value. If it cannot be stored, it holds until the program ends: no game stops for
        a setting."""
        self._values = {**self._values, key: value}
        with suppress(StoreError):
            self._write(self._values)

    def save(self, key: str, value: Any) -> None:
        """Set the value. Raises StoreError if it cannot be stored; then it is as before."""
        values = {**self._values, key: value}
        self._write(values)
        self._values = values

    def follow(self, game: str) -> None:
        """Write all of them again: the whole game was, under that name."""
        self._game = game
        with suppress(StoreError):
            self._write(self._values)

    def _write(self, values: dict[str, Any]) -> None:
        everything = _read(self._log)
        if everything.get(self._game, {}) == values:
            return
        everything[self._game] = values
        path = path_of(self._log)
        with translate_errors(path, Sentence("nothing was changed, because it can't be saved")):
            own_files.replace(path, json.dumps(everything))


def _read(log: str) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(own_files.read(path_of(log), LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {game: kept for game, kept in found.items() if isinstance(kept, dict)}
