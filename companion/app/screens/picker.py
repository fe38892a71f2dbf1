"""A dialog with a search field and the rows that match it: cards, chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from companion.app.display import paint
from companion.app.widgets.choice_list import ChoiceList
from companion.app.widgets.entry import TextEntry
from companion.language import _
from engine.moves import fold


class Picker(ModalScreen[str]):
    """Rows of (label, search words); subclasses say what a row means, and may return a sentence
    about what was done."""

    AUTO_FOCUS = "#search"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "dismiss"),
        ("down", "move(1)"),
        ("up", "move(-1)"),
        ("pagedown", "move(8)"),
        ("pageup", "move(-8)"),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (60, "-narrow")]  # noqa: RUF012 - Textual declares it so
    title_text = ""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[tuple[str, str]] = []
        self.fitting: list[int] = []

    def compose(self) -> ComposeResult:
        """Search at the top, rows on the left, the meaning of a row on the right."""
        with Vertical(classes="paper picker"):
            yield Static(paint(self.title_text), classes="title", id="picker-title")
            yield TextEntry(placeholder=_("type to search"), id="search")
            with Horizontal(id="found"):
                yield ChoiceList(id="rows")
                with VerticalScroll(id="detail", can_focus=False):
                    yield Static(id="meaning", markup=False)
            yield Static(paint(self.foot()), classes="foot")

    def foot(self) -> str:
        """The help line."""
        return _("↑ ↓ move, Esc closes")

    def fill(self, labels: Sequence[tuple[str, str]]) -> None:
        """Show those of the rows that match the search."""
        self.labels = list(labels)
        self._filter(self.query_one(Input).value)

    def _filter(self, typed: str) -> None:
        wanted = fold(typed).split()
        self.fitting = [
            place
            for place, (label, words) in enumerate(self.labels)
            if all(w in fold(f"{label} {words}") for w in wanted)
        ]
        self.query_one(ChoiceList).show([("", "", self.labels[p][0]) for p in self.fitting])
        self.show_meaning(self.fitting[0] if self.fitting else None)

    @on(Input.Changed, "#search")
    def _filter_typed(self, event: Input.Changed) -> None:
        self._filter(event.value)

    @on(Input.Submitted, "#search")
    def _pick_highlighted(self) -> None:
        self._pick(self.query_one(ChoiceList).highlighted)

    @on(OptionList.OptionSelected)
    def _pick_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._pick(event.option_index)

    @on(OptionList.OptionHighlighted)
    def _explain_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_index < len(self.fitting):
            self.show_meaning(self.fitting[event.option_index])

    def _pick(self, row: int | None) -> None:
        if row is not None and row < len(self.fitting):
            self.take_place(self.fitting[row])

    def mark(self, place: int) -> None:
        """Highlight that row, and show all the others."""
        search = self.query_one(Input)
        with search.prevent(Input.Changed):
            search.value = ""
        self._filter("")
        self.query_one(ChoiceList).highlighted = place
        self.show_meaning(place)

    def action_move(self, rows: int) -> None:
        """Move the highlight while the search field has focus."""
        self.query_one(ChoiceList).move(rows)

    def show_meaning(self, place: int | None) -> None:
        """Show the meaning of the highlighted row."""

    def take_place(self, place: int) -> None:
        """A row was taken."""
