"""The line in which anything of the notation can be typed, as in the line caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from companion.app import lines
from companion.app.display import shown
from companion.app.widgets.entry import TextEntry
from companion.language import _
from companion.privacy import is_private

if TYPE_CHECKING:
    from companion.app.screens.table import TableScreen


class LineScreen(ModalScreen[None]):
    """At the bottom of the table; what is secret is not shown while it is typed."""

    AUTO_FOCUS = "#line"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close")]

    def __init__(self, table: TableScreen) -> None:
        super().__init__()
        self.table = table

    def compose(self) -> ComposeResult:
        """One line."""
        with Vertical(id="typing"):
            yield Static(shown(_("Type a move, or: tap CARD, hold, lift, undo. Esc closes.")))
            yield TextEntry(id="line", max_length=lines.LONGEST)

    @on(Input.Changed, "#line")
    def _typed(self, event: Input.Changed) -> None:
        words = event.value.split()
        secret = bool(words) and is_private(self.table.game.view, words[0])
        event.input.password = secret and (len(words) > 1 or event.value.endswith(" "))

    @on(Input.Submitted, "#line")
    def _submitted(self, event: Input.Submitted) -> None:
        text = event.value
        event.input.value = ""
        self.dismiss(None)
        self.app.call_later(lines.answer, self.table, text)

    def action_close(self) -> None:
        """Close it, and forget what was typed."""
        self.query_one(Input).value = ""
        self.dismiss(None)
