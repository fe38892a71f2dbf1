"""A sheet over the table: text (help, a rule, the scores) or a QR code. Any usual key closes it.

A QR code is shown unscaled and unscrolled: a camera needs all of it at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from companion.app.display import lines, paint
from companion.app.screens import Dialog
from companion.history.recap import bgstats
from companion.language import _
from companion.terminal import qr

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Size


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
            picture = lines(paint(row, _DARK_ON_LIGHT) for row in rows)
        else:
            picture = lines([paint(bgstats.tell_size(rows, below=_FOOT)), paint(""), self._link])
        self.query_one("#code", Static).update(picture)


_AROUND = 6  # lines of a sheet besides its text: frame, title, foot


class Sheet(Dialog[None]):
    """A title, and text that scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,enter,space,q,question_mark", "dismiss"),
        ("down,j", "scroll(1)"),
        ("up,k", "scroll(-1)"),
        ("pagedown", "scroll(10)"),
        ("pageup", "scroll(-10)"),
    ]

    def __init__(self, title: str, text: Content, *, at_end: bool = False) -> None:
        """`at_end` shows the end of the text first."""
        super().__init__(classes="sheet")
        self._title = title
        self._text = text
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        """The sheet in the middle of the screen."""
        with Vertical(classes="paper"):
            yield Static(paint(self._title), classes="title")
            with VerticalScroll(classes="page") as page:
                page.styles.max_height = self._count_most_lines(self.app.size)
                yield Static(self._text, markup=False)
            yield Static(paint(_("Esc closes, ↑ ↓ scroll")), classes="foot")

    def on_mount(self) -> None:
        """Scroll to the end if asked to."""
        if self._at_end:
            page = self.query_one(VerticalScroll)
            self.call_after_refresh(page.scroll_end, animate=False)

    def on_resize(self, event: events.Resize) -> None:
        """Limit the text to the new size."""
        page = self.query_one(VerticalScroll)
        page.styles.max_height = self._count_most_lines(event.size)

    def _count_most_lines(self, size: Size) -> int:
        """The lines of text that leave room for the last line, which says how to close the sheet;
        known beforehand, it saves laying the sheet out twice."""
        return max(1, size.height - _AROUND)

    def action_scroll(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
