"""Chips as the screen lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.chips.entries import DistrictChip
from companion.language import card

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.chips.entries import Entry


def entry_label(entry: Entry, players: Sequence[str]) -> str:
    """The entry in the current language; `players` are the names in seat order."""
    if isinstance(entry, DistrictChip):
        return f"{card(entry.card)} {entry.copy}"
    words = entry.describe(players)
    return words[:1].upper() + words[1:]


def sort_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Entries in the order in which people look for them: the most often tapped first."""
    return sorted(entries, key=lambda entry: _ORDER.index(entry.kind))


_ORDER = ("player", "crown", "character", "reference", "action", "district")
