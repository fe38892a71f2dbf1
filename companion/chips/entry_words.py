"""Names of what chips stand for, as people say them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import language
from companion.chips.digits import DIGITS
from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
    ReferenceChip,
)
from companion.language import _, vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.chips.entries import Entry


def describe(entry: Entry, players: Sequence[str] = ()) -> str:
    """What a chip stands for, in the table's language."""
    match entry:
        case DistrictChip(card=card, copy=copy):
            return _("{district}, copy {number}").format(district=language.card(card), number=copy)
        case CharacterChip(card=card):
            return language.card(card)
        case PlayerChip(seat=seat) if seat <= len(players):
            return _("{player}'s token").format(player=players[seat - 1])
        case PlayerChip(seat=seat):
            return _("the token of seat {seat}").format(seat=seat)
        case CrownChip():
            return _("the crown")
        case ReferenceChip(number=number):
            return _("reference card {number}").format(number=number)
        case ActionChip(name=name) if name in DIGITS:
            return _("number {number}").format(number=name)
        case ActionChip(name=name):
            return _("action {name}").format(name=vocabulary.find_name(name))
