"""What the screens have in common that the caller can open with."""

from __future__ import annotations

from textual.events import ScreenResume
from textual.screen import Screen


class FirstScreen(Screen[None]):
    """A screen that is painted as soon as it is there."""

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Every widget got its style a moment ago, when it was mounted, and a change of colours
        reaches the screens below as well: to look all of it up again would only take time."""
        event.refresh_styles = False
