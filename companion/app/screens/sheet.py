"""A sheet over the table: text (help, a rule, the scores), a QR code, or the cards. Any usual key
closes it.

A QR code is shown unscaled and unscrolled: a camera needs all of it at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from companion import terminal
from companion.app.display import lines, paint
from companion.app.face import ChipLaid
from companion.app.screens import Dialog
from companion.app.screens.picker import Picker
from companion.app.sheets import card_lines
from companion.history.recap import bgstats
from companion.language import _, card, district_type
from companion.language.vocabulary import card_names

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content
    from textual.geometry import Size

    from companion.chips.entries import Entry
    from engine.table import Table


_DARK_ON_LIGHT = "black on white"  # in every theme
_FOOT = 1  # line below the code


class CodeScreen(Screen[None]):
    """The code of a link; if it does not fit, what to do, and the link."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,space,q", "dismiss")]

    def __init__(self, link: str) -> None:
        super().__init__()
        self._link = link
        self._rows = terminal.draw_half_blocks(link)

    def compose(self) -> ComposeResult:
        """The code, and below it how to close it."""
        with VerticalScroll(can_focus=False):
            yield Static(id="code", markup=False)
        yield Static(paint(_("Esc closes, ↑ ↓ scroll")), classes="foot")

    def on_resize(self, event: events.Resize) -> None:
        """Draw the code if it fits; smaller letters make room for it."""
        rows, size = self._rows, event.size
        if len(rows[0]) <= size.width and len(rows) + _FOOT <= size.height:
            picture = lines(paint(row, _DARK_ON_LIGHT) for row in rows)
        else:
            picture = lines([paint(bgstats.tell_size(rows, below=_FOOT)), paint(""), self._link])
        self.query_one("#code", Static).update(picture)


_AROUND = 6  # lines of a sheet besides its text: frame, title, foot


class Sheet(Dialog[None]):
    """A title, and text that scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,enter,space,q,question_mark", "dismiss"),
        ("down,j", "scroll(1)"),
        ("up,k", "scroll(-1)"),
        ("pagedown", "scroll(10)"),
        ("pageup", "scroll(-10)"),
    ]

    def __init__(self, title: str, text: Content, *, at_end: bool = False) -> None:
        """`at_end` shows the end of the text first."""
        super().__init__(classes="sheet")
        self._title = title
        self._text = text
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        """The sheet in the middle of the screen."""
        with Vertical(classes="paper"):
            yield Static(paint(self._title), classes="title")
            with VerticalScroll(classes="page") as page:
                page.styles.max_height = self._count_most_lines(self.app.size)
                yield Static(self._text, markup=False)
            yield Static(paint(_("Esc closes, ↑ ↓ scroll")), classes="foot")

    def on_mount(self) -> None:
        """Scroll to the end if asked to."""
        if self._at_end:
            page = self.query_one(VerticalScroll)
            self.call_after_refresh(page.scroll_end, animate=False)

    def on_resize(self, event: events.Resize) -> None:
        """Limit the text to the new size."""
        page = self.query_one(VerticalScroll)
        page.styles.max_height = self._count_most_lines(event.size)

    def _count_most_lines(self, size: Size) -> int:
        """The lines of text that leave room for the last line, which says how to close the sheet;
        known beforehand, it saves laying the sheet out twice."""
        return max(1, size.height - _AROUND)

    def action_scroll(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


# -- the card browser -----------------------------------------------------------------------------


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
