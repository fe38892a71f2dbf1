"""A game at the table: what is asked, how it is answered, and what is said about it.

Every face (full screen, plain lines) renders what a `Conversation` says and passes on user input.
Here is what a conversation says to its face, and what it needs from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.explain import Refused
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


class Row(NamedTuple):
    """One answer: its label, what picks it, and the moves behind it (a single one is played).

    A row with `why` cannot be taken now; taking it is refused like a move; `short` is the gold that
    is missing for it. `word` is the command that the row runs instead of a move, `do` what it does
    before a game. `card` is the row's subject, whose names in every language find it. In a list of
    which several are chosen a row `is_in` or not; `about` tells more of it, `line` is a longer
    label for somebody who cannot look at it. `yes` is True where the row says yes to the question,
    False where it says no.
    """

    label: str
    moves: tuple[Move, ...] = ()
    number: int | None = None
    key: str = ""
    card: str = ""
    word: str = ""
    private: bool = False
    why: Callable[[], Refused] | None = None
    short: int = 0
    do: Callable[[], object] | None = None
    is_in: bool | None = None
    about: Callable[[], list[str]] = list
    line: str = ""
    yes: bool | None = None


class Offer(NamedTuple):
    """A list of rows under a title. If it waits for a name, the `initials` are the letters that
    start the search for one. `question` is what the rows answer, if not the title. In a list of one
    `type_digit` the second digit picks one. A text that also answers is labelled `field`."""

    title: str
    rows: tuple[Row, ...]
    initials: frozenset[str] = frozenset()
    question: str = ""
    type_digit: int = 0
    field: str = ""

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(dict.fromkeys(move for row in self.rows for move in row.moves))

    @property
    def identity(self) -> tuple[object, ...]:
        """What decides whether the rows are still the same."""
        return tuple(
            (
                *(row.word, row.card, row.number, row.moves, row.why is None),
                *(row.do and row.label, row.is_in),
            )
            for row in self.rows
        )


class Identity(NamedTuple):
    """What makes a question this one and no other, as its reader knows it: its words, its person
    and its offers. What somebody notes in secret does not change it."""

    question: str
    person: str | int | None
    offers: tuple[object, ...]
    private: bool
    stage: str


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
        """Whether a name is awaited, which letters find."""
        return bool(self.offer.initials)


class TableVoice:
    """What a conversation needs of the voice; this one is silent, as on a phone, which only shows
    its page to its owner."""

    def repeat(self) -> bool:
        """Repeat the last announcement; return whether there was one."""
        return False

    def read(self, lines: Sequence[str]) -> None:
        """Read something to the person who asked; everybody may hear it."""

    def speak_privately(self, *texts: str) -> bool:
        """Speak a secret to the private output; return whether there is one."""
        return False

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
