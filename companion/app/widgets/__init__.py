"""The widgets of the caller's screens; each shows a view of the table, independent of others. Here
are the text fields that Textual does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.geometry import Offset
from textual.strip import Strip
from textual.widgets import Input

if TYPE_CHECKING:
    from textual import events


class NamesEntry(Input):
    """For names: pasted lines are all taken, each a name or several with commas."""

    async def on_paste(self, event: events.Paste) -> None:
        """Submit several lines at once; Textual would keep the first."""
        names = [line.strip(" \t,") for line in event.text.splitlines() if line.strip(" \t,")]
        if len(names) > 1:
            event.stop()
            event.prevent_default()
            self.value = ", ".join([*filter(None, [self.value.strip(" ,")]), *names])
            await self.action_submit()


_HIDDEN = "•••"


class HiddenEntry(Input):
    """While hidden (`password`) it shows that something was typed, but not how much."""

    @property
    def cursor_screen_offset(self) -> Offset:
        """Where the cursor is, or the beginning while that would tell a length."""
        return self.content_region.offset if self.password else super().cursor_screen_offset

    def render_line(self, y: int) -> Strip:
        """The same signs for every hidden text."""
        if not (self.password and self.value):
            return super().render_line(y)
        width, style = self.scrollable_content_region.width, self.rich_style
        return Strip([Segment(_HIDDEN, style)]).adjust_cell_length(width, style)
