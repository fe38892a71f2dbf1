"""The parts of the board: rows of text, of which only those that change are painted again.

`Events` shows the steps of the selection, or the chronicle: the latest lines that fit, in order.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region
from textual.reactive import Reactive
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from companion.app.display import DEEDS, cut, indent, paint
from companion.language import _
from companion.wording import chronicle, prompts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from textual.filter import LineFilter
    from textual.geometry import Size
    from textual.style import Style

    from companion.app.widgets.choice_list import ChoiceList
    from companion.wording.chronicle import ChronicleLine
    from engine.table import Table


class Panel(Widget):
    """Draws `draw(width, height)`; call `refresh` after changing its data.

    Every row is kept as it was painted, with its margins, also while the panel is hidden; only rows
    that differ are rendered and sent to the terminal again. The stylesheet gives the panel its
    size, whatever it shows, and neither border nor opacity; so nothing is laid out.
    """

    auto_links: Reactive[bool] = Reactive(False)
    _paintings: Sequence[Content] = ()
    """The rows as last drawn."""
    _drawn_for: Size | None = None
    """The size for which they were; None if all must be painted again."""
    _is_stale = False
    """Whether they must be drawn again before they are painted."""
    _strips: dict[int, Strip]
    """The painted lines."""
    _filters: Sequence[LineFilter] = ()
    """What has changed the colours of these."""

    def draw(self, width: int, height: int) -> Content | list[Content]:
        """The panel's content in that many cells, as a whole or in rows."""
        raise NotImplementedError

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Draw again, and paint the rows that differ from those shown."""
        if regions or layout or self._drawn_for != self.content_size:
            self._is_stale = True
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        for place in self._draw_again():
            super().refresh(Region(0, place, self.content_size.width, 1))
        return self

    def notify_style_update(self) -> None:
        """Paint all rows again, in other colours."""
        self._drawn_for = None
        super().notify_style_update()

    def selection_updated(self, selection: object) -> None:
        """Paint all rows again, with what is selected by mouse."""
        self._drawn_for = None
        self.refresh()

    def render(self) -> Content:
        """All rows at the current size; empty while there is no room."""
        return Content("\n").join(self._draw())

    def render_line(self, y: int) -> Strip:
        """A row without its margins, as Textual selects text in it by mouse: every cell knows its
        place."""
        if self.text_selection is not None:
            return super().render_line(y)
        rows, width, style = self._draw(), self.content_size.width, self.visual_style
        strips = Visual.to_strips(self, rows[y], width, 1, style) if y < len(rows) else []
        return strips[0].apply_offsets(0, y) if strips else Strip.blank(width, style.rich_style)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines as painted before, unless they have changed."""
        if self.text_selection is not None:
            return super().render_lines(crop)
        if self._is_stale or self._drawn_for != self.content_size:
            self._draw_again()
        filters = self.get_line_filters()
        if filters != self._filters:
            self._filters = filters
            self._strips.clear()
        strips = []
        for y in crop.line_range:
            if y not in self._strips:
                self._strips[y] = self._paint_line(y)
            strips.append(self._strips[y])
        if crop.column_span != (0, self.outer_size.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def _draw_again(self) -> list[int]:
        """Draw, and return the rows that differ from those painted."""
        before = self._paintings
        if self._drawn_for != self.content_size:
            before, self._strips = (), {}
        self._drawn_for, self._is_stale = self.content_size, False
        self._paintings = self._draw()
        changes = [
            place
            for place, (old, new) in enumerate(zip_longest(before, self._paintings))
            if old is not new and (old is None or new is None or not new.is_same(old))
        ]
        for place in changes:
            self._strips.pop(self.gutter.top + place, None)
        return changes

    def _draw(self) -> list[Content]:
        width, height = self.content_size
        if not width or not height:
            return []
        picture = self.draw(width, height)
        rows = picture.split("\n", allow_blank=True) if isinstance(picture, Content) else picture
        return rows[:height]

    def _paint_line(self, y: int) -> Strip:
        """That line with its margins."""
        base, background = self.background_colors
        blank = self._styles_cache.get_inner_outer(base, background)[0].rich_style
        margins, place = self.gutter, y - self.gutter.top
        row = self._paintings[place] if 0 <= place < len(self._paintings) else Content("")
        strip = paint_row(self, row, self.content_size.width, self.visual_style)
        if margins.left:
            strip = Strip([Segment(" " * margins.left, blank), *strip])
        strip = strip.adjust_cell_length(self.outer_size.width, blank)
        for each in self._filters:
            strip = strip.apply_filter(each, background)
        return strip


def paint_row(widget: Widget, row: Content, width: int, style: Style) -> Strip:
    """One row of a widget, cut at its width. Textual's own way would also wrap and align it, and
    give every segment a colour of its own for the place where it is, so that the mouse can select
    text: all that takes five times as long."""
    if row.cell_length > width:
        strips = Visual.to_strips(widget, row, width, 1, style)
        return strips[0] if strips else Strip([])
    parts = row.render(style, end="", parse_style=widget._get_style)
    return Strip([Segment(text, (style + own).rich_style) for text, own in parts], row.cell_length)


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
    if line.kind == chronicle.ROUND:
        return [paint(line.text, "bold $gold")]
    if line.kind == chronicle.CALL:
        return indent("", line.text, "bold" if fresh else "$quiet bold", width)
    word = chronicle.word(line.kind)
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
        for number, step in enumerate(prompts.selection_steps(table, short=short), start=1):
            if number > count:
                parts += indent(f"{number:>2} ", step, "", width)
        if len(parts) <= height:
            break
    return parts
