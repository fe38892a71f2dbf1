"""The parts of the board: rows of text, of which only those that change are painted again."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Region
from textual.reactive import Reactive
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

if TYPE_CHECKING:
    from typing import Self

    from textual.geometry import Size


class Panel(Widget):
    """Draws `draw(width, height)`; call `refresh` after changing its data.

    Every row is kept as it was painted; only rows that differ are rendered and sent to the terminal
    again. The stylesheet gives the panel its size, whatever it shows, so nothing is laid out.
    """

    auto_links: Reactive[bool] = Reactive(False)
    _paintings: list[Content] | None = None
    """The rows as last drawn; None if all must be painted again."""
    _drawn_for: Size | None = None
    _strips: dict[int, Strip]

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
        before, size = self._paintings, self.content_size
        if regions or layout or before is None or self._drawn_for != size:
            if not regions:
                self._paintings = None
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        self._paintings = self._draw()
        for y, (old, new) in enumerate(zip_longest(before, self._paintings)):
            if old is not new and (old is None or new is None or not new.is_same(old)):
                self._strips.pop(y, None)
                super().refresh(Region(0, y, size.width, 1))
        return self

    def notify_style_update(self) -> None:
        """Paint all rows again, in other colours."""
        self._paintings = None
        super().notify_style_update()

    def selection_updated(self, selection: object) -> None:
        """Paint all rows again, with what is selected by mouse."""
        self._paintings = None
        self.refresh()

    def render(self) -> Content:
        """All rows at the current size; empty while there is no room."""
        return Content("\n").join(self._draw())

    def render_line(self, y: int) -> Strip:
        """The row as painted before, unless it has changed."""
        if self.text_selection is not None:
            return super().render_line(y)
        if self._paintings is None or self._drawn_for != self.content_size:
            self._paintings, self._strips = self._draw(), {}
        strip = self._strips.get(y)
        if strip is None:
            strip = self._strips[y] = self._render_row(y, self._paintings)
        return strip

    def _draw(self) -> list[Content]:
        self._drawn_for = self.content_size
        width, height = self._drawn_for
        if not width or not height:
            return []
        picture = self.draw(width, height)
        rows = picture.split("\n", allow_blank=True) if isinstance(picture, Content) else picture
        return rows[:height]

    def _render_row(self, y: int, rows: list[Content]) -> Strip:
        width, style = self.content_size.width, self.visual_style
        strips = Visual.to_strips(self, rows[y], width, 1, style) if y < len(rows) else []
        if not strips:
            return Strip.blank(width, style.rich_style)
        return strips[0].apply_offsets(0, y) if y else strips[0]
