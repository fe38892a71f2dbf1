"""A sheet of text over the table: help, a rule, the scores. Any of the usual keys puts it away."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from companion.app.display import shown
from companion.language import _


class Sheet(ModalScreen[None]):
    """A title, and text that scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,enter,space,q,question_mark", "close"),
        ("down,j", "scroll(1)"),
        ("up,k", "scroll(-1)"),
        ("pagedown", "scroll(10)"),
        ("pageup", "scroll(-10)"),
    ]

    def __init__(self, title: str, text: Content, *, classes: str = "") -> None:
        super().__init__(classes=f"sheet {classes}")
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """The sheet in the middle of the screen."""
        with Vertical(classes="paper"):
            yield Static(shown(self._title), classes="title")
            with VerticalScroll(classes="page"):
                yield Static(self._text, markup=False)
            yield Static(shown(_("Esc closes, ↑ ↓ scroll")), classes="foot")

    def action_close(self) -> None:
        """Put the sheet away."""
        self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        """Move the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
