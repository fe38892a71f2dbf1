"""The demonstration: a recorded game that plays itself, move by move. It is a real game with a real
log, in a temporary folder; the caller times the moves by `pause`."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.game.session import Session
from companion.log import records
from companion.log.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.record import Record

FILE = os.path.join(os.path.dirname(__file__), "demo.yaml")
BREATH = 0.6  # seconds before anything is read
READING = 0.035  # seconds per character
AT_THE_END = 12.0  # seconds for the scores


def read_demo() -> Record:
    return records.read(FILE).record


class Demonstration:
    """The demonstration game in progress."""

    def __init__(self, store: Store) -> None:
        game = read_demo()
        self.store = store
        self.session = Session.begin(store, game.setup)
        self._left = list(game.moves)

    @property
    def over(self) -> bool:
        return not self._left

    def next_move(self) -> str:
        """The next move of the record; the caller plays it."""
        return self._left.pop(0)

    def pause(self, lines: list[str]) -> float:
        """The seconds it takes to read these sentences."""
        return AT_THE_END if self.over else BREATH + READING * sum(map(len, lines))


@contextmanager
def open_demo_store() -> Iterator[Store]:
    """A temporary log of games, deleted at the end of the block."""
    with (
        tempfile.TemporaryDirectory(prefix="citadels-demo-", ignore_cleanup_errors=True) as folder,
        Store(os.path.join(folder, "games.sqlite3")) as log,
    ):
        yield log
