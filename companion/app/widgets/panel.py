"""A part of the screen drawn from one function of its size: no child widgets, no recomposing.

Showing something new is one repaint of the same widget, however long the game.
"""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from companion.app.display import shown


class Panel(Widget):
    """Draws `draw(width, height)`; call `refresh` after changing what it is drawn from."""

    def draw(self, width: int, height: int) -> Content:
        """What the panel shows in so many cells."""
        raise NotImplementedError

    def render(self) -> Content:
        """The drawing at the present size; nothing where there is no room yet."""
        width, height = self.content_size
        return self.draw(width, height) if width and height else Content("")


def hanging(mark: str, text: str, style: str, width: int) -> list[Content]:
    """A sentence behind a mark, its further lines below its first."""
    indent = shown(" " * len(mark))
    rows = shown(text, style).wrap(max(1, width - len(mark)))
    return [(shown(mark, style) if at == 0 else indent) + row for at, row in enumerate(rows)]


def cut(parts: list[Content], width: int, height: int) -> list[Content]:
    """The parts wrapped to `width`, as far as they fit into `height` lines."""
    wrapped: list[Content] = []
    for part in parts:
        wrapped += part.wrap(width) or [Content("")]
        if len(wrapped) >= height:
            break
    return wrapped[:height]
