"""The screens over the board: the private moment, and the end of a game.

In private one person chooses, nobody else looks, and no trace is left. It covers the whole screen.
A curtain hides the private part at first: it asks for the device to be handed over, while keys and
taps under the hand are accepted already.

The end shows the scores part by part, then the winner in large letters, then the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList, Static

from companion.app import sheets
from companion.app.display import lines, paint
from companion.app.screens import FirstScreen
from companion.app.widgets.banner import LargeText
from companion.app.widgets.choice_list import ChoiceList, list_row
from companion.language import _
from engine import scoring

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry
    from companion.game import Message
    from companion.game.conversation import Conversation


class PrivateScreen(FirstScreen["list[Message]"]):
    """Draws the private moment of the conversation, and closes with it; returns what may be told to
    the table."""

    AUTO_FOCUS = "#private-choices"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back")]

    def __init__(
        self,
        talk: Conversation,
        messages: list[Message],
        answer: Callable[[Callable[[Conversation], object]], list[Message]],
    ) -> None:
        """`messages` came before, some of them private, to be read here; `answer` passes input to
        the conversation, and returns what it says."""
        super().__init__()
        self.talk = talk
        self.private_messages = [
            message for message in messages if message.private and message.kind != "list"
        ]
        self.left = _keep_public(messages)
        self.answer = answer
        self.player = ""  # the player for whom the curtain was opened
        self._asks = True  # whether something is asked here, not only read

    def compose(self) -> ComposeResult:
        """A sentence and a list in the middle of an empty screen."""
        with Vertical(classes="paper"):
            yield Static(id="private-title", classes="title", markup=False)
            yield Static(id="private-text", markup=False)
            yield ChoiceList(id="private-choices")
            yield Static(paint(_("Esc goes back; nothing is chosen.")), classes="foot")

    def on_mount(self) -> None:
        """Show the first question."""
        self._show()

    @property
    def _curtained(self) -> str:
        """Who must take the device before anything is shown; "" if nobody."""
        moment = self.talk.private
        return moment.player if moment is not None and moment.player != self.player else ""

    def _show(self) -> None:
        question = self.talk.asked
        self._asks = question.private
        title, text = (
            question.question,
            [line for message in self.private_messages for line in message.lines],
        )
        rows = [list_row(self.talk.view, row) for row in question.visible]
        if name := self._curtained:
            title = _("Hand the device to {player}.").format(player=name)
            text.append(_("Everyone else, look away. Or tap the card, hidden under your hand."))
            shown_row = _("{player} has it, and nobody else is looking").format(player=name)
            self.query_one(ChoiceList).show([("", "", shown_row)])
        else:
            self.query_one(ChoiceList).show(rows if question.private else [])
        self.query_one("#private-title", Static).update(paint(title if question.private else ""))
        self.query_one("#private-text", Static).update(lines(text))

    def _act(self, key: str, place: int | None = None) -> None:
        """Pass on a key or a row, and paint the result; close when the moment is over."""
        visible = self.talk.asked.visible
        if place is None:
            self._do(lambda talk: talk.press(key))
        elif place < len(visible):
            self._do(lambda talk: talk.take(visible[place]))

    def _do(self, deed: Callable[[Conversation], object]) -> None:
        before = len(self.talk.session.referee.moves)
        messages = self.answer(deed)
        self.private_messages = [
            s for s in messages if s.kind == "refused" or (s.private and s.kind != "list")
        ]
        if self.talk.asked.private or any(message.private for message in self.private_messages):
            self._show()
            return
        self.left = (
            messages if len(self.talk.session.referee.moves) > before else _keep_public(messages)
        )
        self._leave()

    def catch_up(self) -> None:
        """Close if a move on a phone has left nothing to choose; a text stays until it is read."""
        if self.talk.asked.private or not self._asks:
            with self.query_one(ChoiceList).keep_highlight():
                self._show()
        else:
            self._leave()

    def on_key(self, event: events.Key) -> None:
        """On Enter take the highlighted row or open the curtain; pass other keys to the moment."""
        key = self.query_one(ChoiceList).take_key(event.key)
        if event.key == "escape":
            return
        if event.key in ("enter", "space"):
            self._enter(key)
        elif event.character:
            self._act(event.character)
        else:
            return
        event.stop()

    def _enter(self, index: int | None) -> None:
        if name := self._curtained:
            self.player = name
            self.private_messages = []
            self._show()
        elif not self.talk.asked.private:
            self._leave()
        elif index is None or self.talk.asked.typed:
            self._act("enter")
        else:
            self._act("", index)

    @on(OptionList.OptionSelected)
    def _enter_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.query_one(ChoiceList).is_listed(event.option):
            self._enter(event.option_index)

    def action_back(self) -> None:
        """Leave without a choice."""
        self._act("escape")

    def take_chip(self, uid: bytes, entry: Entry | None) -> None:
        """Handle a tap under the hand."""
        self._do(lambda talk: talk.tap(entry, uid) if entry is not None else None)

    def _leave(self) -> None:
        """Clear the screen before it closes, so that no frame of it can be seen afterwards."""
        self.private_messages = []
        self.query_one(ChoiceList).show([])
        self.query_one("#private-text", Static).update("")
        self.dismiss(self.left)


def _keep_public(messages: list[Message]) -> list[Message]:
    return [message for message in messages if not message.private]


_MARGINS = 6
"""Columns of the frame and the space inside it."""


class EndScreen(FirstScreen[None]):
    """Shows each part that the conversation tells; Enter, a click or a tap asks for the next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,space", "next"),
        ("escape,q", "dismiss"),
        ("down", "scroll(1)"),
        ("up", "scroll(-1)"),
    ]

    def __init__(self, talk: Conversation, part: Message) -> None:
        super().__init__(classes="sheet")
        self.talk = talk
        self.part = part

    def compose(self) -> ComposeResult:
        """The heading, the winners on their part, and the lines."""
        with Vertical(classes="paper ending"):
            yield Static(id="end-title", classes="title", markup=False)
            yield LargeText(id="end-winner")
            with VerticalScroll(classes="page", can_focus=False):
                yield Static(id="end-lines", markup=False)
            yield Static(paint(_("Enter continues, Esc closes")), classes="foot")

    def on_mount(self) -> None:
        """Show the first part."""
        self._show()

    def show_part(self, part: Message) -> None:
        """Show the next part."""
        self.part = part
        self._show()

    def _show(self) -> None:
        view, title = self.talk.view, self.part.title
        winner = self.query_one(LargeText)
        winner.display = title == _("The winner")
        winner.show(*view.rules.names(scoring.standing(view).winners))
        content = lines(paint(line, "bold") for line in self.part.lines)
        if title == _("The final scores"):
            content = sheets.final(view, self.size.width - _MARGINS)
        self.query_one("#end-title", Static).update(paint(title))
        self.query_one("#end-lines", Static).update(content)

    def action_next(self) -> None:
        """Show the next part; after the last one, what can be done now."""
        if not self.talk.press("enter"):
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Show the next part."""
        self.action_next()

    def action_scroll(self, rows: int) -> None:
        """Scroll the lines."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def take_chip(self, uid: bytes, entry: Entry | None) -> None:
        """Any tap asks for the next part."""
        self.action_next()
