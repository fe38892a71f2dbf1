"""The card browser: every card of the game with its text; tapping a card jumps to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Static

from companion.app.display import lines, paint
from companion.app.reading import ChipLaid
from companion.app.screens.picker import Picker
from companion.app.sheets import card_lines
from companion.language import _, card, district_type
from companion.language.names import card_names

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from engine.table import Table


class CardsScreen(Picker):
    """Shows `cards`; all of the game if none."""

    def __init__(self, table: Table, cards: tuple[str, ...]) -> None:
        super().__init__()
        self.table = table
        self.title_text = _("The cards")
        words = (*table.rules.cast, *table.rules.districts)
        self.cards = [c for c in words if not cards or c in cards]

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    def _fill(self) -> None:
        self.fill([(card(c), self._words(c)) for c in self.cards])

    def _words(self, card_id: str) -> str:
        """Other search words for a card: its id, its type, its rank."""
        words = " ".join(card_names(card_id))
        district = self.table.rules.districts.get(card_id)
        return f"{words} {district_type(district.type)}" if district else words

    def show_meaning(self, place: int | None) -> None:
        """Show the highlighted card."""
        meaning = [paint(_("No card has that name."))] if place is None else None
        text = meaning or card_lines(self.table, self.cards[place or 0])
        self.query_one("#meaning", Static).update(lines(text))

    def take_place(self, place: int) -> None:
        """Close the browser on Enter."""
        self.dismiss(None)

    def take_chip(self, uid: bytes, entry: Entry | None) -> None:
        """Show a tapped card; for any other chip close the browser and pass it on."""
        card_id = getattr(entry, "card", None)
        if card_id is None or card_id not in (
            *self.table.rules.cast,
            *self.table.rules.districts,
        ):
            self.dismiss(None)
            self.app.post_message(ChipLaid(uid))
            return
        self.cards = [card_id]
        self._fill()
