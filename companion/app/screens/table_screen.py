"""The table screen's actions besides the conversation; their keys are in `settings.keys`."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from companion.app import sheet_texts
from companion.app.display import SHEET_WIDTH
from companion.app.help import keys
from companion.app.keymap import bindings
from companion.app.screens.painted_table import PaintedTable
from companion.game.commands import NOTHING
from companion.language import _, begin_sentence, translate
from companion.wording import story

JOURNAL = 400  # moves in the journal
_MARGIN = 8  # cells beside the widest sheet


class TableScreen(PaintedTable):
    """The table screen with its actions; those of the application are in the caller."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(), ("escape", "back")]

    def action_undo(self) -> None:
        nothing = not self.talk.session.referee.moves
        self.act(lambda talk: talk.word("undo"))
        if nothing:
            self.app.voice.speak_aloud(translate(NOTHING["undo"]))

    def action_redo(self) -> None:
        self.act(lambda talk: talk.word("redo"), say_all=True)

    def action_repeat(self) -> None:
        self.tell("told", " ".join(self.talk.session.tell_last()))
        self.app.voice.repeat()

    def action_voice(self) -> None:
        voice = self.app.voice
        voice.switch(not voice.speaks_to_table)
        if voice.speaks_to_table:
            self.tell("note", _("The voice is on."))
        elif not voice.on:
            self.tell("note", _("The voice is off."))

    def action_faster(self) -> None:
        self._change_speed(1)

    def action_slower(self) -> None:
        self._change_speed(-1)

    def _change_speed(self, steps: int) -> None:
        if not self.app.voice.on:
            self.tell("note", _("The voice is off."))
            return
        speed = self.app.voice.change_speed(steps)
        self.tell("note", _("Speed {number} percent.").format(number=speed))

    def action_why(self) -> None:
        """The rule behind the last refusal; the help if nothing was refused."""
        if self.talk.last_refusal is None or not self.has_reason:
            self.action_help()
        else:
            text = sheet_texts.refusal(self.talk.view, self.talk.last_refusal)
            self.app.show_sheet(begin_sentence(_("why")), text)

    def action_help(self) -> None:
        """The keys: first those of this moment."""
        has = [
            name
            for name, is_here in {
                "reader": self.app.has_reader,
                "phones": self.app.has_phones,
            }.items()
            if is_here
        ]
        moves = [row for row in self.talk.asked.visible if not self.is_text(row.key or " ")]
        wanted = self._list_wanted()
        text = keys(self.app.config.keys, self.talk.view.rules, has, moves, wanted)
        self.app.show_sheet(_("Keys"), text)

    def action_scores(self) -> None:
        """The scores with a line for each source of points."""
        title = _("The final scores") if self.talk.session.over else _("The scores so far")
        self.app.show_sheet(title, sheet_texts.scores(self.talk.view))

    def action_rules(self) -> None:
        """The box, the cards and every option in force."""
        self.app.show_sheet(_("The rules of this game"), sheet_texts.rules(self.talk.view))

    def action_card_texts(self) -> None:
        self.show_cards()

    def action_cities(self) -> None:
        """Every city as cards, for any number of players."""
        width = max(SHEET_WIDTH, self.size.width - _MARGIN)
        self.app.show_sheet(_("The cities"), sheet_texts.cities(self.talk.view, width), width=width)

    def action_city(self, seat: int) -> None:
        view = self.talk.view
        self.app.show_sheet(view.seats[seat].name, sheet_texts.city(view, seat))

    def action_journal(self) -> None:
        """The journal: what happened, further back than the list of events, scrolled to the end."""
        lines = story.list_chronicle(self.talk.session.moments(JOURNAL), self.talk.view)
        self.app.show_sheet(_("What happened"), sheet_texts.journal(lines), at_end=True)

    def action_say(self, word: str) -> None:
        """Say a word that an extension answers, and show the answer on a sheet."""
        self.sheet_title = begin_sentence(self.talk.list_more()[word].does)
        self.act(lambda talk: talk.word(word))
        self.sheet_title = ""

    def action_large(self) -> None:
        """Toggle the large view: the call in letters as large as the screen permits."""
        self.toggle_class("-large")
        self.announce()

    def action_look(self) -> None:
        """Read the next tapped card to one person alone."""
        self.act(lambda talk: talk.word("look"))

    def action_mine(self) -> None:
        """Read the told hand of the awaited player to one person's ear."""
        self.act(lambda talk: talk.word("mine"))

    def action_teach(self) -> None:
        teacher = self.talk.session.teacher
        teacher.switch(not teacher.on)
        sentence = (
            _("The first round is explained.")
            if teacher.on
            else _("The first round is no longer explained.")
        )
        self.show_table()
        self.tell("note", sentence)
        self.explain_game()
