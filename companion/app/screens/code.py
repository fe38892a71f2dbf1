"""A QR code over the whole screen, unscaled and unscrolled: a camera needs all of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from companion.app.display import lines, paint
from companion.history.recap import bgstats
from companion.language import _
from companion.terminal import qr

if TYPE_CHECKING:
    from textual import events

_DARK_ON_LIGHT = "black on white"  # in every theme
_FOOT = 1  # line below the code


class CodeScreen(Screen[None]):
    """The code of a link; if it does not fit, what to do, and the link."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,space,q", "dismiss")]

    def __init__(self, link: str) -> None:
        super().__init__()
        self._link = link
        self._rows = qr.draw_half_blocks(link)

    def compose(self) -> ComposeResult:
        """The code, and below it how to close it."""
        with VerticalScroll(can_focus=False):
            yield Static(id="code", markup=False)
        yield Static(paint(_("Esc closes, ↑ ↓ scroll")), classes="foot")

    def on_resize(self, event: events.Resize) -> None:
        """Draw the code if it fits; smaller letters make room for it."""
        rows, size = self._rows, event.size
        if len(rows[0]) <= size.width and len(rows) + _FOOT <= size.height:
            drawn = lines(paint(row, _DARK_ON_LIGHT) for row in rows)
        else:
            drawn = lines([paint(bgstats.tell_size(rows, below=_FOOT)), paint(""), self._link])
        self.query_one("#code", Static).update(drawn)
