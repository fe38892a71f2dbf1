"""The guided first round of a game: what to teach now, told once at each moment.

Whether a game is taught is remembered beside its log, so that it continues after a pause; it ends
with the first round, and never comes back by undo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.log import game_settings
from companion.wording import teaching

if TYPE_CHECKING:
    from engine.table import Table

ON, OFF, DONE = "on", "off", "done"
_KEY = "teaching"


class Teacher:
    """Teaches one game; ask for `news` after every move."""

    def __init__(self, log: str, game: str) -> None:
        """Teach the game of that name in that log."""
        self._log = log
        self._game = game
        self._last = ""
        self.state = game_settings.get(log, game, _KEY) or OFF

    @property
    def on(self) -> bool:
        """Whether lessons are given."""
        return self.state == ON

    def switch(self, on: bool) -> None:
        """Give lessons from now on, or none."""
        self._remember(ON if on else OFF)
        self._last = ""

    def lesson(self, view: Table) -> list[str]:
        """The lesson of this moment, whether it was told or not."""
        if not self.on:
            return []
        if view.round > teaching.TAUGHT_ROUND or view.stage == "over":
            self._remember(DONE)
            return []
        return teaching.lesson(view)

    def between(self, before: Table, after: Table) -> list[str]:
        """What a move gives to teach, from the views around it; for whoever hears every move."""
        if teaching.moment(before) == teaching.moment(after):
            return []
        return self.lesson(after)

    def repeat(self) -> None:
        """Let the next `news` tell this moment's lesson again."""
        self._last = ""

    def news(self, view: Table) -> list[str]:
        """The lesson of this moment if another was told last."""
        found = self.lesson(view)
        before, self._last = self._last, teaching.moment(view) if self.on else ""
        return found if self._last != before else []

    def _remember(self, state: str) -> None:
        self.state = state
        game_settings.put(self._log, self._game, _KEY, state)
