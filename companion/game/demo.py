"""The demonstration: a recorded game that plays itself, move by move.

It is a real game with a real log, in a temporary folder; the caller times the moves by `pause`.
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
READING = 0.035  # seconds per character
AT_THE_END = 12.0  # seconds for the scores


def record() -> Record:
    """The record of the demonstration game."""
    return records.read(FILE).record


class Demonstration:
    """The demonstration game in progress."""

    def __init__(self, store: Store, speed: float) -> None:
        game = record()
        self.speed = speed
        self.store = store
        self.session = Session.begin(store, game.setup)
        self._left = list(game.moves)

    @property
    def over(self) -> bool:
        """Whether every move has been played."""
        return not self._left

    def next_move(self) -> str:
        """The next move of the record; the caller plays it."""
        return self._left.pop(0)

    def pause(self, lines: list[str]) -> float:
        """The seconds it takes to read these sentences at the current speed."""
        usual = BREATH + READING * sum(map(len, lines))
        return (AT_THE_END if self.over else usual) / self.speed


@contextmanager
def store() -> Iterator[Store]:
    """A temporary log of games, deleted at the end of the block."""
    with (
        tempfile.TemporaryDirectory(prefix="citadels-demo-", ignore_cleanup_errors=True) as folder,
        Store(os.path.join(folder, "games.sqlite3")) as log,
    ):
        yield log
