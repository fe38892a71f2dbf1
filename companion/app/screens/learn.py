"""Learning an unknown chip during the game: choose its meaning; it works at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Input, Static

from companion.app.display import paint
from companion.app.screens.picker import Picker
from companion.chips import ChipsError, SimulatedDeck, learning
from companion.chips.entries import DistrictChip, entry_label, sort_entries
from companion.language import _
from engine.moves import fold
from tags.links import format_uid

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.readers.table_reader import TableReader
    from engine.ruleset import Ruleset


class LearnScreen(Picker):
    """Every card, token and action; tapping another unknown chip replaces the first. Returns the
    sentence about what was learned."""

    def __init__(self, rules: Ruleset, reader: TableReader, uid: bytes) -> None:
        super().__init__()
        self.reader = reader
        self.uid = uid
        self.title_text = self._title()
        self.players = rules.player_names
        self.entries = [
            entry
            for entry in sort_entries(SimulatedDeck(rules).chips.values())
            if not (isinstance(entry, DistrictChip) and entry.copy > 1)
        ]

    def _title(self) -> str:
        return _("What is chip {uid}?").format(uid=format_uid(self.uid))

    def foot(self) -> str:
        """The help line."""
        return _("Enter learns it, Esc leaves it unknown")

    def on_mount(self) -> None:
        """Fill the list."""
        self.fill([(self._label(entry), fold(str(entry))) for entry in self.entries])

    def _label(self, entry: Entry) -> str:
        label = entry_label(entry, self.players)
        return label.removesuffix(" 1") if isinstance(entry, DistrictChip) else label

    def show_meaning(self, place: int | None) -> None:
        """Say which copy of a district it would be."""
        entry = None if place is None else self._find_next(self.entries[place])
        text = "" if entry is None else entry_label(entry, self.players)
        self.query_one("#meaning", Static).update(paint(text))

    def _find_next(self, entry: Entry) -> Entry:
        """The first copy of a district that has no chip yet; any other entry unchanged."""
        if not isinstance(entry, DistrictChip):
            return entry
        return DistrictChip(entry.card, learning.find_next_copy(self.reader.registry, entry.card))

    def take_place(self, place: int) -> None:
        """Learn the chip, and say so; a refusal keeps the dialog open."""
        entry = self._find_next(self.entries[place])
        try:
            self.reader.learn(self.uid, entry)
        except (ChipsError, ValueError) as error:
            self.query_one("#meaning", Static).update(paint(str(error), "bold $error"))
            return
        sentence = _("Chip {uid} is now: {entry}.").format(
            uid=format_uid(self.uid), entry=entry_label(entry, self.players)
        )
        self.dismiss(sentence)

    def take_chip(self, uid: bytes, entry: Entry | None) -> None:
        """Learn another unknown chip instead; for a known one, say what it is."""
        if entry is None:
            self.uid = uid
            self.query_one("#picker-title", Static).update(paint(self._title()))
            return
        self.query_one(Input).value = ""
        name = _("That chip is already known: {entry}.").format(
            entry=entry_label(entry, self.players)
        )
        self.query_one("#meaning", Static).update(paint(name))
