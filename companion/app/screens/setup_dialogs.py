"""Dialogs that draw what the set-up asks: rows, cards with a search field, a name.

Each passes on which question it shows: if a phone has changed that meanwhile, the answer is
dropped, and the set-up says so.
"""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from common.clean import clean_text
from companion.app.display import lines, paint
from companion.app.screens.picker import Picker, ValuesScreen, put_in_frame
from companion.app.widgets.choice_list import ChoiceList, list_row
from companion.language import _, current
from companion.setup.setup_talk import RenamePage, SetUpTalk
from engine import cards


class RowsPage(ValuesScreen):
    """The rows of a list, each with a number."""

    def __init__(self, talk: SetUpTalk) -> None:
        self.talk, self.shown = talk, talk.identity
        offer = talk.asked.offer
        marks = [at for at, row in enumerate(offer.rows) if row.is_in]
        super().__init__(offer.title, (), marks[0] if marks else 0)

    def show(self, index: int) -> None:
        rows = [list_row(row) for row in self.talk.asked.visible]
        put_in_frame(self.query_one(".paper"), self.title_text, self.foot())
        self.query_one(ChoiceList).show(rows, index)

    def digit(self, digit: str) -> None:
        self.talk.press(digit, begun=self.shown)
        self._follow()

    def take(self, place: int) -> None:
        """Take that row; the set-up then shows what is open."""
        rows = self.talk.asked.visible
        if place < len(rows):
            self.talk.take(rows[place], begun=self.shown)
            self.dismiss(None)

    def _follow(self) -> None:
        if self.talk.asked.typed:
            self.show(0)
        else:
            self.dismiss(None)

    async def action_dismiss(self, result: None = None) -> None:
        self.talk.press("escape", begun=self.shown)
        self._follow()


class CardsPage(Picker):
    """Whole choices first, then cards one by one; those in the game are marked."""

    def __init__(self, talk: SetUpTalk) -> None:
        super().__init__()
        self.talk, self.page = talk, talk.top
        self.title_text = talk.asked.offer.title

    def foot(self) -> str:
        return _("Enter chooses, adds or removes, ↑ ↓ move, Esc closes")

    def on_mount(self) -> None:
        self._fill()

    def _fill(self) -> None:
        self.shown, offer = self.talk.identity, self.talk.asked.offer
        self.rows = offer.rows
        signs = {None: " ", True: "●", False: "○"}
        self.fill([(f"{signs[row.is_in]} {row.label}", row.card) for row in self.rows])
        self.query_one(".paper").border_title = paint(offer.title)

    def show_meaning(self, place: int | None) -> None:
        """Show what a whole choice contains, or a card's text."""
        text = Content("")
        if place is not None:
            row = self.rows[place]
            heading = paint(row.label, "bold $gold")
            if row.card:
                card_text = cards.text_of(row.card, self.talk.draft.edition.id, current())
                text = lines([heading, card_text.text, paint(card_text.source, "$quiet")])
            else:
                text = lines([heading, *row.about()])
        self.query_one("#meaning", Static).update(text)

    def take_place(self, place: int) -> None:
        """Take a row; after a card keep the list open for the next one."""
        is_same = self.talk.identity == self.shown
        self.talk.take(self.rows[place], begun=self.shown)
        if not is_same or self.talk.top is not self.page:
            self.dismiss(None)
            return
        self._fill()
        self.mark(place)

    async def action_dismiss(self, result: str | None = None) -> None:
        self.talk.press("escape", begun=self.shown)
        self.dismiss(result)


class NamePage(ModalScreen[None]):
    """A line for a name."""

    AUTO_FOCUS = "#new-name"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close")]

    def __init__(self, talk: SetUpTalk) -> None:
        super().__init__()
        self.talk, self.shown = talk, talk.identity

    def compose(self) -> ComposeResult:
        page = self.talk.top
        name = page.name if isinstance(page, RenamePage) else ""
        with Vertical(classes="paper values") as paper:
            foot = _("Enter takes the name, Esc keeps the old one.")
            put_in_frame(paper, self.talk.asked.offer.title, foot)
            yield Input(name, id="new-name", max_length=80)

    @on(Input.Submitted, "#new-name")
    def _take_name(self, event: Input.Submitted) -> None:
        event.stop()
        self.talk.line(clean_text(event.value), begun=self.shown)
        if self.talk.identity == self.shown:  # refused: the set-up says why
            self.talk.go_back()
        self.dismiss(None)

    def action_close(self) -> None:
        self.talk.press("escape", begun=self.shown)
        self.dismiss(None)
