"""The kinds of chips: what one can stand for, as text in `tags.yaml`, on a chip and in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self, TypeAlias, get_args

from common.clean import read_number
from common.problems import find_nearest, tell_range
from common.sentences import N_, Sentence, quote, suggest
from companion import language
from companion.language import _, end_sentence, number_entry, vocabulary
from companion.verbs import VERBS, describe_power
from engine.moves import GRAMMAR, Move

DIGITS = tuple("0123456789")

_PIECE = re.compile(r"\b[PCDT]\b")  # in a form of GRAMMAR: a word that a token or card says
MOVE_ACTIONS = tuple(
    verb
    for verb, record in VERBS.items()
    if record.does is not None and not all(map(_PIECE.search, GRAMMAR.get(verb, ())))
)
"""Chips for moves without a card: a tap plays the move."""

_EFFECTS: dict[str, Callable[[], str]] = {
    "undo": lambda: _("undo the last move"),
    "redo": lambda: _("redo the move that was undone"),
    "repeat": lambda: _("repeat the last answer"),
    "why": lambda: _("why the last move wasn't allowed"),
    "help": lambda: _("help"),
    "moves": lambda: _("what you can do now, numbered"),
    "next": lambda: _("carry on: call, nobody answers, end the turn; the next entry of a card"),
    "back": lambda: _("the previous list, or choose nothing"),
    "enter": lambda: _("the number is complete"),
    "last": lambda: _("what happened last"),
    "who": lambda: _("the crown, the characters and what they did"),
    "status": lambda: _("everybody's gold and cards"),
    "city": lambda: _("the city of the player whose turn it is"),
    "score": lambda: _("the scores"),
    "look": lambda: _("read the next card to one person only"),
    "mine": lambda: _("read the cards noted on a phone, to one person only"),
}
"""What the caller itself does for a chip."""

CALLER_ACTIONS = (*_EFFECTS, *DIGITS)
"""Chips that the caller handles itself; digits make up the number of a choice."""

ACTIONS = (*MOVE_ACTIONS, *CALLER_ACTIONS)
"""Every chip that stands for an action instead of a piece on the table."""


_WORD = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class PieceCatalogue:
    """The pieces that chips can stand for: of one box, of one game, or all that exist.

    `districts` maps card ids to numbers of copies. Of an empty part anything well-formed exists.
    """

    characters: Collection[str] = ()
    districts: Mapping[str, int] = field(default_factory=dict)
    actions: Collection[str] = ()
    seats: int = 8
    references: int = 99

    @property
    def cards(self) -> frozenset[str]:
        return frozenset(self.characters) | frozenset(self.districts)


class _Chip:
    """What all kinds have. Each kind is one class below, which holds all there is to know of it;
    `Entry` lists them in the order of a box."""

    kind: ClassVar[str]
    """Its word in `tags.yaml`."""
    letter: ClassVar[str]
    """The kind in the record on a chip."""
    plural: ClassVar[str]
    """The word for all pieces of the kind, as `--kinds` takes it."""
    example: ClassVar[str]
    parts: ClassVar[tuple[str, ...]] = ()
    """The attributes that follow the kind in its text; all but the first may be left out."""
    optional: ClassVar[bool] = False
    """Whether most tables play without chips of this kind."""

    def __str__(self) -> str:
        return " ".join((self.kind, *(str(getattr(self, part)) for part in self.parts)))

    @classmethod
    def parse(cls, words: Sequence[str], catalogue: PieceCatalogue) -> Self:
        """The entry with these words after its kind, as many as `parts` allows. Raises ValueError
        with one sentence for what does not exist."""
        return cls()

    @classmethod
    def pieces(cls, catalogue: PieceCatalogue) -> Iterable[Self]:
        """Every piece of the kind, in the order of the catalogue."""
        return [cls()]

    def exists(self, catalogue: PieceCatalogue) -> bool:
        """Whether the piece is in the catalogue's box; only cards differ from box to box."""
        return True

    def describe(self, players: Sequence[str] = ()) -> str:
        """What the chip stands for, in the table's language; `players` are the names by seat."""
        raise NotImplementedError


class CardChip(_Chip):
    """A kind whose entries are one physical card each, which can carry one chip only."""

    card: str


