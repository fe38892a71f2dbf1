"""Text with a QR code: dark on light with its margin, as a camera needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.content import Content
from textual.filter import LineFilter, Monochrome, NoColor
from textual.widgets import Static

from companion import terminal
from companion.app.display import lines


def draw_code(text: str, *below: Content | str) -> Content:
    """The QR code of a text in its own characters and colours, whatever those of the screen are,
    and lines below it."""
    code = (Content.styled(row, "black on white") for row in terminal.draw_half_blocks(text))
    return lines([*code, *below])


class Code(Static):
    """A place for a QR code, which keeps its colours where NO_COLOR takes those of all else."""

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Those of the screen that leave colours."""
        filters: Iterable[LineFilter] = super().get_line_filters()
        return [one for one in filters if not isinstance(one, Monochrome | NoColor)]
