"""The demonstration: a game from a record of our own that plays itself, a move after the other.

It is a real game in a real log, in a folder that is gone afterwards; whoever shows it decides when
the next move is due, by `pause`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.game.session import Session
from companion.log import records
from companion.log.store import Store

if TYPE_CHECKING:
    from engine.record import Record

FILE = os.path.join(os.path.dirname(__file__), "demo.yaml")
SLOWEST, FASTEST = 0.1, 1000.0  # times the usual pace
BREATH = 0.6  # seconds before anything is read
READING = 0.035  # seconds a character
AT_THE_END = 12.0  # seconds for the scores


def record() -> Record:
    """The game of the demonstration."""
    return records.read(FILE).record


class Demonstration:
    """A game on its way to the end."""

    def __init__(self, store: Store, speed: float) -> None:
        played = record()
        self.speed = speed
        self.store = store
        self.session = Session.begin(store, played.setup)
        self._left = list(played.moves)

    @property
    def over(self) -> bool:
        """Whether every move has been played."""
        return not self._left

    def next_move(self) -> str:
        """The next move of the record; it is the caller's to play it."""
        return self._left.pop(0)

    def pause(self, told: list[str]) -> float:
        """The seconds that these sentences need to be read at the pace in force."""
        usual = BREATH + READING * sum(map(len, told))
        return (AT_THE_END if self.over else usual) / self.speed


@contextmanager
def store() -> Iterator[Store]:
    """A log of games that is gone when the block ends."""
    with (
        tempfile.TemporaryDirectory(prefix="citadels-demo-", ignore_cleanup_errors=True) as folder,
        Store(os.path.join(folder, "games.sqlite3")) as log,
    ):
        yield log
