"""The screens over the table screen: the private moment, and the end of a game.

In private one person chooses, nobody else looks, and no trace is left. It covers the whole screen.
Whoever chooses picks their own name, or where it is known who that is, takes away the curtain that
hides the private part at first; keys and taps under the hand are accepted already.

The end shows the scores part by part, then the winner in large letters, then the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static

from companion.app import sheet_texts
from companion.app.display import lines, paint
from companion.app.screens.picker import put_in_frame
from companion.app.widgets.banner import LargeText
from companion.app.widgets.choice_list import ChoiceList, list_row
from companion.language import _
from engine import scoring

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry
    from companion.game import Message
    from companion.game.conversation import Conversation


class PrivateScreen(Screen["list[Message]"]):
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
        self._is_taken = False  # whether whoever chooses has the device
        self._asks = True  # whether something is asked here, not only read
        self._shown = talk.identity  # what is asked here
        self._is_gone = False  # whether a phone has ended it: the next key only goes on

    def compose(self) -> ComposeResult:
        with Vertical(classes="paper") as paper:
            put_in_frame(paper, "", _("Esc goes back; nothing is chosen."))
            yield Static(id="private-title", markup=False)
            yield Static(id="private-text", markup=False)
            yield ChoiceList(id="private-choices")

    def on_mount(self) -> None:
        self._show()

    @property
    def _curtained(self) -> str:
        """Who must take the device before anything is shown; "" if nobody."""
        return "" if self._is_taken else self.talk.chooser or ""

    def _show(self) -> None:
        question = self.talk.asked
        self._asks, self._shown = question.private, self.talk.identity
        title, text = (
            question.question,
            [line for message in self.private_messages for line in message.lines],
        )
        rows = [list_row(row, self.talk.view) for row in question.visible]
        if self.talk.chooser == "":
            self._is_taken = True  # by whoever picks a name
            text.append(_("Hand the device over: whoever chooses picks their own name."))
        if name := self._curtained:
            title = _("Hand the device to {player}.").format(player=name)
            text.append(_("Everyone else, look away. Or tap the card, hidden under your hand."))
            shown_row = _("{player} has it, and nobody else is looking").format(player=name)
            self.query_one(ChoiceList).show([("", "", shown_row)])
        else:
            usual = None if self.talk.chooser else 0
            self.query_one(ChoiceList).show(rows if question.private else [], usual)
        self.query_one("#private-title", Static).update(paint(title if question.private else ""))
        self.query_one("#private-text", Static).update(lines(text))

    def _act(self, key: str, place: int | None = None) -> None:
        """Pass on a key or a row, and paint the result; close when the moment is over."""
        visible = self.talk.asked.visible
        if place is None:
            self._do(lambda talk: talk.press(key, begun=self._shown))
        elif place < len(visible):
            self._do(lambda talk: talk.take(visible[place], begun=self._shown))

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
        """If a move on a phone has left nothing to choose, say so: the next key was still meant for
        the choice. A text stays until it is read."""
        if self._is_gone:
            return
        if self.talk.asked.private or not self._asks:
            with self.query_one(ChoiceList).keep_highlight():
                self._show()
            return
        self._is_gone, self.private_messages, self.left = True, [], []
        text = [self.talk.tell_dropped(self._shown), _("Any key goes on.")]
        self.query_one(ChoiceList).show([])
        self.query_one("#private-title", Static).update("")
        self.query_one("#private-text", Static).update(lines(text))
        put_in_frame(self.query_one(".paper"), "", "")

    def on_key(self, event: events.Key) -> None:
        """On Enter take the highlighted row or open the curtain; pass other keys to the moment."""
        if self._is_gone:
            event.stop()
            event.prevent_default()
            self._leave()
            return
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
        if self._curtained:
            self._is_taken = True
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
        self._act("escape")

    def take_chip(self, uid: bytes, entry: Entry | None) -> bool:
        if self._is_gone:
            self._leave()
        elif entry is not None:
            self._do(lambda talk: talk.tap(entry, uid, begun=self._shown))
        return True

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


class EndScreen(Screen[None]):
    """Shows each part that the conversation tells; Enter, a click or a tap asks for the next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,space", "next"),
        ("escape,q", "dismiss"),
    ]

    def __init__(self, talk: Conversation, part: Message) -> None:
        super().__init__()
        self.talk = talk
        self.part = part

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="paper ending"):
            yield LargeText(id="end-winner")
            yield Static(id="end-lines", markup=False)

    def on_mount(self) -> None:
        self._show()

    def show_part(self, part: Message) -> None:
        self.part = part
        self._show()

    def _show(self) -> None:
        view, title = self.talk.view, self.part.title
        winner = self.query_one(LargeText)
        winner.display = title == _("The winner")
        winner.show(*view.rules.names(scoring.standing(view).winners))
        content = lines(paint(line, "bold") for line in self.part.lines)
        if title == _("The final scores"):
            content = sheet_texts.final(view, self.size.width - _MARGINS)
        foot = _("Enter continues, Esc closes")
        put_in_frame(self.query_one(".paper"), title, foot)
        self.query_one("#end-lines", Static).update(content)

    def action_next(self) -> None:
        """Show the next part; after the last one, what can be done now."""
        if not self.talk.press("enter"):
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        self.action_next()

    def take_chip(self, uid: bytes, entry: Entry | None) -> bool:
        self.action_next()
        return True
