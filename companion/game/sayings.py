"""What a conversation says to its face, and what it wants of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.asking import Offer, Row
    from engine.moves import Move

Kind = Literal["told", "refused", "note", "answer", "list"]


class Saying(NamedTuple):
    """Lines to show or print.

    `told` is what happened at the table, `refused` why something is not done, `note` a remark,
    `answer` the answer to a question (with a title where it has one), `list` the rows just opened.
    What is `private` is for the one person who chooses and is kept nowhere. `card` is the card
    that a note is about, for a face that can open it. `brief` is what is left of the
    lines for somebody who has just typed the move and hears next what is asked. `code` is a link
    that a face can show as a QR code.
    """

    kind: Kind
    lines: tuple[str, ...]
    title: str = ""
    private: bool = False
    card: str = ""
    brief: tuple[str, ...] | None = None
    code: str = ""


class Asked(NamedTuple):
    """What is asked now: the question, whom, and the rows that answer it.

    `visible` are the rows that fit what was `typed` so far. In a `private` moment a face shows
    nothing else, and nothing that is typed.
    """

    question: str
    seat: int | None
    offer: Offer
    visible: tuple[Row, ...]
    typed: str = ""
    private: bool = False

    @property
    def filters(self) -> bool:
        """Whether letters look for rows now, instead of being keys of their own."""
        return self.offer.filters


class Voice(Protocol):
    """What a conversation asks of the voice at the table."""

    def repeat(self) -> bool:
        """Say again what was said last to the table; whether there was anything."""

    def read(self, lines: Sequence[str]) -> None:
        """Read something to the person who asked; everybody may hear it."""

    def in_private(self, *texts: str) -> bool:
        """Say a secret to the one ear; whether there is one."""

    def whisper_choices(self, title: str, choices: Sequence[str]) -> None:
        """Say to the one ear what can be chosen by which number."""

    def whisper_chosen(self, move: Move) -> None:
        """Say to the one ear which card a private move has named."""


class Face(Protocol):
    """What a conversation needs of the screen, the lines or the page that shows it."""

    @property
    def voice(self) -> Voice:
        """What speaks to the table, and to one ear."""

    def say(self, saying: Saying) -> None:
        """Show or print it."""

    def do(self, word: str, rest: str) -> bool:
        """Do what only a face can: language, voice, other games, leaving. Whether it could."""

    def keep_reader(self, alone: bool) -> None:
        """Keep taps from every other program while a private moment lasts."""
