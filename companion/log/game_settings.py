"""Callers' settings of a game, stored beside the log: convenience only, not part of the record.

One JSON file, replaced as a whole; at LIMIT, the settings of the oldest games make room. An
unreadable file counts as empty.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from common import own_files
from common.sentences import Sentence
from companion.log.log_errors import StoreError, translate_errors

LIMIT = 1_000_000  # bytes; larger files are not ours

PHONES = "phones"
"""The key of a game's door: its codes, and who has which seat."""

ADDRESS = "address"
"""The key of the address at which phones found the game last."""

_GROUP = "group"


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

    def begin(self, before: GameSettings | None = None) -> None:
        """Begin a game: for the group of the game with the settings `before`, whose phones may
        stay, or for a new group."""
        values = {} if before is None else {_GROUP: before.group, PHONES: before.get(PHONES)}
        if self._values or values:  # of a game in a log that was removed
            self._values = values
            with suppress(StoreError):
                self._write(values)

    @property
    def group(self) -> str:
        """An id for the people who play; their next games have the same."""
        if not isinstance(self.get(_GROUP), str):
            import secrets  # with hashlib and hmac, for which no first screen should wait

            self.put(_GROUP, secrets.token_hex(8))
        return str(self.get(_GROUP))

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
        text = json.dumps(everything)
        for game in [game for game in everything if game != self._game]:
            if len(text) <= LIMIT:
                break
            del everything[game]
            text = json.dumps(everything)
        path = path_of(self._log)
        with translate_errors(path, Sentence("nothing was changed, because it can't be saved")):
            own_files.replace(path, text)


def list_played_by(log: str, group: str) -> frozenset[str]:
    """The names of that group's games."""
    return frozenset(name for name, record in _read(log).items() if record.get(_GROUP) == group)


def list_groups(log: str) -> dict[str, str]:
    """The group of each game that has one."""
    groups = ((name, record.get(_GROUP)) for name, record in _read(log).items())
    return {name: group for name, group in groups if isinstance(group, str)}


def _read(log: str) -> dict[str, dict[str, Any]]:
    try:
        match = json.loads(own_files.read(path_of(log), LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(match, dict):
        return {}
    return {game: record for game, record in match.items() if isinstance(record, dict)}
