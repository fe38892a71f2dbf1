"""A short list for changing the language or the theme during a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.app.screens.values import ValuesScreen
from companion.files.system_errors import reason
from companion.language import _, translate
from companion.settings import remember


class PreferenceScreen(ValuesScreen):
    """The values of one setting; a value takes effect at once, and is saved if that is ticked."""

    def __init__(
        self,
        key: str,
        title: str,
        values: Mapping[str, str],
        current: str,
        use: Callable[[str], None],
        complain: Callable[[str], None],
    ) -> None:
        """`use` applies the value, `complain` is told why it cannot be saved."""
        names = list(values)
        at = names.index(current) if current in names else 0
        super().__init__(title, list(values.values()), at, lambda place: use(names[place]))
        self.key = key
        self.complain = complain
        self.names = names
        self.keep = False

    def rows(self) -> list[str]:
        """The values, and whether to save the one chosen."""
        keep = _("[x] keep for next time") if self.keep else _("[ ] keep for next time")
        return [*self.values, keep]

    def take(self, place: int) -> None:
        """Use that value, or toggle saving."""
        if place == len(self.values):
            self.keep = not self.keep
            self.show(place)
            return
        super().take(place)
        if self.keep and 0 <= place < len(self.names):
            self._remember(self.names[place])

    def _remember(self, value: str) -> None:
        try:
            remember.save(self.key, value)
        except OSError as error:
            problem = _("Not kept for next time: {reason}").format(reason=translate(reason(error)))
            self.complain(problem)
