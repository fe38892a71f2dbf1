"""The main screen's actions besides the conversation; their keys are in `settings.keys`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from companion.app import sheets
from companion.app.keymap import bindings
from companion.app.screens.board import Board
from companion.language import _, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.content import Content

    from companion.log.store import Store

JOURNAL = 400  # moves in the journal
_HIDDEN: dict[str, object] = {"display": "none"}
_LARGE_VIEW: dict[str, dict[str, object]] = {
    "#strip": _HIDDEN,
    "#banner": {"display": "block", "height": "1fr"},
    "#body": {"height": "auto", "max_height": "40%"},
    "#left": {"height": "auto"},
    "#choices": {"height": "auto", "max_height": "24vh"},
    "#events": _HIDDEN,
    "#players": _HIDDEN,
    "#hints": _HIDDEN,
}
"""What differs from the stylesheet in the large view."""

_ABOVE = {"#banner": 1, "#left": 0}
"""Lines above these parts in the large view; there are none below."""


class TableScreen(Board):
    """The board with its actions; those of the application are in the caller."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(), ("escape", "back")]

    def action_undo(self) -> None:
        """Undo the last move."""
        from companion.game.words import NOTHING

        nothing = not self.talk.session.referee.moves
        self.act(lambda talk: talk.word("undo"))
        if nothing:
            self.app.voice.speak_aloud(translate(NOTHING["undo"]))

    def action_redo(self) -> None:
        """Redo the last undone move."""
        self.act(lambda talk: talk.word("redo"), say_all=True)

    def action_repeat(self) -> None:
        """Tell the last move again."""
        self.tell("told", " ".join(self.talk.session.tell_last()))
        self.app.voice.repeat()

    def action_voice(self) -> None:
        """Turn the voice on or off."""
        voice = self.app.voice
        voice.switch(not voice.speaks_to_table)
        if voice.speaks_to_table:
            self.tell("note", _("The voice is on."))
        elif not voice.on:
            self.tell("note", _("The voice is off."))

    def action_faster(self) -> None:
        """Speed the voice up by a step."""
        self._change_speed(1)

    def action_slower(self) -> None:
        """Slow the voice down by a step."""
        self._change_speed(-1)

    def _change_speed(self, steps: int) -> None:
        if not self.app.voice.on:
            self.tell("note", _("The voice is off."))
            return
        speed = self.app.voice.change_speed(steps)
        self.tell("note", _("Speed {number} percent.").format(number=speed))

    def action_why(self) -> None:
        """The rule behind the last refusal; the help if nothing was refused."""
        if self.talk.last_refusal is None:
            self.action_help()
        else:
            text = sheets.refusal(self.talk.view, self.talk.last_refusal)
            self.app.show_sheet(_("Why"), text)

    def action_help(self) -> None:
        """Every key."""
        from companion.app.help import keys

        self.app.show_sheet(_("Keys"), keys(self.app.config.keys))

    def action_scores(self) -> None:
        """The scores with a line for each source of points."""
        title = _("The final scores") if self.talk.session.over else _("The scores so far")
        self.app.show_sheet(title, sheets.scores(self.talk.view))

    def action_rules(self) -> None:
        """The box, the cards and every option in force."""
        self.app.show_sheet(_("The rules of this game"), sheets.rules(self.talk.view))

    def action_card_texts(self) -> None:
        """The card browser."""
        self.show_cards()

    def action_cities(self) -> None:
        """Every city as cards, for any number of players."""
        self.app.show_sheet(_("The cities"), sheets.cities(self.talk.view))

    def action_city(self, seat: int) -> None:
        """One player's city, a district a line."""
        view = self.talk.view
        self.app.show_sheet(view.seats[seat].name, sheets.city(view, seat))

    def action_journal(self) -> None:
        """The journal: what happened, further back than the list of events, scrolled to the end."""
        from companion.wording import story

        lines = story.list_chronicle(self.talk.session.moments(JOURNAL), self.talk.view)
        self.app.show_sheet(_("What happened"), sheets.journal(lines), at_end=True)

    def action_results(self) -> None:
        """The games of this table, newest first."""
        self._look_back(_("The games of this table"), sheets.games)

    def action_stats(self) -> None:
        """The statistics of the games."""
        self._look_back(_("Statistics"), sheets.statistics)

    def _look_back(self, title: str, draw: Callable[[Store], Content]) -> None:
        from companion.history.words import MOST_ALOUD, NotCounted
        from companion.log.store import StoreError

        try:
            text = draw(self.talk.session.store)
        except (NotCounted, StoreError) as reason:
            self.tell("refused", translate(str(reason)))
        else:
            self.app.show_sheet(title, text)
            self.app.voice.read(text.plain.splitlines()[:MOST_ALOUD])

    def action_large(self) -> None:
        """Toggle the large view: the call in letters as large as the screen permits."""
        self.set_class(not self.has_class("-large"), "-large", update=False)
        self._arrange()
        self.announce()

    def on_resize(self) -> None:
        """Arrange the large view anew, once the stylesheet has done so for the usual one."""
        if self.has_class("-large"):
            self.call_later(self._arrange)

    def _arrange(self) -> None:
        """Give every part its size in the large view, or the usual one again. The stylesheet could
        do so for a class of the screen, but would look up all rules of all parts at each key."""
        is_large = self.has_class("-large")
        for part, rules in _LARGE_VIEW.items():
            styles = self.query_one(part).styles
            if part in _ABOVE:
                _top, right, _bottom, left = styles.base.padding
                rules = {**rules, "padding": (_ABOVE[part], right, 0, left)}
            for rule, value in rules.items():
                setattr(styles, rule, value if is_large else None)

    def action_look(self) -> None:
        """Read the next tapped card to one person alone."""
        self.act(lambda talk: talk.word("look"))

    def action_mine(self) -> None:
        """Read the told hand of the awaited player to one person's ear."""
        self.act(lambda talk: talk.word("mine"))

    def action_teach(self) -> None:
        """Turn the lessons of the first round on or off."""
        teacher = self.talk.session.teacher
        teacher.switch(not teacher.on)
        sentence = (
            _("The first round is explained.")
            if teacher.on
            else _("The first round is no longer explained.")
        )
        self.show_table()
        self.tell("note", sentence)

    def action_tray(self) -> None:
        """Show or hide the simulated deck."""
        self.toggle_tray()
