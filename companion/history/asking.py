"""Protocols: what looking back needs of the conversation in which it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from companion.log.store import Store
from engine.referee import Referee
from engine.table import Table


class Game(Protocol):
    """The game being played or just ended."""

    referee: Referee

    @property
    def store(self) -> Store:
        """The log that holds it."""

    @property
    def name(self) -> str:
        """Its name for people."""

    @property
    def game(self) -> int:
        """Its id in the log."""

    @property
    def view(self) -> Table:
        """The public view of the table."""


class Voice(Protocol):
    """The voice at the table."""

    def read(self, lines: Sequence[str]) -> None:
        """Read lines to the person who asked; everybody may hear them."""


class Face(Protocol):
    """The full screen or plain mode."""

    @property
    def voice(self) -> Voice:
        """The voice at the table."""


class Talk(Protocol):
    """The conversation that asks."""

    @property
    def session(self) -> Game:
        """The session of the game."""

    @property
    def face(self) -> Face:
        """The face that shows the answer."""

    def say(
        self,
        kind: Literal["answer", "refused"],
        /,
        *lines: str,
        title: str = "",
        code: str = "",
    ) -> None:
        """Say lines in the conversation."""


Command = Callable[[Talk, str], None]
