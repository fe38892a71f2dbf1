"""The guided first round of a game: each lesson is told once.

Whether a game is taught is stored beside its log, so that the lessons continue after a pause; they
end with the first round, and undo does not bring them back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.wording import teaching

if TYPE_CHECKING:
    from companion.log.game_settings import GameSettings
    from engine.table import Table

ON, OFF, DONE = "on", "off", "done"
_KEY = "teaching"


class Teacher:
    """Teaches one game; call `find_news` after every move."""

    def __init__(self, settings: GameSettings) -> None:
        """Teach the game with these settings."""
        self._settings = settings
        self._last = ""
        self.state = settings.get(_KEY) or OFF

    @property
    def on(self) -> bool:
        """Whether lessons are given."""
        return self.state == ON

    def switch(self, on: bool) -> None:
        """Turn lessons on or off."""
        self._remember(ON if on else OFF)
        self._last = ""

    def lesson(self, view: Table) -> list[str]:
        """The lesson of this moment, whether told before or not."""
        if not self.on:
            return []
        if view.round > teaching.TAUGHT_ROUND or view.stage == "over":
            self._remember(DONE)
            return []
        return teaching.lesson(view)

    def teach_between(self, before: Table, after: Table) -> list[str]:
        """What a move gives to teach, from the views around it; for faces that show every move."""
        if teaching.moment(before) == teaching.moment(after):
            return []
        return self.lesson(after)

    def repeat(self) -> None:
        """Let the next `find_news` repeat the current lesson."""
        self._last = ""

    def find_news(self, view: Table) -> list[str]:
        """The lesson of this moment unless it was the last one told."""
        lines = self.lesson(view)
        before, self._last = self._last, teaching.moment(view) if self.on else ""
        return lines if self._last != before else []

    def _remember(self, state: str) -> None:
        self.state = state
        self._settings.put(_KEY, state)
