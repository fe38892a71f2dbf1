"""The end of a game: the scores part by part, then the winner in large letters, then the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from companion.app import sheets
from companion.app.display import lines, paint
from companion.app.screens import FirstScreen
from companion.app.widgets.banner import LargeText
from companion.language import _
from engine import scoring

if TYPE_CHECKING:
    from textual import events

    from companion.chips.entries import Entry
    from companion.game.conversation import Conversation
    from companion.game.messages import Message


_MARGINS = 6
"""Columns of the frame and the space inside it."""


class EndScreen(FirstScreen[None]):
    """Shows each part that the conversation tells; Enter, a click or a tap asks for the next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,space", "next"),
        ("escape,q", "dismiss"),
        ("down", "scroll(1)"),
        ("up", "scroll(-1)"),
    ]

    def __init__(self, talk: Conversation, part: Message) -> None:
        super().__init__(classes="sheet")
        self.talk = talk
        self.part = part

    def compose(self) -> ComposeResult:
        """The heading, the winners on their part, and the lines."""
        with Vertical(classes="paper ending"):
            yield Static(id="end-title", classes="title", markup=False)
            yield LargeText(id="end-winner")
            with VerticalScroll(classes="page", can_focus=False):
                yield Static(id="end-lines", markup=False)
            yield Static(paint(_("Enter continues, Esc closes")), classes="foot")

    def on_mount(self) -> None:
        """Show the first part."""
        self._show()

    def show_part(self, part: Message) -> None:
        """Show the next part."""
        self.part = part
        self._show()

    def _show(self) -> None:
        view, title = self.talk.view, self.part.title
        winner = self.query_one(LargeText)
        winner.display = title == _("The winner")
        winner.show(*view.rules.names(scoring.standing(view).winners))
        content = lines(paint(line, "bold") for line in self.part.lines)
        if title == _("The final scores"):
            content = sheets.final(view, self.size.width - _MARGINS)
        self.query_one("#end-title", Static).update(paint(title))
        self.query_one("#end-lines", Static).update(content)

    def action_next(self) -> None:
        """Show the next part; after the last one, what can be done now."""
        if not self.talk.press("enter"):
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Show the next part."""
        self.action_next()

    def action_scroll(self, rows: int) -> None:
        """Scroll the lines."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def take_chip(self, uid: bytes, entry: Entry | None) -> None:
        """Any tap asks for the next part."""
        self.action_next()
