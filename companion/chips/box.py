"""A box: every piece of it that can carry a chip, and which games its cards suffice for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from companion import chips, language
from companion.chips import entries
from companion.chips.entries import (
    ACTIONS,
    DIGITS,
    MOVE_ACTIONS,
    ActionChip,
    CardChip,
    DistrictChip,
    Entry,
    PieceCatalogue,
)
from companion.language import _
from engine import cards
from engine.editions import Edition, editions
from engine.rules import list_verbs
from engine.ruleset import Ruleset

KINDS = tuple(chip.plural for chip in entries.KINDS.values())
"""The kinds of pieces, in the order in which a box is worked through."""

CARDS = tuple(c.plural for c in entries.KINDS.values() if issubclass(c, CardChip))
"""The kinds that every game needs complete."""

USUAL = tuple(chip.plural for chip in entries.KINDS.values() if not chip.optional)
"""The kinds that every table has, of which every piece is asked for."""

BUTTONS = ("gold", "cards", "end", "undo")
"""The actions asked for beside them: those of every turn."""


class Box:
    """The contents of one edition's box."""

    def __init__(self, edition: str) -> None:
        """`edition` must be an existing id."""
        self.edition: Edition = editions()[edition]
        districts = cards.districts(self.edition.printing)
        self.copies = {id_: card.copies for id_, card in districts.items()}
        self.uniques = frozenset(id_ for id_, card in districts.items() if card.type == "unique")
        self.characters = tuple(
            id_
            for id_, card in cards.characters().items()
            if self.edition.printing in card.printings
        )
        self._catalogue = PieceCatalogue(
            self.characters, self.copies, ACTIONS, self.edition.max_players, chips.REFERENCES
        )

    def pieces(self, kinds: Collection[str] = ()) -> list[Entry]:
        """Every piece of these `KINDS`, in the order of the box; of none, what is usual: the
        `USUAL` kinds and the `BUTTONS`."""
        if not kinds:
            return [*self.pieces(USUAL), *map(ActionChip, BUTTONS)]
        useless = set(MOVE_ACTIONS) - self._list_verbs()
        return [
            piece
            for piece in entries.list_pieces(self._catalogue, kinds)
            if not (isinstance(piece, ActionChip) and piece.name in useless)
        ]

    def _list_verbs(self) -> set[str]:
        """The verbs of its games: one with the first character of each rank, one with the second,
        and so on, all of them with every unique district."""
        ranks: dict[int, list[str]] = {}
        for id_ in self.characters:
            ranks.setdefault(cards.characters()[id_].rank, []).append(id_)
        players = DIGITS[: self.edition.max_players]
        verbs: set[str] = set()
        for place in range(max(map(len, ranks.values()))):
            cast = [ids[place % len(ids)] for ids in ranks.values()]
            verbs |= list_verbs(Ruleset(self.edition, players, cast=cast, uniques=self.uniques))
        return verbs

    def holds(self, entry: Entry) -> bool:
        """Whether this box has such a piece; tokens and action chips belong to every box."""
        return entry.exists(self._catalogue)

    def describe(self, entry: Entry) -> str:
        """The piece's name in the table's language: `Tavern, 3 of 5`."""
        if not isinstance(entry, DistrictChip):
            return entry.describe()
        name, copies = language.card(entry.card), self.copies.get(entry.card, 0)
        if entry.copy > copies:
            return entry.describe()
        if copies == 1:
            return name
        return _("{district}, {number} of {most}").format(
            district=name, number=entry.copy, most=copies
        )


class Enough(NamedTuple):
    """Which games of one edition some cards suffice for."""

    edition: Edition
    missing: dict[str, int]
    """The cards missing from the whole box, and how many of each."""
    needed: dict[str, int]
    """Those of them that an ordinary game needs."""
    uniques_short: int
    """How many more unique districts, any of them, an ordinary game needs."""

    @property
    def playable(self) -> bool:
        return not self.needed and not self.uniques_short

    @property
    def complete(self) -> bool:
        return not self.missing


def count_cards(pieces: Iterable[Entry]) -> Counter[str]:
    """Count the pieces by card; each copy counts once."""
    return Counter(piece.card for piece in set(pieces) if isinstance(piece, CardChip))


def check_enough(edition: str, here: Mapping[str, int]) -> Enough:
    """Which games of that edition these cards (`count_cards`) suffice for."""
    box = Box(edition)
    whole = box.copies | dict.fromkeys(box.characters, 1)
    missing = {id_: n - here.get(id_, 0) for id_, n in whole.items() if n > here.get(id_, 0)}
    count = box.edition.uniques_played
    if count is not None:
        optional, present = box.uniques, sum(min(here.get(i, 0), whole[i]) for i in box.uniques)
    else:
        shuffled = box.edition.uniques or box.uniques
        optional, present = box.uniques - frozenset(shuffled), 0
    needed = {
        id_: n
        for id_, n in missing.items()
        if id_ not in optional and (id_ in box.copies or id_ in box.edition.cast)
    }
    return Enough(box.edition, missing, needed, max((count or 0) - present, 0))
