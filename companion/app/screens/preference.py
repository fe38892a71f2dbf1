"""A small list to change the language or the colours in the middle of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion import remember
from companion.app.screens.values import ValuesScreen
from companion.language import _, said
from companion.system_errors import reason

if TYPE_CHECKING:
    from companion.app.caller import CallerApp


class PreferenceScreen(ValuesScreen):
    """The values of one setting; a value is in force at once, and kept if that is marked."""

    app: CallerApp

    def __init__(
        self,
        key: str,
        title: str,
        values: Mapping[str, str],
        current: str,
        use: Callable[[str], None],
    ) -> None:
        names = list(values)
        at = names.index(current) if current in names else 0
        super().__init__(title, list(values.values()), at, lambda place: use(names[place]))
        self.key = key
        self.names = names
        self.keep = False

    def rows(self) -> list[str]:
        """The values, and whether the one taken is kept."""
        keep = _("[x] also at the next start") if self.keep else _("[ ] also at the next start")
        return [*self.values, keep]

    def take(self, place: int) -> None:
        """Use that value, or mark it to be kept."""
        if place == len(self.values):
            self.keep = not self.keep
            self.show(place)
            return
        super().take(place)
        if self.keep and 0 <= place < len(self.names):
            self._remember(self.names[place])

    def _remember(self, value: str) -> None:
        try:
            remember.setting(self.key, value)
        except OSError as error:
            problem = _("Not kept for the next start: {reason}").format(reason=said(reason(error)))
            self.app.tell("refused", problem)
