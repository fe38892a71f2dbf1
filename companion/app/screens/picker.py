"""Dialogs to pick from: cards and chips with a search field, or a short list of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from companion.app.display import SHEET_WIDTH, paint
from companion.app.widgets.choice_list import ChoiceList
from companion.errors import lines
from companion.language import _, translate
from companion.settings import config
from engine.moves import fold

NUMBERED = 9  # rows that a single digit picks


_AROUND = 7  # cells of a window beside its text: frame, padding, scrollbar


def put_in_frame(
    paper: Widget, title: str, foot: str, texts: Iterable[str] = (), most: int = SHEET_WIDTH
) -> None:
    """Frame a window with its title and, below, the help line. With `texts` it is as wide as the
    longest of them, of which lines have `most` cells."""
    paper.border_title, paper.border_subtitle = paint(title), paint(foot)
    if texts:
        paper.styles.width = min(most, max(map(cell_len, (title, foot, *texts)))) + _AROUND


class ValuesScreen(ModalScreen[None]):
    """A title and a label for each value; subclasses say what a row means."""

    AUTO_FOCUS = "#values"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss")]

    def __init__(self, title: str, values: Sequence[str], current: int) -> None:
        """`current` is the row highlighted at first."""
        super().__init__()
        self.title_text = title
        self.values = list(values)
        self.current = current

    def compose(self) -> ComposeResult:
        yield ChoiceList(id="values").add_class("paper", "values")

    def on_mount(self) -> None:
        self.show(self.current)

    def foot(self) -> str:
        return _("A number or Enter chooses, Esc closes.")

    def rows(self) -> list[str]:
        return self.values

    def show(self, index: int) -> None:
        rows = [(str(n) if n <= NUMBERED else "", "", row) for n, row in enumerate(self.rows(), 1)]
        numbered_rows = [f"{number:>2}   {row}" for number, _key, row in rows]
        put_in_frame(self.query_one(".paper"), self.title_text, self.foot(), numbered_rows)
        self.query_one(ChoiceList).show(rows, index)

    def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal():
            event.stop()
            self.digit(event.key)

    def digit(self, digit: str) -> None:
        """A digit was typed; it picks one of the first rows."""
        if digit != "0":
            self.take(int(digit) - 1)

    @on(OptionList.OptionSelected)
    def _take_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.take(event.option_index)

    def take(self, place: int) -> None:
        """A row was taken, or a number typed for which there may be none."""


class Preference(NamedTuple):
    """A setting: its name in the settings, its title, the label of each value, the current value,
    and what applies another."""

    key: str
    title: str
    labels: Mapping[str, str]
    current: str
    use: Callable[[str], None]


class PreferenceScreen(ValuesScreen):
    """The values of one setting; a value takes effect at once, and is saved if that is ticked."""

    def __init__(self) -> None:
        super().__init__("", (), 0)

    def ask(self, preference: Preference, complain: Callable[[str], None]) -> None:
        """Show that setting instead of the one before; `complain` is told why a value cannot be
        saved."""
        self.preference, self.complain = preference, complain
        self.names = list(preference.labels)
        self.title_text = preference.title
        self.values = list(preference.labels.values())
        current = preference.current
        self.current = self.names.index(current) if current in self.names else 0
        self.keep = False
        if self.is_mounted:
            self.show(self.current)

    def rows(self) -> list[str]:
        keep = f"[{'x' if self.keep else ' '}] {_('keep for next time')}"
        return [*self.values, keep]

    def take(self, place: int) -> None:
        """Use that value and close, or toggle saving."""
        if place == len(self.names):
            self.keep = not self.keep
            self.show(place)
        elif 0 <= place < len(self.names):
            self.dismiss(None)
            self.preference.use(self.names[place])
            if self.keep:
                self._remember(self.names[place])

    def _remember(self, value: str) -> None:
        try:
            config.save(self.preference.key, value)
        except OSError as error:
            problem = _("Not kept for next time: {reason}").format(
                reason=translate(lines(error)[0])
            )
            self.complain(problem)


class Picker(ModalScreen[str]):
    """Rows of (label, search words); subclasses say what a row means, and may return a sentence
    about what was done."""

    AUTO_FOCUS = "#search"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "dismiss"),
        ("down", "move('cursor_down')"),
        ("up", "move('cursor_up')"),
        ("pagedown", "move('page_down')"),
        ("pageup", "move('page_up')"),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (60, "-narrow")]  # noqa: RUF012 - Textual declares it so
    title_text = ""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[tuple[str, str]] = []
        self.fitting: list[int] = []

    def compose(self) -> ComposeResult:
        """Search at the top, rows on the left, the meaning of a row on the right."""
        with Vertical(classes="paper picker") as paper:
            put_in_frame(paper, self.title_text, self.foot())
            yield Input(placeholder=_("type to search"), id="search")
            with Horizontal(id="found"):
                yield ChoiceList(id="rows")
                with VerticalScroll(id="detail", can_focus=False):
                    yield Static(id="meaning", markup=False)

    def foot(self) -> str:
        return _("↑ ↓ move, Esc closes")

    def fill(self, labels: Sequence[tuple[str, str]]) -> None:
        """Show those of the rows that match the search."""
        self.labels = list(labels)
        self._filter(self.query_one(Input).value)

    def _filter(self, text: str) -> None:
        typed = fold(text).split()
        self.fitting = [
            place
            for place, (label, words) in enumerate(self.labels)
            if all(w in fold(f"{label} {words}") for w in typed)
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

    async def action_move(self, how: str) -> None:
        """Move the highlight while the search field has focus."""
        await self.query_one(ChoiceList).run_action(how)

    def show_meaning(self, place: int | None) -> None:
        """Show the meaning of the highlighted row."""

    def take_place(self, place: int) -> None:
        """A row was taken."""
