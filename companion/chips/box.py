"""A box: every piece of it that can carry a chip, and which games its cards suffice for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from companion import chips, language
from companion.chips import words
from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
    ReferenceChip,
)
from companion.language import _
from engine import cards
from engine.editions import Edition, editions

if TYPE_CHECKING:
    from companion.chips.entries import Entry

KINDS = ("districts", "characters", "players", "crown", "references", "actions")
"""The kinds of pieces, in the order in which a box is worked through."""

CARDS = KINDS[:2]
"""The kinds that every game needs complete."""

USUAL = KINDS[:4]
"""The kinds that every table has; reference cards and action chips are optional."""


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

    def pieces(self, kinds: Collection[str] = USUAL) -> list[Entry]:
        """Every piece of these `KINDS`, in the order of the box."""
        entries: dict[str, list[Entry]] = {
            "districts": [
                DistrictChip(id_, copy + 1) for id_, n in self.copies.items() for copy in range(n)
            ],
            "characters": [CharacterChip(id_) for id_ in self.characters],
            "players": [PlayerChip(seat + 1) for seat in range(self.edition.max_players)],
            "crown": [CrownChip()],
            "references": [ReferenceChip(n + 1) for n in range(chips.REFERENCES)],
            "actions": [ActionChip(name) for name in chips.ACTIONS],
        }
        return [entry for kind in KINDS if kind in kinds for entry in entries[kind]]

    def holds(self, entry: Entry) -> bool:
        """Whether this box has such a piece; tokens and action chips belong to every box."""
        match entry:
            case DistrictChip(card=card, copy=copy):
                return copy <= self.copies.get(card, 0)
            case CharacterChip(card=card):
                return card in self.characters
        return True

    def describe(self, entry: Entry) -> str:
        """The piece's name in the table's language: `Tavern, 3 of 5`."""
        if not isinstance(entry, DistrictChip):
            return words.describe_entry(entry)
        name, copies = language.card(entry.card), self.copies.get(entry.card, 0)
        if entry.copy > copies:
            return words.describe_entry(entry)
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
        """Whether an ordinary game is possible."""
        return not self.needed and not self.uniques_short

    @property
    def complete(self) -> bool:
        """Whether the box is complete."""
        return not self.missing


def count_cards(entries: Iterable[Entry]) -> Counter[str]:
    """Count the entries by card; each copy counts once."""
    matches = {e for e in entries if isinstance(e, DistrictChip | CharacterChip)}
    return Counter(entry.card for entry in matches)


def check_enough(edition: str, here: Mapping[str, int]) -> Enough:
    """Which games of that edition these cards (`count_cards`) suffice for."""
    box = Box(edition)
    whole = box.copies | dict.fromkeys(box.characters, 1)
    missing = {id_: n - here.get(id_, 0) for id_, n in whole.items() if n > here.get(id_, 0)}
    count = box.edition.uniques_played
    if count is not None:
        optional, present = box.uniques, sum(min(here.get(i, 0), whole[i]) for i in box.uniques)
    else:
        target = box.edition.uniques or box.uniques
        optional, present = box.uniques - frozenset(target), 0
    fields = {
        id_: n
        for id_, n in missing.items()
        if id_ not in optional and (id_ in box.copies or id_ in box.edition.cast)
    }
    return Enough(box.edition, missing, fields, max((count or 0) - present, 0))
