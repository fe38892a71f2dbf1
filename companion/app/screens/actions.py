"""What the main screen does on a key besides playing a move; `keys.ACTIONS` has the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from companion.app.game import Game
from companion.app.keymap import bindings
from companion.app.notices import Notice
from companion.app.screens.first import FirstScreen
from companion.language import _

if TYPE_CHECKING:
    from companion.app.caller import CallerApp

JOURNAL = 400  # moves told when all events are asked for


class TableActions(FirstScreen):
    """The actions; `TableScreen` paints what comes of them."""

    app: CallerApp
    game: Game
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(), ("escape", "back")]

    def show_table(self) -> None:
        """Paint the table as it stands."""
        raise NotImplementedError

    def played(self) -> None:
        """Show the table after something happened."""
        raise NotImplementedError

    def show_notice(self, notice: Notice | None = None) -> None:
        """Show what there is to tell."""
        raise NotImplementedError

    def action_undo(self) -> None:
        """Take the last move back."""
        if not self.game.undo():
            self.app.voice.aloud(self.game.notice.text)
        self.show_table()

    def action_redo(self) -> None:
        """Play the move taken back last again."""
        self.game.redo()
        self.played()

    def action_repeat(self) -> None:
        """Tell the last move again."""
        self.show_notice(Notice("told", " ".join(self.game.session.last_told())))
        self.app.voice.repeat()

    def action_voice(self) -> None:
        """Speak to the table, or no longer."""
        voice = self.app.voice
        voice.switch(not voice.speaks_to_table)
        if voice.speaks_to_table:
            self.show_notice(Notice("note", _("The voice is on.")))
        elif not voice.on:
            self.show_notice(Notice("note", _("The voice is off.")))

    def action_faster(self) -> None:
        """Speak faster by a step."""
        self._change_speed(1)

    def action_slower(self) -> None:
        """Speak slower by a step."""
        self._change_speed(-1)

    def _change_speed(self, steps: int) -> None:
        if not self.app.voice.on:
            self.show_notice(Notice("note", _("The voice is off.")))
            return
        speed = self.app.voice.faster(steps)
        self.show_notice(Notice("note", _("Speed {number} percent.").format(number=speed)))

    def action_why(self) -> None:
        """The rule behind the last refusal; the help where nothing was refused."""
        from companion.app import sheets

        if self.game.refused is None:
            self.action_help()
        else:
            text = sheets.refusal(self.game.view, self.game.refused)
            self.app.show_sheet(_("Why"), text)

    def action_help(self) -> None:
        """Every key."""
        from companion.app.help import keys

        self.app.show_sheet(_("Keys"), keys(self.app.config.keys))

    def action_scores(self) -> None:
        """The scores with a line per reason."""
        from companion.app import sheets

        title = _("The final scores") if self.game.session.over else _("The scores so far")
        self.app.show_sheet(title, sheets.scores(self.game.view))

    def action_rules(self) -> None:
        """The box, the cards and every option in force."""
        from companion.app import sheets

        self.app.show_sheet(_("What is played"), sheets.rules(self.game.view))

    def action_card_texts(self) -> None:
        """The card browser."""
        self.app.show_cards(())

    def action_cities(self) -> None:
        """Every city as cards, however many players."""
        from companion.app import sheets

        self.app.show_sheet(_("The cities"), sheets.cities(self.game.view))

    def action_city(self, seat: int) -> None:
        """One player's city, a district a line."""
        from companion.app import sheets

        view = self.game.view
        self.app.show_sheet(view.seats[seat].name, sheets.city(view, seat))

    def action_journal(self) -> None:
        """What happened, the newest first, further back than the list of events."""
        from companion.app import sheets

        told = self.game.session.history(JOURNAL)[::-1]
        self.app.show_sheet(_("What happened, the newest first"), sheets.journal(told))

    def action_large(self) -> None:
        """The call in letters as large as the screen permits, or the table again."""
        with self.app.batch_update():
            self.toggle_class("-large")
            self.show_table()

    def action_teach(self) -> None:
        """Explain the first round, or no longer."""
        teacher = self.game.session.teacher
        teacher.switch(not teacher.on)
        sentence = (
            _("The first round is explained.")
            if teacher.on
            else _("The first round is not explained any more.")
        )
        self.game.notice = Notice("note", sentence)
        self.show_table()

    def action_language(self) -> None:
        """Another language, from now on."""
        self.app.choose_language()

    def action_theme(self) -> None:
        """Other colours, from now on."""
        self.app.choose_theme()

    def action_tray(self) -> None:
        """Show or hide the simulated deck."""
        self.app.toggle_tray()

    def action_learn(self) -> None:
        """Say what the unknown chip is."""
        self.app.learn_chip()

    def action_line(self) -> None:
        """Open the line in which a move can be typed."""
        self.app.open_line()

    def action_leave(self) -> None:
        """Leave the caller, after saying that the game is saved."""
        self.app.ask_to_leave()

    def action_new_game(self) -> None:
        """Set up another game."""
        self.app.set_up()
