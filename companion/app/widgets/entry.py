"""A text field, and what it takes for a chip's label.

Enter submits what was typed before it, however fast the next key comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.widgets import Input

from companion.chips.entries import DistrictChip
from companion.language import card

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual import events

    from companion.chips.entries import Entry


class TextEntry(Input):
    """Textual lets Enter bubble while further letters are already inserted; this field does not."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()
        else:
            await super()._on_key(event)


_HIDDEN = "•••"


class HiddenEntry(TextEntry):
    """While hidden (`password`) it shows that something was typed, but not how much."""

    @property
    def _value(self) -> Text:
        return Text(_HIDDEN, end="") if self.password and self.value else super()._value

    def _position_to_cell(self, position: int) -> int:
        return 0 if self.password else super()._position_to_cell(position)


# -- labels of chips ------------------------------------------------------------------------------


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