@dataclass(frozen=True)
class DistrictChip(CardChip):
    """One copy of a district card; copies count from 1."""

    kind = "district"
    letter = "d"
    plural = "districts"
    example = "district temple 2"
    parts = ("card", "copy")
    card: str
    copy: int = 1

    @classmethod
    def parse(cls, words: Sequence[str], catalogue: PieceCatalogue) -> Self:
        card = check_word(words[0], N_("There is no district “{word}”."), catalogue.districts)
        copies = catalogue.districts.get(card, 99)
        number = words[1] if len(words) > 1 else "1"
        problem = Sentence(
            "The copy of {id} is a number from {least} to {most}, not “{text}”.",
            id=card,
            least=1,
            most=copies,
            text=number,
        )
        return cls(card, _number(number, copies, problem))

    @classmethod
    def pieces(cls, catalogue: PieceCatalogue) -> Iterable[Self]:
        for card, copies in catalogue.districts.items():
            yield from (cls(card, copy) for copy in range(1, copies + 1))

    def exists(self, catalogue: PieceCatalogue) -> bool:
        return self.copy <= catalogue.districts.get(self.card, 0)

    def describe(self, players: Sequence[str] = ()) -> str:
        return _("{district}, copy {number}").format(
            district=language.card(self.card), number=self.copy
        )


@dataclass(frozen=True)
class CharacterChip(CardChip):
    kind = "character"
    letter = "c"
    plural = "characters"
    example = "character king"
    parts = ("card",)
    card: str

    @classmethod
    def parse(cls, words: Sequence[str], catalogue: PieceCatalogue) -> Self:
        return cls(
            check_word(words[0], N_("There is no character “{word}”."), catalogue.characters)
        )

    @classmethod
    def pieces(cls, catalogue: PieceCatalogue) -> Iterable[Self]:
        return map(cls, catalogue.characters)

    def exists(self, catalogue: PieceCatalogue) -> bool:
        return self.card in catalogue.characters

    def describe(self, players: Sequence[str] = ()) -> str:
        return language.card(self.card)


@dataclass(frozen=True)
class PlayerChip(_Chip):
    """The token of the player on `seat`, 1 to 8, clockwise as at set-up."""

    kind = "player"
    letter = "p"
    plural = "players"
    example = "player 3"
    parts = ("seat",)
    seat: int

    @classmethod
    def parse(cls, words: Sequence[str], catalogue: PieceCatalogue) -> Self:
        return cls(_number(words[0], catalogue.seats))

    @classmethod
    def pieces(cls, catalogue: PieceCatalogue) -> Iterable[Self]:
        return map(cls, range(1, catalogue.seats + 1))

    def describe(self, players: Sequence[str] = ()) -> str:
        if self.seat <= len(players):
            return _("{player}'s token").format(player=players[self.seat - 1])
        return _("the token of seat {seat}").format(seat=self.seat)


@dataclass(frozen=True)
class CrownChip(_Chip):
    kind = "crown"
    letter = "k"
    plural = "crown"
    example = "crown"

    def describe(self, players: Sequence[str] = ()) -> str:
        return _("the crown")


@dataclass(frozen=True)
class ReferenceChip(_Chip):
    """A reference card: one chip for all the `cards` that its number lists at this table (none: the
    caller decides)."""

    kind = "reference"
    letter = "r"
    plural = "references"
    example = "reference 1"
    parts = ("number",)
    optional = True
    number: int
    cards: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def parse(cls, words: Sequence[str], catalogue: PieceCatalogue) -> Self:
        return cls(_number(words[0], catalogue.references))

    @classmethod
    def pieces(cls, catalogue: PieceCatalogue) -> Iterable[Self]:
        return map(cls, range(1, catalogue.references + 1))

    def describe(self, players: Sequence[str] = ()) -> str:
        return _("reference card {number}").format(number=self.number)


@dataclass(frozen=True)
class ActionChip(_Chip):
    """An action (`companion.chips.entries`), such as `end`, `undo` or `help`."""

    kind = "action"
    letter = "a"
    plural = "actions"
    example = "action end"
    parts = ("name",)
    optional = True
    name: str

    @classmethod
    def parse(cls, words: Sequence[str], catalogue: PieceCatalogue) -> Self:
        return cls(check_word(words[0], N_("There is no action “{word}”."), catalogue.actions))

    @classmethod
    def pieces(cls, catalogue: PieceCatalogue) -> Iterable[Self]:
        return map(cls, catalogue.actions)

    def describe(self, players: Sequence[str] = ()) -> str:
        if self.name in DIGITS:
            return _("number {number}").format(number=self.name)
        return _("action {name}").format(name=vocabulary.find_name(self.name))


