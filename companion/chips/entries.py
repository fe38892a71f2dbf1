"""What a chip can stand for, and its text form in ``tags.yaml``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, TypeAlias

from common.problems import find_nearest
from common.sentences import N_, Sentence, suggest

DIGITS = tuple("0123456789")


class Digits(NamedTuple):
    """The result of a digit: a complete number, or digits still pending, or neither."""

    number: int | None = None
    waiting: str = ""


def press(waiting: str, digit: str, numbers: Collection[int]) -> Digits:
    """Append a digit to the pending ones; `numbers` are the valid choices.

    A number is complete as soon as no longer choice begins with it. The result is neither if no
    choice begins with these digits.
    """
    text = waiting + digit
    matches = [number for number in numbers if str(number).startswith(text)]
    if matches == [int(text)] and text == str(matches[0]):
        return Digits(number=matches[0])
    return Digits(waiting=text if matches else "")


SEATS = range(1, 9)
"""The possible seats of a player's token."""

KINDS = ("district", "character", "player", "crown", "action", "reference")

_WORD = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class KnownCards:
    """The catalogue to check a registry against; an empty part is not checked.

    ``districts`` maps card ids to numbers of copies.
    """

    characters: frozenset[str] = frozenset()
    districts: Mapping[str, int] = field(default_factory=dict)
    actions: frozenset[str] = frozenset()

    @property
    def cards(self) -> frozenset[str]:
        """Every card id: characters and districts."""
        return self.characters | frozenset(self.districts)


@dataclass(frozen=True)
class DistrictChip:
    """One copy of a district card; copies count from 1."""

    kind: ClassVar[str] = "district"
    card: str
    copy: int = 1

    def __str__(self) -> str:
        return f"district {self.card} {self.copy}"


@dataclass(frozen=True)
class CharacterChip:
    """A character card."""

    kind: ClassVar[str] = "character"
    card: str

    def __str__(self) -> str:
        return f"character {self.card}"


@dataclass(frozen=True)
class PlayerChip:
    """The token of the player on ``seat``, 1 to 8, clockwise as at set-up."""

    kind: ClassVar[str] = "player"
    seat: int

    def __str__(self) -> str:
        return f"player {self.seat}"


@dataclass(frozen=True)
class CrownChip:
    """The crown."""

    kind: ClassVar[str] = "crown"

    def __str__(self) -> str:
        return "crown"


@dataclass(frozen=True)
class ActionChip:
    """An action, such as ``end``, ``undo``, ``redo``, ``repeat`` or ``help``."""

    kind: ClassVar[str] = "action"
    name: str

    def __str__(self) -> str:
        return f"action {self.name}"


@dataclass(frozen=True)
class ReferenceChip:
    """A reference card: one chip for all the ``cards`` it lists (none: the caller decides)."""

    kind: ClassVar[str] = "reference"
    number: int
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"reference {self.number}"


Entry: TypeAlias = (
    DistrictChip | CharacterChip | PlayerChip | CrownChip | ActionChip | ReferenceChip
)


def parse_entry(text: str, known_cards: KnownCards | None = None) -> Entry:
    """Parse an entry, such as ``district temple 2`` or ``player 3``.

    Raises ``ValueError`` with one sentence: an unknown kind, too few or too many words, an id or
    a number that does not exist.  A district without a copy number is its first copy.
    """
    words = text.split()
    kind, rest = (words[0], words[1:]) if words else ("", [])
    if kind not in KINDS:
        kinds = ", ".join(KINDS)
        problem = Sentence(
            "A chip cannot be “{text}”; choose one of {kinds}.", text=text, kinds=kinds
        )
        raise ValueError(suggest(problem, find_nearest(kind, KINDS)))
    most = {"crown": 0, "district": 2}.get(kind, 1)
    if not min(most, 1) <= len(rest) <= most:
        raise ValueError(
            Sentence(
                "“{text}” should be written like “{example}”.", text=text, example=_EXAMPLES[kind]
            )
        )
    return _build(kind, rest, known_cards or KnownCards())


_EXAMPLES = {
    "district": "district temple 2",
    "character": "character king",
    "player": "player 3",
    "crown": "crown",
    "action": "action end",
    "reference": "reference 1",
}


def _build(kind: str, words: list[str], known_cards: KnownCards) -> Entry:
    match kind:
        case "district":
            return _district(words, known_cards)
        case "character":
            return CharacterChip(
                check_word(words[0], N_("There is no character “{word}”."), known_cards.characters)
            )
        case "player":
            return PlayerChip(
                _number(
                    words[0], N_("A seat is a number from {least} to {most}, not “{text}”."), SEATS
                )
            )
        case "action":
            return ActionChip(
                check_word(words[0], N_("There is no action “{word}”."), known_cards.actions)
            )
        case "reference":
            return ReferenceChip(
                _number(
                    words[0],
                    N_("A reference card's number is from {least} to {most}, not “{text}”."),
                    range(1, 100),
                )
            )
        case _:
            return CrownChip()


def _district(words: list[str], known_cards: KnownCards) -> DistrictChip:
    card = check_word(words[0], N_("There is no district “{word}”."), known_cards.districts)
    copies = known_cards.districts.get(card, 99)
    number = words[1] if len(words) > 1 else "1"
    problem = N_("The copy of {id} is a number from {least} to {most}, not “{text}”.")
    return DistrictChip(card, _number(number, problem, range(1, copies + 1), id=card))


def check_word(word: str, problem: str, names: Iterable[str]) -> str:
    """``word`` itself if it is a known id (if no ids are given, any well-formed one).

    Raises ``ValueError`` with the ``problem``, which contains ``{word}``, and the nearest known id.
    """
    ids = frozenset(names)
    if word not in ids if ids else not _WORD.fullmatch(word):
        raise ValueError(suggest(Sentence(problem, word=word), find_nearest(word, ids)))
    return word


def _number(text: str, problem: str, allowed: range, **fields: object) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) in allowed):
        raise ValueError(Sentence(problem, least=allowed[0], most=allowed[-1], text=text, **fields))
    return int(text)
