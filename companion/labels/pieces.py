"""The label of each piece of a box: words in the table's language, a sign, a code."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.chips.actions import describe_action
from companion.chips.entries import (
    DIGITS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
    ReferenceChip,
)
from companion.language import _, card, coins, district_type, vocabulary
from engine import cards

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.chips.box import Box
    from companion.chips.entries import Entry

CROWN, PERSON, ACTION, NUMBER, REFERENCE = "crown", "person", "action", "number", "reference"
"""Signs of all pieces but districts and characters, which have emblems."""


class Label(NamedTuple):
    """The content of a label."""

    code: str
    """What its QR code says: the chip's short name, as in `tags.yaml`, or a seat's link."""
    sign: str
    """Drawn: one of those above, or an emblem of `companion.wording.emblems`."""
    kind: str
    """The meaning of the sign in a word or two: a district's type, a character's rank."""
    name: str
    facts: tuple[str, ...] = ()
    """Further facts, the most important first: cost, copy number."""
    note: str = ""

    def lines(self) -> list[str]:
        """All its text, in lines for reading."""
        return [line for line in (self.name, self.kind, ", ".join(self.facts), self.note) if line]

    def shorten(self) -> list[Label]:
        """This label, then shorter ones: without the note, the kind in words, and all but the first
        fact. Its sign, the first fact and the name stay."""
        shorter = [self]
        for less in ({"note": ""}, {"kind": ""} if self.sign else {}, {"facts": self.facts[:1]}):
            if (label := shorter[-1]._replace(**less)) != shorter[-1]:
                shorter.append(label)
        return shorter


def list_labels(box: Box, kinds: Collection[str], players: Sequence[str] = ()) -> list[Label]:
    """A label for each piece of these kinds (`companion.chips.box`), in the order of `companion
    tags learn`; `players` are the names by seat, as far as known."""
    return [describe_piece(entry, box, players) for entry in box.pieces(kinds)]


def describe_seat(seat: int, player: str, code: str, link: str) -> Label:
    """The label of a seat, counted from 1, in a game with phones: its own code, also as a picture
    of the link."""
    return Label(link, PERSON, _("seat {seat}").format(seat=seat), player, (code,))


def describe_piece(entry: Entry, box: Box, players: Sequence[str] = ()) -> Label:
    """The label of one piece."""
    code = str(entry)
    match entry:
        case DistrictChip(card=id_, copy=copy):
            facts = cards.districts(box.edition.printing)[id_]
            figures = (
                str(coins(facts.cost)),
                _("{number} of {most}").format(number=copy, most=box.copies[id_]),
            )
            return Label(code, facts.type, district_type(facts.type), card(id_), figures)
        case CharacterChip(card=id_):
            rank = cards.characters()[id_].rank
            return Label(code, id_, _("character {rank}").format(rank=rank), card(id_))
        case PlayerChip(seat=seat):
            place = _("seat {seat}").format(seat=seat)
            if seat <= len(players):
                return Label(code, PERSON, place, players[seat - 1])
            return Label(code, PERSON, _("player"), place)
        case CrownChip():
            return Label(code, CROWN, "", _("Crown"))
        case ReferenceChip(number=number):
            return Label(code, REFERENCE, _("reference card"), str(number))
        case ActionChip(name=name) if name in DIGITS:
            return Label(code, NUMBER, _("number"), name)
        case ActionChip(name=name):
            word = vocabulary.find_name(name)
            return Label(code, ACTION, _("action"), word, note=describe_action(name))
