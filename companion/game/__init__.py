"""A game at the table: what is asked, how it is answered, and what is said about it.

Every face (full screen, plain lines) renders what a `Conversation` says and passes on user input.
Here is what a conversation says to its face, and what it needs from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from common import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.asking import Offer, Row
    from engine.moves import Move


Kind = Literal["told", "refused", "note", "answer", "list"]


class Message(NamedTuple):
    """Lines to show or print.

    `told` is what happened at the table, `refused` why something is not done, `note` a remark,
    `answer` the answer to a question (with a title if it has one), `list` the rows just opened.
    What is `private` is for the one person who chooses and is never stored. `card` is the card of a
    note, for a face that can open it. `by_rule` tells a refusal by a rule of the game from input
    that means nothing now. `brief` is the shorter form for somebody who has just typed the move and
    hears the next question, `shown` for somebody who has picked it by number. The numbers of a
    `known` list are those of seats, ranks and verbs, which never change. `code` is a link that a
    face can show as a QR code.
    """

    kind: Kind
    lines: tuple[str, ...]
    title: str = ""
    private: bool = False
    card: str = ""
    brief: tuple[str, ...] | None = None
    code: str = ""
    by_rule: bool = False
    shown: tuple[str, ...] | None = None
    known: bool = False


class CurrentQuestion(NamedTuple):
    """The current question, the player asked, and the rows that answer it.

    `visible` are the rows that match the text `typed` so far. In a `private` moment a face shows
    nothing else, and no typed text.
    """

    question: str
    seat: int | None
    offer: Offer
    visible: tuple[Row, ...]
    typed: str = ""
    private: bool = False

    @property
    def filters(self) -> bool:
        """Whether letters search rows now, instead of being shortcut keys."""
        return self.offer.filters


class TableVoice(Protocol):
    """What a conversation needs of the voice."""

    def repeat(self) -> bool:
        """Repeat the last announcement; return whether there was one."""

    def read(self, lines: Sequence[str]) -> None:
        """Read something to the person who asked; everybody may hear it."""

    def speak_privately(self, *texts: str) -> bool:
        """Speak a secret to the private output; return whether there is one."""

    def whisper_choices(self, title: str, choices: Sequence[tuple[int, str]]) -> None:
        """Whisper the choices with their numbers."""

    def whisper_chosen(self, move: Move) -> None:
        """Whisper which card a private move has named."""


class Face(Protocol):
    """What a conversation needs of the full screen, plain lines or phone page that shows it."""

    @property
    def voice(self) -> TableVoice:
        """The voice: public and private output."""

    def say(self, message: Message) -> None:
        """Show or print it."""

    def do(self, word: str, rest: str) -> bool:
        """Do what only a face can: language, voice, other games, quitting; return whether done."""

    def keep_reader(self, alone: bool) -> None:
        """Withhold taps from every other program during a private moment."""
