"""The called rank and character in letters that can be read across the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.bigtext import large
from companion.app.display import shown
from companion.app.widgets.panel import Panel
from companion.language import _, card

if TYPE_CHECKING:
    from engine.table import Table


class Banner(Panel):
    """Large while a character is called; hidden when cities need the room."""

    text = ""

    def show(self, table: Table) -> None:
        """Announce what that table calls, or hide."""
        self.text = announced(table)
        self.set_class(not self.text, "-silent")
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The words in large letters; in plain ones where they cannot be drawn."""
        lines = large(self.text, width, height) or ["", f" {self.text.upper()}", ""]
        return Content("\n").join([shown(line, "bold $gold") for line in lines])


def announced(t: Table) -> str:
    """What is said large: the call, or the end; nothing at other times."""
    if t.phase == "over":
        return _("The end")
    if t.phase == "selection":
        return _("Round {round}").format(round=t.round)
    if t.phase == "calling":
        return f"{t.called} {card(t.rules.by_rank[t.called])}"
    return ""
