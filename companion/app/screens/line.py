"""The line in which anything of the notation can be typed, as in the line caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from companion.app.display import shown
from companion.app.widgets.entry import HiddenEntry
from companion.clean import clean_text
from companion.language import _

if TYPE_CHECKING:
    from companion.app.screens.table import TableScreen

LONGEST = 1000  # characters of a typed line that are read


class LineScreen(ModalScreen[None]):
    """At the bottom of the table; what may be secret is not shown while it is typed."""

    AUTO_FOCUS = "#line"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close")]

    def __init__(self, table: TableScreen) -> None:
        super().__init__()
        self.table = table

    def compose(self) -> ComposeResult:
        """One line."""
        with Vertical(id="typing"):
            yield Static(shown(_("Type a move, or: tap CARD, hold, lift, undo. Esc closes.")))
            yield HiddenEntry(id="line", max_length=LONGEST, password=True)

    @on(Input.Changed, "#line")
    def _typed(self, event: Input.Changed) -> None:
        event.input.password = not self.table.talk.may_show(event.value)

    @on(Input.Submitted, "#line")
    def _submitted(self, event: Input.Submitted) -> None:
        text = clean_text(event.value, limit=LONGEST)
        event.input.value = ""
        self.dismiss(None)
        if text:
            self.app.call_later(self.table.line, text)

    def action_close(self) -> None:
        """Close it, and forget what was typed."""
        self.query_one(Input).value = ""
        self.dismiss(None)
