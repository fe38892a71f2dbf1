"""The current question, always in the same place."""

from __future__ import annotations

from textual.content import Content

from companion.app.display import paint
from companion.app.widgets.panel import Panel, cut


class Prompt(Panel):
    """Two lines, so that the longest name and question fit."""

    question = ""

    def show(self, question: str) -> None:
        """Show that question."""
        self.question = question
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The question, wrapped."""
        return Content("\n").join(cut([paint(self.question, "bold")], width, height))
