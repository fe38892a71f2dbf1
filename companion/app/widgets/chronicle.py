"""The steps of the selection, and the chronicle: the latest lines that fit, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import DEEDS, cut, indent, paint
from companion.app.widgets.panel import Panel
from companion.language import _
from companion.wording import state, story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.wording.story import ChronicleLine
    from engine.table import Table


class Events(Panel):
    """The steps of the selection while it lasts; the last events below."""

    table: Table | None = None
    moments: Sequence[ChronicleLine] = ()

    def show(self, table: Table, moments: Sequence[ChronicleLine]) -> None:
        """Show that table's chronicle, oldest line first."""
        self.table, self.moments = table, moments
        self.refresh()

    async def on_click(self) -> None:
        await self.screen.run_action("journal")

    def draw(self, width: int, height: int) -> list[Content]:
        """A gap, then the last lines at the bottom, the last move's undimmed."""
        parts, height = list[Content](), height - 1
        if self.table is not None and self.table.phase == "selection":
            parts = cut([*_steps(self.table, width, height), Content("")], width, height)
        rest = latest(self.moments, width, height - len(parts))
        return [Content(""), *parts, *rest]


def latest(lines: Sequence[ChronicleLine], width: int, height: int) -> list[Content]:
    """As many of the last lines as fit, under the heading of their round."""
    rows: list[Content] = []
    last = lines[-1].move if lines else 0
    for place in range(len(lines) - 1, -1, -1):
        painting = draw_line(lines[place], width, fresh=lines[place].move == last)
        if len(rows) + len(painting) > height:
            break
        rows[:0] = painting
    return rows


def draw_line(line: ChronicleLine, width: int, *, fresh: bool) -> list[Content]:
    """A heading; or a sentence after the symbol and the word of its deed."""
    if line.kind == story.ROUND:
        return [paint(line.text, "bold $gold")]
    if line.kind in (story.CALL, story.PASSED):
        return indent("", line.text, "bold" if fresh else "$quiet bold", width)
    word = story.name_deed(line.kind)
    if word:
        return indent(f"{DEEDS[line.kind]} ", f"{word}: {line.text}", "bold", width)
    return indent("  ", line.text, "" if fresh else "$quiet", width)


def _steps(table: Table, width: int, height: int) -> list[Content]:
    """The remaining steps, under their heading if it leaves room for all of them. Numbers would
    look like keys."""
    parts = list[Content]()
    for step in state.list_remaining_steps(table):
        parts += indent(" · ", step, "", width)
    return [paint(_("What to do now"), "$quiet bold"), *parts] if len(parts) < height else parts
