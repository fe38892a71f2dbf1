"""A whole club on this computer: tables that play by themselves, each with a real game, a real log
and a real publisher."""

from __future__ import annotations

import os
import random
import threading
from typing import TYPE_CHECKING

from companion.extensions.club.publisher import Publisher
from companion.files import locations
from companion.game.onlooking import Onlookers
from companion.game.session import Session
from companion.log.store import Store
from engine import record
from engine.editions import editions
from engine.referee import list_legal_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.moves import Move

NAMES = (
    *("Anna", "Kurt", "Ashley", "Ben", "Zoë", "Li", "Max", "Eva", "Jo", "Uli", "Mia", "Tom"),
    *("Ida", "Paul", "Nina", "Olga", "Igor", "Rosa", "Finn", "Lea", "Noah", "Vera", "Hugo", "Sara"),
)
PAUSE = 2.0
"""Seconds between two moves of a table, on average."""

AFTER_THE_END = 10.0
"""Seconds for the scores, before the next game."""

LEAST, MOST = 4, 7
"""Players at a table."""


class DemoTable:
    """A table that plays one game after the other, by moves that a beginner might make."""

    def __init__(self, name: str, players: list[str], folder: str, club: str) -> None:
        """`club` is the address of the table in its club."""
        self._chance = random.Random(name)
        self._players, self._games = players, 0
        self._store = Store(locations.games_file(folder))
        self.publisher = Publisher(club, folder, lambda _line: None)
        self._onlookers = Onlookers({"club": self.publisher}, lambda _line: None)
        self._begin()

    def _begin(self) -> None:
        boxes = [box for box in editions().values() if box.max_players >= len(self._players)]
        setup = record.read_setup(
            {
                "edition": self._chance.choice(boxes).id,
                "players": self._players,
                "crown": self._players[self._games % len(self._players)],
            }
        )
        self._games += 1
        self.session = Session.begin(self._store, setup)
        self.session.attend(self._onlookers)

    def step(self) -> float:
        """Make a move, or begin the next game; returns how many pauses to wait before the next."""
        if self.session.over:
            self.session.close()
            self._begin()
            return 1.0
        self.session.play(_choose(list_legal_moves(self.session.referee.table), self._chance))
        return AFTER_THE_END / PAUSE if self.session.over else self._chance.uniform(0.3, 1.7)

    def close(self) -> None:
        """End the game; it is saved."""
        self.publisher.close()
        self.session.close()
        self._store.close()


def _choose(moves: list[Move], chance: random.Random) -> Move:
    """A move: rather a building than anything else, and no choice recorded again and again."""
    builds = [move for move in moves if move.verb == "build"]
    if builds and chance.random() < 0.9:
        return chance.choice(builds)
    reveals = [move for move in moves if move.verb == "reveal"]
    if reveals and chance.random() < 0.8:
        return chance.choice(reveals)
    verbs = sorted({move.verb for move in moves} - {"choose", *_RARE}) or sorted(
        {move.verb for move in moves}
    )
    verb = chance.choice(verbs)
    return chance.choice([move for move in moves if move.verb == verb])


_RARE = ("destroy", "seize")


class Demo:
    """So many tables in a club; `address` gives the address of the table with that name."""

    def __init__(self, number: int, folder: str, address: Callable[[str], str]) -> None:
        self._end = threading.Event()
        people, chance = _name_people(), random.Random(number)
        self._threads: list[threading.Thread] = []
        for name in name_tables(number):
            players = [next(people) for _seat in range(chance.randint(LEAST, MOST))]
            own = os.path.join(folder, name)
            words = name, players, own, address(name)
            self._threads.append(threading.Thread(target=self._play, args=words, daemon=True))

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _play(self, name: str, players: list[str], folder: str, address: str) -> None:
        os.makedirs(folder, exist_ok=True)
        table = DemoTable(name, players, folder, address)
        pauses = 0.0
        while not self._end.wait(pauses * PAUSE):
            pauses = table.step()
        table.close()


def name_tables(number: int) -> list[str]:
    return [f"table-{place}" for place in range(1, number + 1)]


def _name_people() -> Iterator[str]:
    round_ = 1
    while True:
        for name in NAMES:
            yield name if round_ == 1 else f"{name} {round_}"
        round_ += 1
