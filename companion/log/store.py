"""The log of games: one SQLite file, written move by move, append-only.

A game is its set-up and its events: moves, undos and redos. Once `append` has returned, the event
is on the disk, even if the process or the machine crashes.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

from common import own_files
from common.clean import read_number, write_moment
from common.sentences import Sentence
from companion.files import reason
from companion.log import (
    BadLog,
    LogReplaced,
    StoreError,
    adding,
    game_rows,
    ledger,
    log_copy,
    log_file,
    migration,
    names,
)
from companion.log.database import Database, Hold, LockHeld
from companion.log.game_rows import GameInfo, GameLog, HandRow
from companion.log.log_copy import KeptGame

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from companion.log.digest import Digest

__all__ = [
    "GameInfo",
    "GameLog",
    "GameOpenElsewhere",
    "Kind",
    "LogReplaced",
    "Store",
    "StoreError",
]

Kind = Literal["move", "undo", "redo"]


class GameOpenElsewhere(StoreError):
    """Another caller, in this process or another, has the game open."""


class Store:
    """The log in the file `path`, created by the first `begin_game`; reading creates nothing.

    Use it from one thread at a time. Every method raises StoreError if the file cannot be used;
    then nothing was written.
    """

    def __init__(self, path: str, *, now: Callable[[], datetime] | None = None) -> None:
        """`now` gives the time with its zone (default: the system clock)."""
        self.path = path
        self._now = now or _clock
        self.database = Database(path)
        """The underlying file, for data stored beside the games."""
        self._locks: dict[int, Hold] = {}

    def begin_game(self, setup: dict[str, Any]) -> int:
        """Begin a game; `setup` is the head of its record. Returns the game's id."""
        text = json.dumps(game_rows.store_setup(setup))
        with self.database.save() as connection:
            now = self._now()
            start = write_moment(now), "start", text
            return adding.insert(connection, f"{now:%Y-%m-%d}-1", str(uuid4()), [start])

    def append(self, game: int, kind: Kind, text: str = "", *, after: int | None = None) -> int:
        """Write an event, durable when this returns. Returns the number of its row.

        `after` is the game's last row known to the caller: raises GameOpenElsewhere if another
        program has written a later one. Raises ValueError for an undo or redo that is not possible
        and for a move without text, LogReplaced if the file is gone.
        """
        if (kind == "move") != bool(text):
            raise ValueError(f"a move has text and nothing else has: {kind} {text!r}")
        with self.database.save() as connection:
            self._need_last(connection, game, after)
            if kind != "move" and not game_rows.is_possible(connection, game, kind):
                raise ValueError(f"game {game}: nothing to {kind}")
            return self._insert(connection, game, kind, text)

    def finish(self, game: int, *, after: int | None = None, digest: Digest | None = None) -> int:
        """Mark the game as over; a later undo reopens it. As `append`.

        `digest` is written to the ledger.
        """
        with self.database.save() as connection:
            self._need_last(connection, game, after)
            last = self._insert(connection, game, "finish", "")
            if digest is not None:
                ledger.make(connection)
                times = game_rows.read_times(connection, game, last)
                ledger.put(connection, game, last, times, digest)
            return last

    def write_again(self, log: GameLog, hands: Sequence[HandRow]) -> GameLog:
        """Write what the file lacks of a game and what was told in it; as another game, if it went
        on differently there."""
        events = [("start", json.dumps(game_rows.store_setup(log.setup))), *log.events]
        rows_again = [(write_moment(self._now()), *event) for event in events]
        game = KeptGame(log.name, log.uuid, rows_again, hands)
        with self.database.save() as connection:
            known = game_rows.list_uuids(connection).get(log.uuid)
            other = game._replace(uuid=str(uuid4()))
            id_ = log_copy.put(connection, game, known) or log_copy.put(connection, other, None)
            assert id_ is not None
        return self.load(id_)

    def remove(self, game: int) -> None:
        """Delete a game, with everything stored beside it, for good. Raises GameOpenElsewhere."""
        self.database.read_back()  # the copy goes, too, but not with other games
        with self.open_game(game), self.database.save() as connection:
            connection.execute("DROP TRIGGER games_remain")
            connection.execute("DROP TRIGGER events_remain")
            names.forget_game(connection, game)
            if ledger.has_tables(connection):
                ledger.forget(connection, game)
            for table in ("hands", "left_out"):
                connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608 - those
            connection.execute("DELETE FROM events WHERE game = ?", (game,))
            connection.execute("DELETE FROM games WHERE id = ?", (game,))
            connection.execute(log_file.GAMES_REMAIN)
            connection.execute(log_file.EVENTS_REMAIN)
            for copy in (log_copy.find_copy(self.path), migration.find_old(self.path)):
                with suppress(FileNotFoundError):
                    os.unlink(copy)
        self.copy()

    def copy(self) -> None:
        """Copy the file beside itself, and give it back what only its copy has. Never raises: the
        games themselves are saved."""
        with suppress(StoreError):
            self.database.copy()

    def take_notices(self) -> list[str]:
        """What people are to be told about the file; each sentence once."""
        notices, self.database.notices = self.database.notices, []
        return notices

    def list_hands(self, game: int) -> list[HandRow]:
        """What players have said of their hands in that game, oldest first."""
        with self.database.look() as connection:
            return game_rows.read(connection, game)

    def add_hands(self, game: int, new: Iterable[HandRow]) -> None:
        """Save what players say of their hands, durable when this returns."""
        with self.database.save() as connection:
            game_rows.add(connection, game, new)

    @property
    def is_in_place(self) -> bool:
        """Whether the file at the path is still the one this store has written."""
        return self.database.is_in_place

    def start_anew(self) -> None:
        """Close a file that was replaced, and release every game in it; the next use opens the file
        now at the path."""
        for game in list(self._locks):
            self.release(game)
        self.database.start_anew()

    def load(self, game: int, *, as_written: bool = False) -> GameLog:
        """The game's current state; unless it is wanted `as_written`, the forgotten players of a
        finished game are called somebody. Raises KeyError for an unknown id."""
        events = self._read(
            "SELECT name, kind, text, seq FROM events JOIN games ON games.id = game"
            " WHERE game = ? ORDER BY seq",
            game,
        )
        query = "SELECT 1 FROM games WHERE id = ? UNION SELECT 1 FROM events WHERE game = ?"
        if not events and not self._read(query, game, game):
            raise KeyError(game)
        with self.database.look() as connection:
            if not events:
                raise BadLog("rows are missing")
            log = GameLog(game, events[0][0], game_rows.setup(events[0][2]), last=events[-1][3])
            for _, kind, text, _seq in events[1:]:
                game_rows.replay(log, kind, text)
            log.uuid = game_rows.read_uuid(connection, game)
            if log.finished and not as_written:
                names.hide_forgotten(connection, log)
        return log

    def find_last_game(self, *, own: bool = False) -> int | None:
        """The game most recently played at this table, damaged or not; if all were imported, the
        last of them, or none if it must be this table's `own`."""
        with self.database.look() as connection:
            imported = () if own else (game for (game,) in connection.execute(game_rows.WALK))
            return next(chain(game_rows.walk_own(connection), imported), None)

    def find_last_own_game(self) -> GameInfo | None:
        """The undamaged game most recently played at this table; none that was only imported."""
        with self.database.look() as connection:
            infos = (game_rows.info(connection, game) for game in game_rows.walk_own(connection))
            return next((info for info in infos if info is not None), None)

    def find(self, name_or_id: str | int) -> int | None:
        """The id of the game called `name_or_id` (`2026-11-21-1`), or with this id."""
        word = str(name_or_id)
        if not word.isprintable():  # a file's odd name, which SQLite takes for a fault of its own
            return None
        found = self._read("SELECT id FROM games WHERE name = ?", word)
        if not found and (number := read_number(word, 18)) is not None:
            found = self._read("SELECT id FROM games WHERE id = ?", number)
        return found[0][0] if found else None

    def count(self) -> int:
        return int(self._read("SELECT count(*) FROM games")[0][0])

    def info(self, game: int) -> GameInfo | None:
        """That game's line in the list; None if it does not exist or is damaged."""
        with self.database.look() as connection:
            return game_rows.info(connection, game)

    def games(self, most: int = -1) -> list[GameInfo]:
        """All games, or `most` of them, the most recently played first.

        Damaged games are left out: the others can still be played. Forgotten players of a finished
        game are called somebody.
        """
        with self.database.look() as connection:
            infos: dict[int, GameInfo | None] = {}
            for (game,) in connection.execute(game_rows.LATEST if most < 0 else game_rows.WALK):
                if game not in infos:
                    infos[game] = _read_info(connection, game)
                if most == sum(info is not None for info in infos.values()):
                    break
            return [info for info in infos.values() if info is not None]

    @property
    def horizon(self) -> str:
        """The latest time of a row that can be right, in UTC as in the rows: a day from now. A game
        that claims a later one must not lead a list."""
        return write_moment(self._now() + timedelta(days=1))

    def count_minutes(self, game: int) -> int:
        """That game's playing time (`game_rows.Times.minutes`)."""
        with self.database.look() as connection:
            return game_rows.read_times(connection, game).minutes

    @contextmanager
    def open_game(self, game: int) -> Iterator[None]:
        """Lock the game during the block, so that no other caller plays it.

        The lock ends with the block or the process. Raises GameOpenElsewhere.
        """
        self.acquire(game)
        try:
            yield
        finally:
            self.release(game)

    def acquire(self, game: int) -> None:
        """Lock the game until `release`, `close` or the end of the process. Raises
        GameOpenElsewhere."""
        if game in self._locks and self._locks[game].is_in_place:
            return
        self.release(game)
        lock = self._lock(game)
        folder = os.path.dirname(lock)
        try:
            own_files.make_folder(folder)
            hold = Hold(lock)
        except OSError as error:
            raise StoreError(
                Sentence(
                    "{folder}: the game cannot be reserved for this window: {error}",
                    folder=folder,
                    error=reason(error),
                )
            ) from None
        except LockHeld:
            raise GameOpenElsewhere(
                Sentence(
                    "Game {name} is open in another window; close it there, or start a "
                    "new game here.",
                    name=self._name(game),
                )
            ) from None
        self._locks[game] = hold

    def is_open_elsewhere(self, game: int) -> bool:
        """Whether another caller has the game open, as far as can be determined."""
        if game in self._locks or not os.path.exists(self._lock(game)):
            return False
        try:
            with self.open_game(game):
                return False
        except StoreError:
            return True

    def _lock(self, game: int) -> str:
        folder = f"{os.path.realpath(self.path)}-open"  # one folder, whatever path leads to it
        return os.path.join(folder, f"{game}.lock")

    def release(self, game: int) -> None:
        hold = self._locks.pop(game, None)
        if hold is not None:
            hold.let_go()

    def close(self) -> None:
        """Close the file and release every game; the next use opens the file again."""
        for game in list(self._locks):
            self.release(game)
        self.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, query: str, *values: object) -> list[Any]:
        with self.database.look() as connection:
            return connection.execute(query, values).fetchall()

    def _name(self, game: int) -> str:
        with suppress(StoreError):
            for (name,) in self._read("SELECT name FROM games WHERE id = ?", game):
                return str(name)
        return str(game)

    def _need_last(self, connection: sqlite3.Connection, game: int, after: int | None) -> None:
        """Raise GameOpenElsewhere if another program has written a row after `after`."""
        query = "SELECT max(seq) FROM events WHERE game = ?"
        (last,) = connection.execute(query, (game,)).fetchone()
        if after not in (None, last):
            raise GameOpenElsewhere(
                Sentence(
                    "Game {name} was continued in another window; leave it here, and open it "
                    "again to see what changed.",
                    name=self._name(game),
                )
            )

    def _insert(self, connection: sqlite3.Connection, game: int, kind: str, text: str) -> int:
        """Insert a row; returns its number."""
        row = connection.execute(
            "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
            (game, write_moment(self._now()), kind, text),
        ).lastrowid
        assert row is not None
        return row


def _read_info(connection: sqlite3.Connection, game: int) -> GameInfo | None:
    info = game_rows.info(connection, game)
    forgotten = names.find_forgotten(connection, game) if info is not None and info.finished else {}
    if info is None or game not in forgotten:
        return info
    return info._replace(setup=names.hide_in_setup(info.setup, forgotten[game]))


def _clock() -> datetime:
    """The local time, or UTC if the system's time zone is invalid."""
    try:
        return datetime.now().astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.now(UTC)
