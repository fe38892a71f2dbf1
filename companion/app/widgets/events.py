"""What the table does to choose characters, and what happened last, the newest at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import shown
from companion.app.widgets.panel import Panel, cut, hanging
from companion.language import _
from companion.wording import prompts

if TYPE_CHECKING:
    from engine.table import Table


class Events(Panel):
    """The steps of the selection while it lasts; then as many of the last events as fit."""

    table: Table | None = None
    told: list[list[str]] = []  # noqa: RUF012 - replaced, never changed

    def show(self, table: Table, told: list[list[str]]) -> None:
        """Show that table's moves, the newest first, a list of sentences each."""
        self.table = table
        self.told = told
        self.refresh()

    async def on_click(self) -> None:
        """A click shows what happened further back."""
        await self.screen.run_action("journal")

    def draw(self, width: int, height: int) -> Content:
        """The newest move's sentences in full strength, the older ones quieter."""
        parts: list[Content] = []
        if self.table is not None and self.table.phase == "selection":
            parts = [*_steps(self.table, width, height), Content("")]
        if self.told and len(parts) < height - 1:
            parts += self._events(width, height - len(parts))
        return Content("\n").join(cut(parts, width, height))

    def _events(self, width: int, height: int) -> list[Content]:
        parts = [shown(_("Last events"), "$quiet bold")]
        for age, sentences in enumerate(self.told):
            style = "" if age == 0 else "$quiet"
            mark = "› " if age == 0 else "  "
            for sentence in sentences:
                parts += hanging(mark, sentence, style, width)
            if len(parts) > height:
                break
        return parts


def _steps(t: Table, width: int, height: int) -> list[Content]:
    """What remains to be done, a numbered step each; in fewer sentences where room is short."""
    done = 2 if t.rules.faceup_count and t.faceup is not None else 0  # shuffled and discarded
    for short in (False, True):
        parts = [shown(_("At the table now"), "$quiet bold")]
        for number, step in enumerate(prompts.selection_steps(t, short=short), start=1):
            if number > done:
                parts += hanging(f"{number:>2} ", step, "", width)
        if len(parts) <= height:
            break
    return parts
