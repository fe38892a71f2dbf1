"""A part of the screen drawn by one function of its size: no child widgets, no recomposing.

An update is one repaint of the same widget, however long the game.
"""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from companion.app.display import paint, wrap


class Panel(Widget):
    """Draws `draw(width, height)`; call `refresh` after changing its data."""

    def draw(self, width: int, height: int) -> Content:
        """The panel's content in that many cells."""
        raise NotImplementedError

    def render(self) -> Content:
        """The content at the current size; empty while there is no room."""
        width, height = self.content_size
        return self.draw(width, height) if width and height else Content("")


def indent(
    mark: str, text: str, style: str, width: int, *, mark_style: str | None = None
) -> list[Content]:
    """A sentence after a mark, with a hanging indent; the mark in its own style."""
    first = paint(mark, style if mark_style is None else mark_style)
    indent = paint(" " * len(mark))
    rows = wrap(paint(text, style), max(1, width - len(mark)))
    return [(indent if at else first) + row for at, row in enumerate(rows)]


def cut(parts: list[Content], width: int, height: int) -> list[Content]:
    """The parts wrapped to `width`, as many as fit into `height` lines."""
    rows: list[Content] = []
    for part in parts:
        rows += wrap(part, width) or [Content("")]
        if len(rows) >= height:
            break
    return rows[:height]
