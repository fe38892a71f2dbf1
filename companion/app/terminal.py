"""What the caller needs to know about its terminal beyond what Textual tells."""

from __future__ import annotations

import select
import sys
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from textual.app import App
    from textual.geometry import Offset


def terminal_is_gone() -> bool:
    """Whether the terminal was closed: its other end hung up, or there is no input at all."""
    if not hasattr(select, "poll") or sys.__stdin__ is None:
        return False
    try:
        watched = select.poll()
        watched.register(sys.__stdin__.fileno(), 0)  # error and hangup are always reported
        return any(event & select.POLLHUP for _file, event in watched.poll(0))
    except (OSError, ValueError):
        return True


def draw_plain_scrollbars() -> None:
    """Draw scrollbars with blanks only, for terminals without partial-block characters."""
    from textual.scrollbar import ScrollBar, ScrollBarRender

    class Plain(ScrollBarRender):
        VERTICAL_BARS: ClassVar[list[str]] = [" "] * len(ScrollBarRender.VERTICAL_BARS)
        HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * len(ScrollBarRender.HORIZONTAL_BARS)

    ScrollBar.renderer = Plain


def put_cursor(app: App[int], place: Offset) -> None:
    """Move the terminal's cursor there: braille displays and magnifiers follow it.

    Textual moves it only when it paints something; if nothing changes, it must be moved here.
    """
    if app.cursor_position == place:
        return
    app.cursor_position = place
    if app._driver is not None and not app.is_headless:
        app._driver.write(f"\x1b[{place.y + 1};{place.x + 1}H")
        app._driver.flush()


def show_cursor(app: App[int]) -> None:
    """Show the terminal's cursor, which Textual hides when it starts."""
    if app._driver is not None and not app.is_headless:
        app._driver.write("\x1b[?25h")
        app._driver.flush()
