"""The private moment: one person chooses, nobody else looks, and nothing of it stays.

It covers the whole screen. Before what one person may see there is a curtain: it asks for the
device to be handed over, while keys and taps under the hand are taken already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static

from companion.app.display import lines, shown
from companion.app.rows import listed
from companion.app.widgets.choice_list import ChoiceList
from companion.language import _

if TYPE_CHECKING:
    from textual import events

    from companion.app.screens.table import TableScreen
    from companion.game.sayings import Saying
    from tags.registry import Entry


class PrivateScreen(Screen[None]):
    """Draws the private moment of the conversation, and goes with it."""

    AUTO_FOCUS = "#private-choices"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back")]

    def __init__(self, table: TableScreen, told: list[Saying]) -> None:
        """`told` is what was said for one person alone, to be read here."""
        super().__init__()
        self.table = table
        self.told = told
        self.player = ""  # before whom the curtain was drawn back

    def compose(self) -> ComposeResult:
        """A sentence and a list, in the middle of an empty screen."""
        with Vertical(classes="paper"):
            yield Static(id="private-title", classes="title", markup=False)
            yield Static(id="private-text", markup=False)
            yield ChoiceList(id="private-choices")
            yield Static(shown(_("Esc goes back; nothing is chosen.")), classes="foot")

    def on_mount(self) -> None:
        """Begin with what is asked first."""
        self._show()

    @property
    def _curtained(self) -> str:
        """Who must have the device before anything is to be seen; nobody otherwise."""
        moment = self.table.talk.private
        return moment.player if moment is not None and moment.player != self.player else ""

    def _show(self) -> None:
        asked = self.table.talk.asked
        title, text = asked.question, [line for saying in self.told for line in saying.lines]
        rows = [listed(self.table.talk.view, row) for row in asked.visible]
        if name := self._curtained:
            title = _("Hand the device to {player}.").format(player=name)
            text.append(_("Nobody else looks. Or tap the card under the hand, unseen."))
            shown_row = _("{player} has it, and nobody else looks").format(player=name)
            self.query_one(ChoiceList).show([("", "", shown_row)])
        else:
            self.query_one(ChoiceList).show(rows if asked.private else [])
        self.query_one("#private-title", Static).update(shown(title if asked.private else ""))
        self.query_one("#private-text", Static).update(lines(text))

    def _act(self, key: str, place: int | None = None) -> None:
        """Hand a key or a row on, and paint what came of it; go when the moment is over."""
        talk = self.table.talk
        visible = talk.asked.visible
        before = len(talk.session.referee.moves)
        self.table.said = []
        if place is None:
            talk.press(key)
        elif place < len(visible):
            talk.take(visible[place])
        self._after(before)

    def _after(self, before: int) -> None:
        talk, said = self.table.talk, self.table.said
        self.told = [s for s in said if s.kind == "refused" or (s.private and s.kind != "list")]
        if talk.asked.private or any(saying.private for saying in self.told):
            self._show()
            return
        if len(talk.session.referee.moves) == before:
            self.table.said = [saying for saying in said if not saying.private]
        self._leave()

    def on_key(self, event: events.Key) -> None:
        """Enter takes the marked row or draws the curtain back; anything else is the moment's."""
        marked = self.query_one(ChoiceList).take_key(event.key)
        if event.key == "escape":
            return
        if event.key in ("enter", "space"):
            self._enter(marked)
        elif event.character:
            self._act(event.character)
        else:
            return
        event.stop()

    def _enter(self, marked: int | None) -> None:
        if name := self._curtained:
            self.player = name
            self.told = []
            self._show()
        elif not self.table.talk.asked.private:
            self._leave()
        elif marked is None or self.table.talk.asked.typed:
            self._act("enter")
        else:
            self._act("", marked)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.query_one(ChoiceList).shows(event.option):
            self._enter(event.option_index)

    def action_back(self) -> None:
        """Leave without a choice."""
        self._act("escape")

    def chip(self, uid: bytes, entry: Entry | None) -> None:
        """A tap under the hand."""
        before = len(self.table.talk.session.referee.moves)
        self.table.said = []
        if entry is not None:
            self.table.talk.tap(entry, uid)
        self._after(before)

    def _leave(self) -> None:
        """Empty the screen before it goes, so that no frame of it can be seen afterwards."""
        self.told = []
        self.query_one(ChoiceList).show([])
        self.query_one("#private-text", Static).update("")
        self.dismiss(None)
