"""The ways to begin, side by side in one row above the set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from companion.app.display import paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Row

_GAP = 2  # cells between two doors


class Doors(Static, can_focus=True):
    """Rows side by side: ← → mark one, Enter, a space or a click takes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("enter,space", "take", show=False),
    ]

    class Taken(Message):
        """A door was taken."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    class Typed(Message):
        """A letter was typed: it begins a name."""

        def __init__(self, letter: str) -> None:
            super().__init__()
            self.letter = letter

    rows: Sequence[Row] = ()
    marked = 0

    def show(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.marked = min(self.marked, len(rows) - 1)
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_focus(self) -> None:
        self._draw()

    def on_blur(self) -> None:
        self._draw()

    def _draw(self) -> None:
        parts = []
        for place, row in enumerate(self.rows):
            style = "bold $gold" if row.is_in else ""
            if place == self.marked and self.has_focus:
                style = "bold $on-mark on $mark"
            parts.append(paint(self._tell(row), style))
        gap = Content(" " * _GAP)
        lines = [gap.join([parts[place] for place in line]) for line in self._lay()]
        self.update(Content("\n").join(lines))

    def _tell(self, row: Row) -> str:
        sign = {None: "", True: "● ", False: "○ "}[row.is_in]
        return f" {sign}{row.label} "

    def _lay(self) -> list[list[int]]:
        """The places of the rows in each line."""
        lines: list[list[int]] = [[]]
        room = self.size.width or 1_000
        used = 0
        for place, row in enumerate(self.rows):
            width = cell_len(self._tell(row)) + _GAP
            if lines[-1] and used + width - _GAP > room:
                lines.append([])
                used = 0
            lines[-1].append(place)
            used += width
        return lines

    def action_move(self, by: int) -> None:
        self.marked = (self.marked + by) % len(self.rows)
        self._draw()

    def action_take(self) -> None:
        self.post_message(self.Taken(self.rows[self.marked]))

    def on_click(self, event: events.Click) -> None:
        lines = self._lay()
        left = 0
        for place in lines[event.y] if event.y < len(lines) else ():
            width = cell_len(self._tell(self.rows[place]))
            if left <= event.x < left + width:
                self.marked = place
                self.action_take()
            left += width + _GAP

    def on_key(self, event: events.Key) -> None:
        """A letter begins a name."""
        if event.character is not None and event.character.isalpha():
            event.stop()
            self.post_message(self.Typed(event.character))
