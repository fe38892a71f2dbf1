"""The sentence that says who is awaited and for what: always in the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import shown
from companion.app.widgets.panel import Panel, cut
from companion.wording import prompts

if TYPE_CHECKING:
    from engine.table import Table


class Prompt(Panel):
    """Two lines, so that the longest name and question fit."""

    table: Table | None = None

    def show(self, table: Table) -> None:
        """Show who is awaited at that table."""
        self.table = table
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The sentence, wrapped."""
        if self.table is None:
            return Content("")
        sentence = shown(prompts.question(self.table), "bold")
        return Content("\n").join(cut([sentence], width, height))
