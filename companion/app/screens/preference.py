"""A small list to change the language or the colours in the middle of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from companion import remember
from companion.app.display import shown
from companion.app.widgets.choice_list import ChoiceList
from companion.language import _, said
from companion.system_errors import reason

if TYPE_CHECKING:
    from textual import events

    from companion.app.caller import CallerApp


class PreferenceScreen(ModalScreen[None]):
    """The values of one setting; a value is in force at once, and kept if that is marked."""

    app: CallerApp
    AUTO_FOCUS = "#values"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close")]

    def __init__(
        self,
        key: str,
        title: str,
        values: Mapping[str, str],
        current: str,
        use: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.key = key
        self.title_text = title
        self.values = values
        self.value = current
        self.use = use
        self.keep = False

    def compose(self) -> ComposeResult:
        """A title and the list."""
        with Vertical(classes="paper preference"):
            yield Static(shown(self.title_text), classes="title")
            yield ChoiceList(id="values")
            foot = shown(_("A number or Enter takes it, Esc closes."))
            yield Static(foot, classes="foot", markup=False)

    def on_mount(self) -> None:
        """The value in force is marked."""
        self._show(list(self.values).index(self.value) if self.value in self.values else 0)

    def _show(self, marked: int) -> None:
        keep = _("[x] also at the next start") if self.keep else _("[ ] also at the next start")
        rows = [(str(n), "", name) for n, name in enumerate(self.values.values(), start=1)]
        self.query_one(ChoiceList).show([*rows, (str(len(rows) + 1), "", keep)], marked)

    def on_key(self, event: events.Key) -> None:
        """A number takes its row, Enter and space the marked one."""
        place = self.query_one(ChoiceList).take_key(event.key)
        if event.key.isdecimal():
            place = int(event.key) - 1
        if place is not None:
            event.stop()
            self._take(place)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take(event.option_index)

    def _take(self, place: int) -> None:
        if place == len(self.values):
            self.keep = not self.keep
            self._show(place)
        elif 0 <= place < len(self.values):
            self.value = list(self.values)[place]
            self.dismiss(None)
            self.use(self.value)
            if self.keep:
                self._remember()

    def _remember(self) -> None:
        try:
            remember.setting(self.key, self.value)
        except OSError as error:
            problem = _("Not kept for the next start: {reason}").format(reason=said(reason(error)))
            self.app.tell("refused", problem)

    def action_close(self) -> None:
        """Nothing changes."""
        self.dismiss(None)
