"""A game held by one caller: what it writes follows the last row that it knows of.

A log that was removed, moved or replaced meanwhile is noticed with the next move; done again, the
move finds the whole game written again in its place.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.log.store import LogReplaced, StoreError

if TYPE_CHECKING:
    from companion.log.store import GameLog, Kind, Store


class OpenGame:
    """A game that this caller alone may write, until it is closed."""

    def __init__(self, store: Store, log: GameLog) -> None:
        """Use `begin` or `hold`."""
        self.store = store
        self.log = log
        self._was_told = False  # that the file is another one

    @classmethod
    def begin(cls, store: Store, setup: dict[str, Any]) -> OpenGame:
        """A new game. Raises StoreError if it cannot be written down."""
        return cls.hold(store, store.new_game(setup))

    @classmethod
    def hold(cls, store: Store, game: int) -> OpenGame:
        """The game of that id. Raises StoreError, and GameOpenElsewhere if another caller has it;
        then nobody holds it here."""
        store.acquire(game)
        try:
            return cls(store, store.load(game))
        except BaseException:
            store.release(game)
            raise

    def append(self, kind: Kind, text: str = "") -> None:
        """Write what happened, on the disk when this returns.

        Raises StoreError, and then nothing was written; the first time that the file is found to be
        another one, LogReplaced.
        """
        if self._was_told:
            self._write_anew()
        try:
            self.store.acquire(self.log.id)  # its lock may have been removed as well
            self.log.last = self.store.append(self.log.id, kind, text, after=self.log.last)
        except LogReplaced:
            self._was_told = True
            raise
        self.log.events.append((kind, text))

    def finish(self, digest: tuple[int, str]) -> None:
        """Note that the game is over, and keep that digest (`Store.finish`); what cannot be noted
        is only a label in the list of games."""
        with suppress(StoreError):
            self.log.last = self.store.finish(self.log.id, after=self.log.last, digest=digest)
            self.log.events.append(("finish", ""))

    def close(self) -> None:
        """Let the game go; if its log is no longer in its place, it is written there first."""
        if not self.store.is_in_place:
            with suppress(StoreError):
                self._write_anew()
        self.store.release(self.log.id)

    def _write_anew(self) -> None:
        """Have the game in the file that is in its place now. Raises StoreError."""
        self.store.start_anew()
        self.log = self._find() or self.store.add(self.log)
        self.store.acquire(self.log.id)
        self._was_told = False

    def _find(self) -> GameLog | None:
        """The game in the file in its place, if it is there as it is here."""
        with suppress(StoreError, KeyError):
            found = self.store.load(self.log.id)
            if (found.name, found.setup, found.events) == (
                *(self.log.name, self.log.setup, self.log.events),
            ):
                return found
        return None
