"""Dialogs that draw a list of the set-up: answers, a player's seat, cards, a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from companion.app.display import lines, paint
from companion.app.screens import Dialog
from companion.app.screens.picker import Picker, ValuesScreen
from companion.app.widgets import TextEntry
from companion.files.clean import clean_text
from companion.language import _, current
from engine import cards

if TYPE_CHECKING:
    from companion.setup.conversation import SetUpTalk


class RowsPage(ValuesScreen):
    """The rows of a list, each with a number."""

    def __init__(self, talk: SetUpTalk) -> None:
        self.talk = talk
        question = talk.asked
        marks = [at for at, row in enumerate(question.rows) if row.is_in]
        labels = [row.label for row in question.rows]
        super().__init__(question.heading, labels, marks[0] if marks else 0)

    def take(self, place: int) -> None:
        """Take that row; the set-up then shows what is open."""
        rows = self.talk.asked.rows
        if 0 <= place < len(rows):
            self.dismiss(None)
            self.talk.take(rows[place])

    async def action_dismiss(self, result: None = None) -> None:
        """Close the list."""
        self.talk.back()
        self.dismiss(result)


class CardsPage(Picker):
    """Whole choices first, then cards one by one; those in the game are marked."""

    def __init__(self, talk: SetUpTalk) -> None:
        super().__init__()
        self.talk = talk
        self.place = talk.place
        self.title_text = talk.asked.heading

    def foot(self) -> str:
        """The help line."""
        return _("Enter chooses, adds or removes, ↑ ↓ move, Esc closes")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    def _fill(self) -> None:
        question = self.talk.asked
        signs = {None: " ", True: "●", False: "○"}
        self.fill([(f"{signs[row.is_in]} {row.label}", row.card) for row in question.rows])
        self.query_one("#picker-title", Static).update(paint(question.heading))

    def show_meaning(self, place: int | None) -> None:
        """Show what a whole choice contains, or a card's text."""
        text = Content("")
        rows = self.talk.asked.rows
        if place is not None and place < len(rows):
            row = rows[place]
            heading = paint(row.label, "bold $gold")
            if row.card:
                card_text = cards.text_of(row.card, self.talk.draft.edition.id, current())
                text = lines([heading, card_text.text, paint(card_text.source, "$quiet")])
            else:
                text = lines([heading, *row.about()])
        self.query_one("#meaning", Static).update(text)

    def take_place(self, place: int) -> None:
        """Take a row; after a card keep the list open for the next one."""
        self.talk.take(self.talk.asked.rows[place])
        if self.talk.place != self.place:
            self.dismiss(None)
            return
        self._fill()
        self.mark(place)

    async def action_dismiss(self, result: str | None = None) -> None:
        """Close the list."""
        self.talk.back()
        self.dismiss(result)


class NamePage(Dialog[None]):
    """A line for a name."""

    AUTO_FOCUS = "#new-name"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close")]

    def __init__(self, talk: SetUpTalk) -> None:
        super().__init__()
        self.talk = talk

    def compose(self) -> ComposeResult:
        """The question and the line."""
        name = self.talk.draft.players[self.talk.place[1]]
        with Vertical(classes="paper values"):
            yield Static(paint(self.talk.asked.heading), classes="title")
            yield TextEntry(name, id="new-name", max_length=80)
            yield Static(paint(_("Enter takes the name, Esc keeps the old one.")), classes="foot")

    @on(Input.Submitted, "#new-name")
    def _take_name(self, event: Input.Submitted) -> None:
        event.stop()
        self.talk.line(clean_text(event.value))
        if not self.talk.is_at_start:  # refused: the set-up says why
            self.talk.back()
        self.dismiss(None)

    def action_close(self) -> None:
        """Keep the name."""
        self.talk.back()
        self.dismiss(None)
