"""A game open in one caller, and callers' settings of it.

Its writes must follow the last row that it knows. A log that was removed, moved or replaced is
noticed at the next of them: the whole game is written to the file then at the path, with the hands
told and its settings, and the input must be repeated. Settings are a convenience and no part of the
record: one JSON file, replaced as a whole; at SETTINGS_LIMIT, the settings of the oldest games make
room. An unreadable file counts as empty.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from common import own_files
from common.sentences import Sentence
from companion.log import LogReplaced, StoreError
from companion.log.database import translate_errors

if TYPE_CHECKING:
    from companion.log.digest import Digest
    from companion.log.game_rows import HandRow
    from companion.log.store import GameLog, Kind, Store


SETTINGS_LIMIT = 1_000_000  # bytes; larger files are not ours

PHONES = "phones"
"""The key of a game's door: its codes, and who has which seat."""

ADDRESS = "address"
"""The key of the address at which phones found the game last."""

_GROUP = "group"


def settings_path(log: str) -> str:
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
            self.put(_GROUP, secrets.token_hex(8))
        return str(self.get(_GROUP))

    def get(self, key: str) -> Any:
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
            if len(text) <= SETTINGS_LIMIT:
                break
            del everything[game]
            text = json.dumps(everything)
        path = settings_path(self._log)
        with translate_errors(path, Sentence("nothing was changed, because it can't be saved")):
            own_files.replace(path, text, is_key=True)  # it has the codes of the seats


def _read(log: str) -> dict[str, dict[str, Any]]:
    try:
        records = json.loads(own_files.read(settings_path(log), SETTINGS_LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(records, dict):
        return {}
    return {game: record for game, record in records.items() if isinstance(record, dict)}


class OpenGame:
    """A game that only this caller may write until it is closed."""

    def __init__(self, store: Store, log: GameLog) -> None:
        """Use `begin` or `hold`."""
        self.store = store
        self.log = log
        self.settings = GameSettings(store.path, log.name)
        self._is_gone = False  # whether its file was replaced, and it is not in the new one yet
        self.hands = store.list_hands(log.id)
        """What players have said of their hands."""

    @classmethod
    def begin(cls, store: Store, setup: dict[str, Any]) -> OpenGame:
        """Begin a new game. Raises StoreError if it cannot be saved."""
        open_game = cls.hold(store, store.begin_game(setup))
        store.copy()
        return open_game

    @classmethod
    def hold(cls, store: Store, game: int) -> OpenGame:
        """Open the game with that id. Raises StoreError, and GameOpenElsewhere if another caller
        has it; in both cases no lock is kept."""
        store.acquire(game)
        try:
            return cls(store, store.load(game))
        except BaseException:
            store.release(game)
            raise

    def append(self, kind: Kind, text: str = "") -> None:
        """Write an event; it is on the disk when this returns. Raises StoreError if it was not
        written; LogReplaced if the file was replaced, and has the game as it was before."""
        with self._in_place():
            self.store.acquire(self.log.id)  # its lock file may have been removed too
            self.log.last = self.store.append(self.log.id, kind, text, after=self.log.last)
        self.log.events.append((kind, text))

    def add_hand(self, row: HandRow) -> None:
        """Save what a player says of a hand; it is on the disk when this returns. Raises as
        `append`."""
        with self._in_place():
            self.store.add_hands(self.log.id, [row])
        self.hands.append(row)

    def finish(self, digest: Digest) -> None:
        """Mark the game as over and store its digest (`Store.finish`). Errors are ignored: it is
        only a label in the list of games."""
        with suppress(StoreError):
            self.log.last = self.store.finish(self.log.id, after=self.log.last, digest=digest)
            self.log.events.append(("finish", ""))

    def close(self) -> None:
        """Release the game, and copy the log beside itself; if the log is no longer at its path,
        write the game there first."""
        if self._is_gone or not self.store.is_in_place:
            with suppress(StoreError):
                self._write_again()
        self.store.copy()
        self.store.release(self.log.id)

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Write the whole game, if its file was replaced. Raises LogReplaced then, and StoreError
        if it cannot be written."""
        try:
            if self._is_gone:
                raise LogReplaced(self.store.path)
            yield
        except LogReplaced:
            self._is_gone = True
            self._write_again()
            self._is_gone = False
            raise

    def _write_again(self) -> None:
        """Write the game to the file now at the path. Raises StoreError."""
        self.store.start_anew()
        self.log = self.store.write_again(self.log, self.hands)
        self.store.acquire(self.log.id)
        self.settings.follow(self.log.name)
        self.store.database.read_back()
