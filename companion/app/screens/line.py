"""Small dialogs: a line for typing anything of the notation, the question before leaving, and the
meaning of an unknown chip, which works at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from common.clean import clean_text
from companion.app.display import paint
from companion.app.screens.picker import Picker, put_in_frame
from companion.app.widgets import HiddenEntry
from companion.app.widgets.choice_list import ChoiceList
from companion.chips import ChipsError, SimulatedDeck, learning
from companion.chips.entries import DistrictChip, Entry, entry_label, sort_entries
from companion.language import _
from engine.moves import fold
from tags.links import format_uid

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from companion.game.session import Session
    from companion.readers.table_reader import TableReader
    from engine.ruleset import Ruleset


LONGEST = 1000  # characters of a typed line that are read


class LineScreen(ModalScreen[str]):
    """At the bottom of the table; returns the line, "" for none. Possible secrets are hidden while
    typed."""

    AUTO_FOCUS = "#line"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close")]

    def __init__(self, title: str, may_show: Callable[[str], bool]) -> None:
        """`title` says what to type; `may_show` decides whether the text so far may be shown."""
        super().__init__()
        self.title_text = title
        self.may_show = may_show

    def compose(self) -> ComposeResult:
        with Vertical(id="typing"):
            yield Static(paint(self.title_text))
            yield HiddenEntry(id="line", max_length=LONGEST, password=True)

    @on(Input.Changed, "#line")
    def _hide_private(self, event: Input.Changed) -> None:
        event.input.password = not self.may_show(event.value)

    @on(Input.Submitted, "#line")
    def _take_line(self, event: Input.Submitted) -> None:
        text = clean_text(event.value, limit=LONGEST)
        event.input.value = ""
        self.dismiss(text)

    def action_close(self) -> None:
        self.query_one(Input).value = ""
        self.dismiss("")


# -- quitting -------------------------------------------------------------------------------------


class LeaveScreen(ModalScreen[bool]):
    """True to quit, False to stay."""

    AUTO_FOCUS = "#leave"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,n,2", "answer(False)"),
        ("q,y,1,ctrl+q", "answer(True)"),
    ]

    def __init__(self, session: Session | None) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        with Vertical(classes="paper") as paper:
            put_in_frame(paper, _("Leave the table?"), "")
            yield Static(paint(self._describe_saved()))
            yield ChoiceList(id="leave")

    def _describe_saved(self) -> str:
        if self.session is None:
            return _("No game has started.")
        if self.session.over:
            sentence = _("Game {name} is over and saved, with its scores.")
        else:
            sentence = _("Game {name} is saved; you can continue it next time.")
        return sentence.format(name=self.session.name)

    def on_mount(self) -> None:
        """Highlight quitting: whoever came here meant it."""
        rows = [("1", "q", _("Leave")), ("2", "n", _("Stay"))]
        self.query_one(ChoiceList).show(rows)

    @on(OptionList.OptionSelected)
    def _leave_or_stay(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_index == 0)

    def action_answer(self, leave: bool) -> None:
        self.dismiss(leave)


class LearnScreen(Picker):
    """Every card, token and action; tapping another unknown chip replaces the first. Returns the
    sentence about what was learned."""

    def __init__(self, rules: Ruleset, reader: TableReader, uid: bytes) -> None:
        super().__init__()
        self.reader = reader
        self.uid = uid
        self.title_text = self._title()
        self.players = rules.player_names
        self.entries = [
            entry
            for entry in sort_entries(SimulatedDeck(rules).chips.values())
            if not (isinstance(entry, DistrictChip) and entry.copy > 1)
        ]

    def _title(self) -> str:
        return _("What is chip {uid}?").format(uid=format_uid(self.uid))

    def foot(self) -> str:
        return _("Enter learns it, Esc leaves it unknown")

    def on_mount(self) -> None:
        self.fill([(self._label(entry), fold(str(entry))) for entry in self.entries])

    def _label(self, entry: Entry) -> str:
        label = entry_label(entry, self.players)
        return label.removesuffix(" 1") if isinstance(entry, DistrictChip) else label

    def show_meaning(self, place: int | None) -> None:
        """Say which copy of a district it would be."""
        entry = None if place is None else self._find_next(self.entries[place])
        text = "" if entry is None else entry_label(entry, self.players)
        self.query_one("#meaning", Static).update(paint(text))

    def _find_next(self, entry: Entry) -> Entry:
        """The first copy of a district that has no chip yet; any other entry unchanged."""
        if not isinstance(entry, DistrictChip):
            return entry
        return DistrictChip(entry.card, learning.find_next_copy(self.reader.registry, entry.card))

    def take_place(self, place: int) -> None:
        """Learn the chip, and say so; a refusal keeps the dialog open."""
        entry = self._find_next(self.entries[place])
        try:
            self.reader.learn(self.uid, entry)
        except (ChipsError, ValueError) as error:
            self.query_one("#meaning", Static).update(paint(str(error), "bold $error"))
            return
        sentence = _("Chip {uid} is now: {entry}.").format(
            uid=format_uid(self.uid), entry=entry_label(entry, self.players)
        )
        self.dismiss(sentence)

    def take_chip(self, uid: bytes, entry: Entry | None) -> bool:
        """Learn another unknown chip instead; for a known one, say what it is."""
        if entry is None:
            self.uid = uid
            self.query_one(".paper").border_title = paint(self._title())
            return True
        self.query_one(Input).value = ""
        name = _("That chip is already known: {entry}.").format(
            entry=entry_label(entry, self.players)
        )
        self.query_one("#meaning", Static).update(paint(name))
        return True
