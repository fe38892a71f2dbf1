"""The caller's screens and dialogs, one per module, and what they have in common: none is styled or
laid out twice."""

from __future__ import annotations

from textual.events import ScreenResume
from textual.geometry import Size
from textual.screen import ModalScreen, Screen, ScreenResultType


class FirstScreen(Screen[ScreenResultType]):
    """A screen that is painted as soon as it is mounted."""

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Skip the style update: widgets were styled when mounted, and a theme change reaches the
        screens below as well, so it would only take time."""
        event.refresh_styles = False

    def _screen_resized(self, size: Size) -> None:
        """Skip the layout for the size that the screen has: Textual tells it to a new dialog, and
        to every screen below it, again."""
        if size != self._size:
            super()._screen_resized(size)


class Dialog(FirstScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A screen above another, painted as soon as it is mounted."""