Entry: TypeAlias = (
    DistrictChip | CharacterChip | PlayerChip | CrownChip | ReferenceChip | ActionChip
)

KINDS: dict[str, type[Entry]] = {chip.kind: chip for chip in get_args(Entry)}
"""The kinds by their words, in the order in which a box is worked through."""


def list_pieces(catalogue: PieceCatalogue, plurals: Collection[str] | None = None) -> list[Entry]:
    """Every piece of the catalogue, or of the kinds with these plurals."""
    chips = [chip for chip in KINDS.values() if plurals is None or chip.plural in plurals]
    return [entry for chip in chips for entry in chip.pieces(catalogue)]


def parse_entry(text: str, catalogue: PieceCatalogue | None = None) -> Entry:
    """Parse an entry, such as `district temple 2` or `player 3`. Raises ValueError with one
    sentence: an unknown kind, too few or too many words, an id or a number that does not exist. A
    district without a copy number is its first copy."""
    kind, *words = text.split() or [""]
    chip = KINDS.get(kind)
    if chip is None:
        kinds = ", ".join(KINDS)
        problem = Sentence(
            "A chip cannot be “{text}”; choose one of {kinds}.", text=text, kinds=kinds
        )
        raise ValueError(suggest(problem, find_nearest(kind, KINDS)))
    most = len(chip.parts)
    if not min(most, 1) <= len(words) <= most:
        raise ValueError(
            Sentence(
                "“{text}” should be written like “{example}”.", text=text, example=chip.example
            )
        )
    return chip.parse(words, catalogue or PieceCatalogue())


def check_word(word: str, problem: str, names: Iterable[str]) -> str:
    """`word` itself if it is a known id (if no ids are given, any well-formed one). Raises
    ValueError with the `problem`, which contains `{word}`, and the nearest known id."""
    ids = frozenset(names)
    if word not in ids if ids else not _WORD.fullmatch(word):
        raise ValueError(suggest(Sentence(problem, word=word), find_nearest(word, ids)))
    return word


def _number(text: str, most: int, problem: Sentence | None = None) -> int:
    """The number, from 1 to `most`. Raises ValueError with the `problem`, or a general sentence."""
    number = read_number(text, 4)
    if number is None or not 1 <= number <= most:
        raise ValueError(problem or make_number_problem(text, most))
    return number


def make_number_problem(text: str, most: int) -> Sentence:
    """That this is no number from 1 to `most`."""
    return Sentence("{problem}.", problem=tell_range(quote(text), 1, most))


def describe_action(name: str) -> str:
    """What the action chip called `name` does; empty for a number."""
    if name in MOVE_ACTIONS:
        return describe_power(Move(name))
    return _EFFECTS[name]() if name in _EFFECTS else ""


def list_action_chips() -> list[str]:
    """The whole key, a line per chip: moves, actions of the caller, numbers."""
    return [
        _("Chips for moves"),
        *map(_action_line, MOVE_ACTIONS),
        _("Chips for the companion"),
        *map(_action_line, _EFFECTS),
        _("Number chips"),
        _("0 to 9: pick the choice with that number."),
        _("Above nine: digit by digit, then enter."),
        _("0 alone: repeat the last answer."),
    ]


def _action_line(name: str) -> str:
    return end_sentence(number_entry(name, describe_action(name)))


def entry_label(entry: Entry, players: Sequence[str]) -> str:
    """The entry in the current language; `players` are the names in seat order."""
    if isinstance(entry, DistrictChip):
        return f"{language.card(entry.card)} {entry.copy}"
    words = entry.describe(players)
    return words[:1].upper() + words[1:]


def sort_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Entries in the order in which people look for them: the most often tapped first."""
    return sorted(entries, key=lambda entry: _ORDER.index(entry.kind))


_ORDER = ("player", "crown", "character", "reference", "action", "district")
