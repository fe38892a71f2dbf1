"""Shared behaviour of the screens that the caller can open with."""

from __future__ import annotations

from textual.events import ScreenResume
from textual.screen import Screen


class FirstScreen(Screen[None]):
    """A screen that is painted as soon as it is mounted."""

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Skip the style update: widgets were styled when mounted, and a theme change reaches the
        screens below as well, so it would only take time."""
        event.refresh_styles = False
