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

    from companion.app.widgets.choice_list import ChoiceList
    from companion.wording.story import ChronicleLine
    from engine.table import Table


class Events(Panel):
    """The steps of the selection while it lasts; the last events below."""

    table: Table | None = None
    moments: Sequence[ChronicleLine] = ()
    _choices: ChoiceList | None = None
    _all_rows: list[Content] = []  # noqa: RUF012 - replaced, never changed
    _all_for: tuple[int, int] | None = None  # their width and the most of them

    def show(self, table: Table, moments: Sequence[ChronicleLine]) -> None:
        """Take that table's chronicle, oldest line first; `follow` shows it."""
        self.table = table
        self.moments = moments
        self._all_for = None

    def begin_in(self, choices: ChoiceList) -> None:
        """Begin in the lines that the list of choices leaves free: so that neither changes its size
        when there are more choices or fewer."""
        self._choices = choices
        choices.put_below(self._draw_first)

    def follow(self) -> None:
        """Show the chronicle below the choices as they are now."""
        if self._choices is not None:
            self._choices.refresh_below()
        self.refresh()

    def on_resize(self) -> None:
        """Divide the lines anew."""
        self.call_after_refresh(self.follow)

    def _draw_first(self, width: int, free: int) -> list[Content]:
        return self._list_rows(width, free + self.content_size.height)[:free]

    async def on_click(self) -> None:
        """Open the journal."""
        await self.screen.run_action("journal")

    def draw(self, width: int, height: int) -> list[Content]:
        """The rows for which the list of choices has no room."""
        free = 0 if self._choices is None else self._choices.count_free()
        return self._list_rows(width, free + height)[free:]

    def _list_rows(self, width: int, height: int) -> list[Content]:
        """A gap, then the last lines at the bottom, the last move's undimmed."""
        if self._all_for != (width, height):
            parts: list[Content] = []
            self._all_for = (width, height)
            height -= 1
            if self.table is not None and self.table.phase == "selection":
                parts = cut([*_steps(self.table, width, height), Content("")], width, height)
            rest = latest(self.moments, width, height - len(parts))
            self._all_rows = [Content(""), *parts, *rest]
        return self._all_rows


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
    if line.kind == story.CALL:
        return indent("", line.text, "bold" if fresh else "$quiet bold", width)
    word = story.name_deed(line.kind)
    if word:
        return indent(f"{DEEDS[line.kind]} ", f"{word}: {line.text}", "bold", width)
    return indent("  ", line.text, "" if fresh else "$quiet", width)


def _steps(table: Table, width: int, height: int) -> list[Content]:
    """The remaining steps, numbered; in fewer sentences if room is short."""
    count = (
        2 if table.rules.faceup_count and table.faceup is not None else 0
    )  # shuffled and discarded
    for short in (False, True):
        parts = [paint(_("What to do now"), "$quiet bold")]
        for number, step in enumerate(state.selection_steps(table, short=short), start=1):
            if number > count:
                parts += indent(f"{number:>2} ", step, "", width)
        if len(parts) <= height:
            break
    return parts
