"""Small dialogs: a line for typing anything of the notation, and the question before leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static

from companion.app.display import paint
from companion.app.screens import Dialog
from companion.app.widgets import HiddenEntry
from companion.app.widgets.choice_list import ChoiceList
from companion.files.clean import clean_text
from companion.language import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from companion.game.session import Session


LONGEST = 1000  # characters of a typed line that are read


class LineScreen(Dialog[str]):
    """At the bottom of the table; returns the line, "" for none. Possible secrets are hidden while
    typed."""

    AUTO_FOCUS = "#line"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close")]

    def __init__(self, may_show: Callable[[str], bool]) -> None:
        """`may_show` decides whether the text typed so far may be shown."""
        super().__init__()
        self.may_show = may_show

    def compose(self) -> ComposeResult:
        """One line."""
        with Vertical(id="typing"):
            yield Static(paint(_("Type a move, or: tap CARD, hold, lift, undo. Esc closes.")))
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
        """Close it and discard the text."""
        self.query_one(Input).value = ""
        self.dismiss("")


# -- quitting -------------------------------------------------------------------------------------


class LeaveScreen(Dialog[bool]):
    """True to quit, False to stay."""

    AUTO_FOCUS = "#leave"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,n,2", "answer(False)"),
        ("q,y,1,space,ctrl+q", "answer(True)"),
    ]

    def __init__(self, session: Session | None) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        """The sentence and the two answers."""
        with Vertical(classes="paper"):
            yield Static(paint(_("Leave the table?")), classes="title")
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
        """Close with that answer."""
        self.dismiss(leave)
