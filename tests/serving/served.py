"""A table with phones on a local port, its game running in its own thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TypeVar

from companion.chips.entries import Entry
from companion.phones.serving import where
from companion.phones.serving.phones import Phones
from companion.settings import config
from engine import record
from tests.companion.talking import Talk
from tests.waiting import PATIENCE

T = TypeVar("T")


class Served:
    """A game played by browsers. `do` runs code in the game's thread."""

    def __init__(
        self,
        folder: Path,
        moves: str = "",
        chips: Mapping[str, Entry] | None = None,
        host: str | None = "127.0.0.1",
        house: str = "home",
        **setup: object,
    ) -> None:
        self.config = config.load({"COMPANION_HOUSE": house})
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()
        self._chips = chips or {}
        self._keys: dict[str, str] = {}
        self.told: list[str] = []  # at the computer
        self.where = where.find(host, 0)
        self.talk = self.do(partial(Talk, folder, record.read_setup(setup), moves))
        self.phones: Phones = self.do(self._open)
        self.phones.start()

    def _open(self) -> Phones:
        return Phones(
            self.talk.conversation,
            self.config,
            self.where,
            post=self._work.put,
            later=lambda seconds, work: lambda: None,
            tell=self.told.append,
            lookup=lambda uid: self._chips.get(uid.hex().upper()),
            is_hosted=True,
        )

    def _play(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    def do(self, work: Callable[[], T]) -> T:
        """Run `work` in the game's thread; returns its result."""
        answer: Future[T] = Future()

        def run() -> None:
            try:
                answer.set_result(work())
            except BaseException as error:
                answer.set_exception(error)

        self._work.put(run)
        return answer.result(PATIENCE)

    def play(self, *moves: str) -> None:
        for move in moves:
            self.do(partial(self.talk.session.play, move))

    def key_of(self, player: str) -> str:
        """The key of that player's seat, joining it if free."""
        if player not in self._keys:
            seat = self.phones.door.now.players.index(player)
            key = self.do(lambda: self.phones.door.give(seat))
            self._keys[player] = key
        return self._keys[player]

    def address(self, path: str) -> str:
        return self.where.url.rstrip("/") + path

    def close(self) -> None:
        self.phones.stop()
        self.do(self.talk.session.close)
        self.do(self.talk.store.close)
        self._work.put(None)
