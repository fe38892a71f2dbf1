"""A short list of values: one is current, another is chosen by its number, Enter or a click."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from companion.app.display import paint
from companion.app.widgets.choice_list import ChoiceList
from companion.language import _

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

NUMBERED = 9  # rows that a single digit picks


class ValuesScreen(ModalScreen[None]):
    """A title and a label for each value; `use` gets the index chosen."""

    AUTO_FOCUS = "#values"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss")]

    def __init__(
        self, title: str, values: Sequence[str], current: int, use: Callable[[int], None]
    ) -> None:
        super().__init__()
        self.title_text = title
        self.values = list(values)
        self.current = current
        self.use = use

    def compose(self) -> ComposeResult:
        """A title and the list."""
        with Vertical(classes="paper values"):
            yield Static(paint(self.title_text), classes="title")
            yield ChoiceList(id="values")
            foot = paint(_("A number or Enter chooses, Esc closes."))
            yield Static(foot, classes="foot", markup=False)

    def on_mount(self) -> None:
        """Highlight the current value."""
        self.show(self.current)

    def rows(self) -> list[str]:
        """The labels of the rows."""
        return self.values

    def show(self, marked: int) -> None:
        """List the rows, with that one highlighted."""
        rows = [(str(n) if n <= NUMBERED else "", "", row) for n, row in enumerate(self.rows(), 1)]
        self.query_one(ChoiceList).show(rows, marked)

    def on_key(self, event: events.Key) -> None:
        """Take a row by its number, or the highlighted one with Enter or space."""
        place = self.query_one(ChoiceList).take_key(event.key)
        if event.key.isdecimal() and event.key != "0":
            place = int(event.key) - 1
        if place is not None:
            event.stop()
            self.take(place)

    @on(OptionList.OptionSelected)
    def _take_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.take(event.option_index)

    def take(self, place: int) -> None:
        """Use that value, and close."""
        if 0 <= place < len(self.values):
            self.dismiss(None)
            self.use(place)
