"""What a table must still tell its club: the results that the hub has not confirmed.

The games themselves are in the log, which is the truth; here are only their names, and the hash of
the result that the hub has confirmed. One file for each table's data folder, replaced as a whole.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from typing import TYPE_CHECKING, Any

from common import own_files
from common.problems import Problems
from companion.extensions.club import messages
from companion.files import locations
from companion.log.records import remove_secrets
from companion.log.store import Store, StoreError
from engine import record, views
from engine.explain import Refused
from engine.moves import fold
from engine.referee import Referee

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.extensions.club.address import ClubAddress

NAME = "club.json"
"""The file in the table's data folder that records what the club has confirmed."""

LIMIT = 1_000_000
"""Bytes of the file; a larger one is not ours."""

FIRST_BIRTHS = 1_000_000
"""Connections are counted from a number below this, drawn once: two computers that are the same
table by mistake then know each other's from their own."""

RESERVED = 100
"""Numbers of connections that are written down at once: a club that is away or refuses this table
must not cost a write for each try."""

MOST_MINUTES = 9999
"""A game that took longer is told as if it had taken that."""

MOST_GAMES = 500
"""Games that are remembered for each club and table: those that the hub has not confirmed, and the
latest of the others."""


class Outbox:
    """The results that a table owes its club. One thread may add a game at any time, another does
    the rest."""

    def __init__(self, folder: str, address: ClubAddress) -> None:
        """`folder` is the table's data folder."""
        self._path = os.path.join(folder, NAME)
        self._games_path = locations.games_file(folder)
        self._key = f"{address.club}/{address.table}"
        self._guard = threading.Lock()  # of the games and the file
        self._reserved, self._games = self._read()
        self._birth = self._reserved
        self._waiting: dict[str, str] = {}  # the hashes of results that were sent, by game

    @property
    def is_waiting(self) -> bool:
        """Whether a result that was sent is not confirmed."""
        return bool(self._waiting)

    def count_birth(self) -> int:
        """The number of the connection that begins now: higher than any before, also than those of
        earlier programs if the file could be written."""
        self._birth += 1
        if self._birth > self._reserved:
            with self._guard:
                self._reserved = self._birth + RESERVED - 1
                self._write()
        return self._birth

    def add(self, game: str) -> None:
        with self._guard:
            self._games[game] = self._games.pop(game, "")
            self._write()

    def note_seen(self, game: str, hash_: str) -> bool:
        """Note that the hub has the result of that game with that hash; whether that is news."""
        if self._waiting.get(game) != hash_:
            return False
        del self._waiting[game]
        with self._guard:
            self._games[game] = hash_
            self._write()
        return True

    def list_waiting(self, ids: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """The results of finished games that the hub has not confirmed, oldest first. `ids` has the
        club's players: the id of each name, as `fold` has it."""
        with self._guard:
            games = {**self._games}
        with Store(self._games_path) as store:
            for game, text in games.items():
                # the end of the latest game may be undone and played otherwise
                is_open = not text or game == next(reversed(games))
                try:
                    result = _make(store, game, ids) if is_open else None
                except (StoreError, Problems, Refused):
                    continue  # damaged, or of other rules: it stays in the log
                if result is not None and result["hash"] != text:
                    self._waiting[game] = result["hash"]
                    yield result

    def _read(self) -> tuple[int, dict[str, str]]:
        own_part = _read_file(self._path).get(self._key)
        if not isinstance(own_part, dict):
            return secrets.randbelow(FIRST_BIRTHS), {}
        birth, games = own_part.get("birth"), own_part.get("games")
        return (
            birth if isinstance(birth, int) and birth > 0 else secrets.randbelow(FIRST_BIRTHS),
            {str(game): str(view) for game, view in games.items()}
            if isinstance(games, dict)
            else {},
        )

    def _write(self) -> None:
        owed_last = sorted(self._games, key=lambda game: not self._games[game])
        for game in owed_last[: max(len(self._games) - MOST_GAMES, 0)]:
            del self._games[game]
        everything = _read_file(self._path)
        own_part = {"birth": self._reserved, "games": self._games}
        if everything.get(self._key) == own_part:
            return
        everything[self._key] = own_part
        try:
            own_files.replace(self._path, json.dumps(everything))
        except OSError:
            return  # the games are in the log all the same


def _read_file(path: str) -> dict[str, Any]:
    try:
        data = json.loads(own_files.read(path, LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _make(store: Store, name: str, ids: Mapping[str, str]) -> dict[str, Any] | None:
    """The result of that game; None while it is not over, or once it is gone. Raises StoreError,
    Problems and Refused."""
    game = store.find(name)
    log = store.load(game) if game is not None else None
    if log is None:
        return None
    played = record.read({**log.setup, "moves": log.moves})
    referee = Referee(played.start)
    for text in played.moves:
        referee.play(text)
    if referee.table.stage != "over":  # not `finished`, before which a program may be killed
        return None
    data = remove_secrets(played)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    info = store.info(log.id)
    return {
        "v": 1,
        "game": name,
        "uuid": log.uuid,
        "hash": messages.find_hash(text),
        "at": messages.tell_time(info.update_time if info else None),
        "minutes": min(store.count_minutes(log.id) or 0, MOST_MINUTES),
        "score": views.score_json(referee.table, final=True),
        "players": {name: ids.get(fold(name)) for name in played.setup.players},
        "record": text,
    }
