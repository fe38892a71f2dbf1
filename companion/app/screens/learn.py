"""Learning an unknown chip on the spot: choose what it stands for; it works at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Input, Static

from companion.app.display import shown
from companion.app.entries import entry_label, in_order
from companion.app.screens.picker import Picker
from companion.chips import ChipsError, SimulatedDeck, learning
from companion.language import _
from engine.moves import fold
from tags.registry import DistrictChip
from tags.uids import format_uid

if TYPE_CHECKING:
    from companion.app.screens.table import TableScreen
    from companion.readers.table_reader import TableReader
    from tags.registry import Entry


class LearnScreen(Picker):
    """Every card, token and action; another unknown chip tapped meanwhile comes in its place."""

    def __init__(self, table: TableScreen, reader: TableReader, uid: bytes) -> None:
        super().__init__()
        self.table = table
        self.reader = reader
        self.uid = uid
        self.title_text = self._title()
        rules = table.talk.view.rules
        self.players = rules.player_names
        self.entries = [
            entry
            for entry in in_order(SimulatedDeck(rules).chips.values())
            if not (isinstance(entry, DistrictChip) and entry.copy > 1)
        ]

    def _title(self) -> str:
        return _("What is the chip {uid}?").format(uid=format_uid(self.uid))

    def foot(self) -> str:
        """The keys."""
        return _("Enter learns it, Esc leaves it unknown")

    def on_mount(self) -> None:
        """Show the rows."""
        self.fill([(self._label(entry), fold(str(entry))) for entry in self.entries])

    def _label(self, entry: Entry) -> str:
        label = entry_label(entry, self.players)
        return label.removesuffix(" 1") if isinstance(entry, DistrictChip) else label

    def marked(self, place: int | None) -> None:
        """Say which copy of a district it would be."""
        entry = None if place is None else self._next(self.entries[place])
        text = "" if entry is None else entry_label(entry, self.players)
        self.query_one("#meaning", Static).update(shown(text))

    def _next(self, entry: Entry) -> Entry:
        """A district is the first copy that no chip stands for yet."""
        if not isinstance(entry, DistrictChip):
            return entry
        return DistrictChip(entry.card, learning.next_copy(self.reader.registry, entry.card))

    def picked(self, place: int) -> None:
        """Learn the chip, and say so; a refusal stays on the dialog."""
        entry = self._next(self.entries[place])
        try:
            self.reader.learn(self.uid, entry)
        except (ChipsError, ValueError) as error:
            self.query_one("#meaning", Static).update(shown(str(error), "bold $error"))
            return
        self.app.unknown = None  # type: ignore[attr-defined]
        sentence = _("Chip {uid} is now: {entry}.").format(
            uid=format_uid(self.uid), entry=entry_label(entry, self.players)
        )
        self.table.tell("told", sentence)
        self.dismiss(None)

    def chip(self, uid: bytes, entry: Entry | None) -> None:
        """Another unknown chip is learned instead; a known one says what it is."""
        if entry is None:
            self.uid = uid
            self.query_one("#picker-title", Static).update(shown(self._title()))
            return
        self.query_one(Input).value = ""
        known = _("That chip is already: {entry}.").format(entry=entry_label(entry, self.players))
        self.query_one("#meaning", Static).update(shown(known))
