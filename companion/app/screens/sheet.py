"""A sheet over the table: text (help, a rule, the scores), a QR code, or the cards. Any usual key
closes it.

A QR code is shown unscaled and unscrolled: a camera needs all of it at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from companion import terminal
from companion.app.display import SHEET_WIDTH, lines, paint
from companion.app.screens.picker import Picker, put_in_frame
from companion.app.sheet_texts import card_lines
from companion.app.widgets.code import Code, draw_code
from companion.language import _, card, district_type, number_entry
from companion.language.vocabulary import card_names
from companion.wording import codes

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content

    from companion.chips.entries import Entry
    from engine.table import Table


_FOOT = 1  # line below the code


class CodeScreen(Screen[None]):
    """The code of a link; if it does not fit, what to do."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,space,q", "dismiss")]

    def __init__(self, link: str) -> None:
        super().__init__()
        self._link = link
        self._rows = terminal.draw_half_blocks(link)

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Code(id="code", markup=False)
        yield Static(paint(_("Esc closes, ↑ ↓ scroll")), classes="foot")

    def on_resize(self, event: events.Resize) -> None:
        """Draw the code if it fits; smaller letters make room for it."""
        rows, size = self._rows, event.size
        if len(rows[0]) <= size.width and len(rows) + _FOOT <= size.height:
            picture = draw_code(self._link)
        else:
            picture = paint(codes.tell_size(rows, below=_FOOT))
        self.query_one("#code", Static).update(picture)


class Sheet(ModalScreen[None]):
    """A title, and text that scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,space,q,question_mark", "dismiss")]

    def __init__(self) -> None:
        super().__init__()
        self._text = Code(markup=False)
        self._paper = VerticalScroll(self._text, classes="paper")

    def compose(self) -> ComposeResult:
        yield self._paper

    def show(
        self, title: str, text: Content, *, at_end: bool = False, width: int = SHEET_WIDTH
    ) -> None:
        """Show that text, in lines of at most `width` cells, `at_end` with its end first."""
        foot, rows = _("Esc closes, ↑ ↓ scroll"), text.plain.split("\n")
        put_in_frame(self._paper, title, foot, rows, width)
        self._text.update(text)
        scroll = self._paper.scroll_end if at_end else self._paper.scroll_home
        self.call_after_refresh(scroll, animate=False)


class PhonesSheet(Sheet):
    """How phones join; a seat's number shows that player's own code."""

    BINDINGS: ClassVar[list[BindingType]] = [(str(seat), f"code({seat})") for seat in range(1, 10)]

    def __init__(
        self,
        title: str,
        text: Content,
        players: tuple[str, ...],
        show_code: Callable[[str], None],
    ) -> None:
        """`players` are the names, by seat as far as they have one."""
        rows = [
            number_entry(seat, _("{player}'s phone").format(player=player))
            for seat, player in enumerate(players, start=1)
        ]
        super().__init__()
        self.show(title, lines([text, "", *rows]))
        self._players, self._show_code = players, show_code

    def action_code(self, seat: int) -> None:
        if seat <= len(self._players):
            self.dismiss(None)
            self._show_code(self._players[seat - 1])


# -- the card browser -----------------------------------------------------------------------------


class CardsScreen(Picker):
    """Shows `cards`; all of the game if none."""

    def __init__(self, table: Table, cards: tuple[str, ...]) -> None:
        super().__init__()
        self.table = table
        self.title_text = _("The cards")
        words = (*table.rules.cast, *table.rules.districts)
        self.cards: list[str] = [c for c in words if not cards or c in cards]

    def on_mount(self) -> None:
        self._fill()

    def _fill(self) -> None:
        self.fill([(card(c), self._words(c)) for c in self.cards])

    def _words(self, card_id: str) -> str:
        """Other search words for a card: its id, its type, its rank."""
        words = " ".join(card_names(card_id))
        district = self.table.rules.districts.get(card_id)
        return f"{words} {district_type(district.type)}" if district else words

    def show_meaning(self, place: int | None) -> None:
        meaning = [paint(_("No card has that name."))] if place is None else None
        text = meaning or card_lines(self.table, self.cards[place or 0])
        self.query_one("#meaning", Static).update(lines(text))

    def take_place(self, place: int) -> None:
        self.dismiss(None)

    def take_chip(self, uid: bytes, entry: Entry | None) -> bool:
        """Show a tapped card; any other chip is the table's, and closes the browser."""
        card_id = getattr(entry, "card", None)
        if card_id not in (*self.table.rules.cast, *self.table.rules.districts):
            return False
        self.cards = [card_id]
        self._fill()
        return True
