"""The parts of the table screen: rows of text, of which only those that change are painted again.

What the set-up needs too: it loads neither verbs nor rules before its first frame."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Self

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from companion.app.display import join, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.style import Style


class Panel(Widget):
    """Draws `draw(width, height)`; call `refresh` after changing its data.

    Only rows that differ from those shown are rendered and sent to the terminal again. The
    stylesheet gives the panel its size, whatever it shows; so nothing is laid out.
    """

    auto_links: Reactive[bool] = Reactive(False)
    _paintings: Sequence[Content] = ()
    """The rows as last drawn."""
    _drawn_for: Size | None = None
    """The size for which they were; None if all must be painted again."""
    _is_stale = False
    """Whether they must be drawn again before they are painted."""

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
        """A row without its margins."""
        if self._is_stale or self._drawn_for != self.content_size:
            self._draw_again()
        row = self._paintings[y] if y < len(self._paintings) else Content("")
        width, style = self.content_size.width, self.visual_style
        if self.text_selection is None:
            return paint_row(self, row, width, style)
        strips = Visual.to_strips(self, row, width, 1, style)
        return strips[0].apply_offsets(0, y) if strips else Strip.blank(width, style.rich_style)

    def _draw_again(self) -> list[int]:
        """Draw, and return the rows that differ from those painted."""
        before = self._paintings
        if self._drawn_for != self.content_size:
            before = ()
        self._drawn_for, self._is_stale = self.content_size, False
        self._paintings = self._draw()
        return [
            place
            for place, (old, new) in enumerate(zip_longest(before, self._paintings))
            if old is not new and (old is None or new is None or not new.is_same(old))
        ]

    def _draw(self) -> list[Content]:
        width, height = self.content_size
        if not width or not height:
            return []
        picture = self.draw(width, height)
        rows = picture.split("\n", allow_blank=True) if isinstance(picture, Content) else picture
        return rows[:height]


def paint_row(widget: Widget, row: Content, width: int, style: Style) -> Strip:
    """One row of a widget, cut at its width. Textual's own way would also wrap and align it, and
    give every segment a colour of its own for the place where it is, so that the mouse can select
    text: all that takes five times as long."""
    if row.cell_length > width:
        strips = Visual.to_strips(widget, row, width, 1, style)
        return strips[0] if strips else Strip([])
    parts = row.render(style, end="")
    return Strip([Segment(text, (style + own).rich_style) for text, own in parts], row.cell_length)


class KeyLine(Panel):
    """Keys with their actions; the first ones are kept if the line is short."""

    items: list[tuple[str, str, str]] = []  # noqa: RUF012 - replaced, never changed

    def show(self, items: list[tuple[str, str, str]]) -> None:
        """Show (key, label, action) in this order."""
        if items != self.items:
            self.items = items
            self.refresh()

    def draw(self, width: int, height: int) -> Content:
        parts: list[Content | str] = []
        gap = " " * self._gap(width)
        for _end, key, text, _action in self._places(width):
            parts += [paint(key, "bold $gold"), paint(f" {text}{gap}")]
        return join(parts)

    def _gap(self, width: int) -> int:
        """The cells between two keys: one only if that lets more of them fit."""
        count = sum(cell_len(f"{key} {text}") + 2 for key, text, _action in self.items)
        return 1 if count > width else 2

    def _places(self, width: int) -> list[tuple[int, str, str, str]]:
        """Where each key ends, as far as they fit."""
        places, end, gap = [], 0, self._gap(width)
        for key, text, action in self.items:
            end += cell_len(f"{key} {text}") + gap
            if end - gap > width:
                break
            places.append((end, key, text, action))
        return places

    async def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None:
            return
        for end, _key, _text, action in self._places(self.content_size.width):
            if at.x < end:
                await self.screen.run_action(action)
                return
