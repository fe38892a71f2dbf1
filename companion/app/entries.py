"""What chips stand for, in words: the rows of the tray and of the list to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from companion import vocabulary
from companion.language import _, card
from tags.registry import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
    ReferenceChip,
)

if TYPE_CHECKING:
    from tags.registry import Entry


def entry_label(entry: Entry, players: Sequence[str]) -> str:
    """The entry in the language in force; `players` are the names in seat order."""
    match entry:
        case DistrictChip(card=id_, copy=copy):
            return f"{card(id_)} {copy}"
        case CharacterChip(card=id_):
            return card(id_)
        case PlayerChip(seat=seat):
            name = players[seat - 1] if seat <= len(players) else _("seat {n}").format(n=seat)
            return _("Token of {player}").format(player=name)
        case CrownChip():
            return _("Crown")
        case ActionChip(name=name):
            return _("Action: {name}").format(name=vocabulary.named(name))
        case ReferenceChip(number=number):
            return _("Reference card {number}").format(number=number)


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries as a person looks for them: what is tapped most often first."""
    return sorted(entries, key=lambda entry: _ORDER.index(entry.kind))


_ORDER = ("player", "crown", "character", "reference", "action", "district")
