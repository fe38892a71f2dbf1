"""The private moment: one person chooses, nobody else looks, and nothing of it stays.

It covers the whole screen, begins by asking for the device to be handed over, takes keys or a tap
under the hand, and is gone with the choice. What the table may know is told by the story alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static

from companion.app.display import shown
from companion.app.reading import keep_taps
from companion.app.widgets.choice_list import ChoiceList
from companion.intent.digits import DIGITS
from companion.language import _, card
from tags.registry import ActionChip, CharacterChip

if TYPE_CHECKING:
    from textual import events

    from companion.app.caller import CallerApp
    from companion.app.game import Game
    from engine.moves import Move
    from tags.registry import Entry


class PrivateScreen(Screen[None]):
    """First who (if that is open), then the handing over, then the choice."""

    app: CallerApp
    private = True
    AUTO_FOCUS = "#private-choices"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back")]

    def __init__(self, game: Game, moves: tuple[Move, ...]) -> None:
        super().__init__()
        self.game = game
        self.moves = moves
        names = dict.fromkeys(m.args[0] for m in moves if m.verb == "choose")
        self.players = list(names) or [game.view.acting.name]
        self.player = "" if len(self.players) > 1 else self.players[0]
        self.handed = False

    def compose(self) -> ComposeResult:
        """A sentence and a list, in the middle of an empty screen."""
        with Vertical(classes="paper"):
            yield Static(id="private-title", classes="title", markup=False)
            yield Static(id="private-text", markup=False)
            yield ChoiceList(id="private-choices")
            yield Static(shown(_("Esc goes back; nothing is chosen.")), classes="foot")

    def on_mount(self) -> None:
        """Begin with the first step that is needed."""
        keep_taps(self.app)
        self._show()

    def on_unmount(self) -> None:
        """The moment is over."""
        keep_taps(self.app)

    def _show(self, problem: str = "") -> None:
        title, text, rows = self._step()
        self.query_one("#private-title", Static).update(shown(title))
        self.query_one("#private-text", Static).update(shown(problem or text))
        numbered = [(str(n) if n < 10 else " ", "", row) for n, row in enumerate(rows, start=1)]
        self.query_one(ChoiceList).show(numbered)
        self._speak(problem, title, rows)

    def _speak(self, problem: str, title: str, rows: list[str]) -> None:
        """The list to the one ear; that the device changes hands, to everybody."""
        voice = self.app.voice
        if self.handed:
            voice.whisper_choices(problem or title, rows)
        else:
            voice.aloud(problem or title)

    def _step(self) -> tuple[str, str, list[str]]:
        """The heading, the explanation and the rows of this step."""
        if not self.player:
            return _("A choice in private"), _("Who chooses?"), self.players
        if not self.handed:
            return (
                _("Hand the device to {player}.").format(player=self.player),
                _("Nobody else looks. Or tap the card under the hand, unseen."),
                [_("{player} has it, and nobody else looks").format(player=self.player)],
            )
        return (
            _("{player}, choose.").format(player=self.player),
            _("A number, Enter, or a tap under the hand. The screen is empty at once."),
            [card(move.args[-1]) for move in self._own()],
        )

    def _own(self) -> list[Move]:
        """The moves of the player who chooses."""
        return [m for m in self.moves if m.verb != "choose" or m.args[0] == self.player]

    def on_key(self, event: events.Key) -> None:
        """A number takes its row, Enter and space the marked one."""
        place = self.query_one(ChoiceList).take_key(event.key)
        if event.character and event.character.isdecimal():
            place = int(event.character) - 1
        if place is not None:
            self._take(place)
            event.stop()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.query_one(ChoiceList).shows(event.option):
            self._take(event.option_index)

    def action_back(self) -> None:
        """Leave without a choice."""
        self._leave()

    def _take(self, place: int) -> None:
        rows = self._step()[2]
        if not 0 <= place < len(rows):
            return
        if not self.player:
            self.player = self.players[place]
        elif not self.handed:
            self.handed = True
        else:
            self._choose(self._own()[place])
            return
        self._show()

    def chip(self, uid: bytes, entry: Entry | None) -> None:
        """A tap under the hand: a row by its number, or the character, once it is known who."""
        if isinstance(entry, ActionChip) and entry.name in DIGITS:
            self._take(int(entry.name) - 1)
            return
        wanted = entry.card if isinstance(entry, CharacterChip) else None
        move = next((m for m in self._own() if m.args[-1] == wanted), None)
        if move is not None and self.player:
            self._choose(move)
        else:
            self._show(_("This chip cannot be chosen here. Nothing has changed."))

    def _choose(self, move: Move) -> None:
        if self.game.play(move):
            self.app.voice.whisper_chosen(move)
            self._leave()
            return
        self._show(_("That cannot be chosen; choose again."))

    def _leave(self) -> None:
        """Empty the screen before it goes, so that no frame of it can be seen afterwards."""
        self.moves = ()
        self.query_one(ChoiceList).show([])
        self.query_one("#private-text", Static).update("")
        self.dismiss(None)
