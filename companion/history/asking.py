"""Who asks to look back: what a conversation must have for that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from companion.log.store import Store
from engine.referee import Referee
from engine.table import Table


class Game(Protocol):
    """The game that is being played, or has just ended."""

    referee: Referee

    @property
    def store(self) -> Store:
        """The log in which it is written."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def game(self) -> int:
        """Its number in the log."""

    @property
    def view(self) -> Table:
        """The table as everybody may know it."""


class Voice(Protocol):
    """What speaks to the table."""

    def read(self, lines: Sequence[str]) -> None:
        """Read something to the person who asked; everybody may hear it."""


class Face(Protocol):
    """The screen or the lines."""

    @property
    def voice(self) -> Voice:
        """What speaks to the table."""


class Talk(Protocol):
    """The conversation in which it is asked."""

    @property
    def session(self) -> Game:
        """The game it is about."""

    @property
    def face(self) -> Face:
        """Where it is shown."""

    def say(
        self,
        kind: Literal["answer", "refused"],
        /,
        *lines: str,
        title: str = "",
        code: str = "",
    ) -> None:
        """Say something there."""


Command = Callable[[Talk, str], None]
