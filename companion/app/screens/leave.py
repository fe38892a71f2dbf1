"""Quitting: says that the game is saved, and asks once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static

from companion.app.display import paint
from companion.app.screens import Dialog
from companion.app.widgets.choice_list import ChoiceList
from companion.language import _

if TYPE_CHECKING:
    from companion.game.session import Session


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
