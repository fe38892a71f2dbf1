"""A game open in one caller: its writes must follow the last row that it knows.

A log that was removed, moved or replaced is noticed at the next move; when the move is repeated,
the whole game is written to the file then at the path, and its settings beside it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.log.game_settings import GameSettings
from companion.log.store import LogReplaced, StoreError

if TYPE_CHECKING:
    from companion.log.digest import Digest
    from companion.log.game_rows import HandRow
    from companion.log.store import GameLog, Kind, Store


class OpenGame:
    """A game that only this caller may write until it is closed."""

    def __init__(self, store: Store, log: GameLog) -> None:
        """Use `begin` or `hold`."""
        self.store = store
        self.log = log
        self.settings = GameSettings(store.path, log.name)
        self._was_told = False  # that the file was replaced
        self._has_ended = False  # here, since it was opened
        self._hands: tuple[int, list[HandRow]] | None = None  # with the id of the game in the file

    @classmethod
    def begin(cls, store: Store, setup: dict[str, Any]) -> OpenGame:
        """Begin a new game. Raises StoreError if it cannot be saved."""
        return cls.hold(store, store.begin_game(setup))

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
        """Write an event; it is on the disk when this returns.

        Raises StoreError if nothing was written; LogReplaced the first time that the file is found
        to have been replaced.
        """
        if self._was_told:
            self._rewrite()
        try:
            self.store.acquire(self.log.id)  # its lock file may have been removed too
            self.log.last = self.store.append(self.log.id, kind, text, after=self.log.last)
        except LogReplaced:
            self._was_told = True
            raise
        self.log.events.append((kind, text))

    @property
    def hands(self) -> list[HandRow]:
        """What players have said of their hands. Raises StoreError."""
        if self._hands is None:
            self._hands = self.log.id, self.store.list_hands(self.log.id)
        return self._hands[1]

    def add_hand(self, row: HandRow) -> None:
        """Save what a player says of a hand; it is on the disk when this returns. Raises StoreError
        if nothing was written."""
        rows = [*self.hands, row]
        in_file = self._hands is not None and self._hands[0] == self.log.id
        self.store.add_hands(self.log.id, [row] if in_file else rows)
        self._hands = self.log.id, rows

    def finish(self, digest: Digest) -> None:
        """Mark the game as over and store its digest (`Store.finish`). Errors are ignored: it is
        only a label in the list of games."""
        with suppress(StoreError):
            self.log.last = self.store.finish(self.log.id, after=self.log.last, digest=digest)
            self.log.events.append(("finish", ""))
            self._has_ended = True

    def close(self) -> None:
        """Release the game; if its log is no longer at its path, write the game there first. After
        its end the log is copied beside itself."""
        if not self.store.is_in_place:
            with suppress(StoreError):
                self._rewrite()
        elif self._has_ended:
            from companion.log import salvage  # most games are left before their end

            with suppress(StoreError):  # the log itself is saved
                salvage.back_up(self.store.database)
        self.store.release(self.log.id)

    def _rewrite(self) -> None:
        """Write the game to the file now at the path, if need be. Raises StoreError."""
        self.store.start_anew()
        self.log = self._find() or self.store.add(self.log)
        self.store.acquire(self.log.id)
        self.settings.follow(self.log.name)
        self._was_told = False

    def _find(self) -> GameLog | None:
        """The game in the file at the path, if it is the same there."""
        with suppress(StoreError, KeyError):
            game_log = self.store.load(self.log.id)
            if (game_log.name, game_log.setup, game_log.events) == (
                *(self.log.name, self.log.setup, self.log.events),
            ):
                return game_log
        return None
