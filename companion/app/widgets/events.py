"""What happened last, a sentence each, the newest at the top where it is always found."""

from __future__ import annotations

from textual.content import Content

from companion.app.display import shown
from companion.app.widgets.panel import Panel, cut, hanging
from companion.language import _


class Events(Panel):
    """As many of the last events as fit."""

    told: list[list[str]] = []  # noqa: RUF012 - replaced, never changed

    def show(self, told: list[list[str]]) -> None:
        """Show these moves' sentences, the newest move first."""
        self.told = told
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The newest move's sentences in full strength, the older ones quieter."""
        parts = [shown(_("Last events"), "$quiet bold")]
        for age, sentences in enumerate(self.told):
            style = "" if age == 0 else "$quiet"
            mark = "› " if age == 0 else "  "
            for sentence in sentences:
                parts += hanging(mark, sentence, style, width)
            if len(parts) > height:
                break
        return Content("\n").join(cut(parts, width, height))
