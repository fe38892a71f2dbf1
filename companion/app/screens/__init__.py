"""The screens of the caller."""

from __future__ import annotations

from textual.events import ScreenResume
from textual.screen import ModalScreen, Screen, ScreenResultType


class FirstScreen(Screen[None]):
    """A screen that is painted as soon as it is mounted."""

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Skip the style update: widgets were styled when mounted, and a theme change reaches the
        screens below as well, so it would only take time."""
        event.refresh_styles = False


class Dialog(ModalScreen[ScreenResultType]):
    """A screen above another, painted as soon as it is mounted."""

    on_screen_resume = FirstScreen.on_screen_resume
