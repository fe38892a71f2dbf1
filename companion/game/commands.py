"""What a word does that is no move: back and on, lists, questions, reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from common.clean import read_number
from common.sentences import Sentence
from companion import errors, extending
from companion.errors import UserError
from companion.game import Offer, asking, ending, questions, shortcuts, teaching
from companion.game.hand_telling import TELL, Telling
from companion.game.keypad import read_keypad
from companion.game.questions import NotUnderstood
from companion.language import _, translate, vocabulary
from companion.log.store import StoreError
from companion.wording.story import Narration
from engine.explain import Refused
from engine.moves import fold

if TYPE_CHECKING:
    from companion.extending import TableWord
    from companion.game.conversation import Conversation

NOTHING = {"undo": Sentence("Nothing to undo."), "redo": Sentence("Nothing to redo.")}
"""The answers to a command that has no move left."""

_NO_DECISION = ("call", "nobody", "unmask nobody", "end")
"""Moves that need no decision."""

_WITH_WORDS = frozenset({"moves", "?", "reference", "teach", "why", "history", "mine"})

_RECENT = 10  # moves told when no count is given


class Commands:
    """The commands of one conversation, by their English names."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk

    def run(self, word: str, rest: str = "") -> bool:
        """Run a command; return whether it is one with these arguments."""
        may_run = not rest or word in _WITH_WORDS
        if may_run and word in COMMANDS:
            COMMANDS[word](self, rest)
        elif questions.asks(word, rest):
            self._ask(word, rest)
        elif (table_word := self.talk.list_more().get(word)) and (
            not rest or table_word.takes_text
        ):
            self._ask_extension(word, table_word, rest)
        else:
            return self.talk.face.do(word, rest)
        return True

    def run_keypad(self, line: str) -> int | None:
        """Do what the keys mean; return a number, which picks a row."""
        command = read_keypad(line)
        if isinstance(command, int):
            return command
        word, _space, rest = (command or "").partition(" ")
        if not word or not self.run(word, rest):
            sentence = _("{keys} does nothing; *0 explains the keypad.")
            self.talk.say("refused", sentence.format(keys=line))
        return None

    def run_row(self, command: str) -> None:
        """Run the command of a row; some are of rows alone: nobody can type them."""
        word, _space, rest = command.partition(" ")
        if word == shortcuts.SEVERAL:
            self._play_several(rest)
        elif word == shortcuts.END_ANYWAY:
            self.talk.play("end", sure=True)
        elif word == TELL:
            Telling(self.talk).add(rest)
        else:
            self.run(word, rest)

    def _play_several(self, moves: str) -> None:
        """Make these moves, separated by semicolons, as far as they are accepted; the turn is ended
        unless it has ended."""
        talk = self.talk
        with talk.session.together():
            for text in map(str.strip, moves.split(";")):
                if text == "end" and not any(move.verb == "end" for move in talk.legal):
                    return
                if not talk.play(text):
                    return

    # -- back and on ------------------------------------------------------------------------------

    def _undo(self, rest: str) -> None:
        """Undo the last move with the forced steps after it."""
        talk = self.talk
        if talk.forget_pending():
            talk.say("note", _("Undone: the cards tapped so far."))
            return
        talk.forget()
        try:
            taken_back = talk.playing.undo()
        except (Refused, StoreError) as error:
            talk.say("refused", translate(str(error)))
            return
        if taken_back is None:
            talk.say("refused", translate(NOTHING["undo"]))
        else:
            still_known = talk.session.list_still_known()
            talk.say("told", _("Undone: {what}").format(what=taken_back), *still_known)

    def _redo(self, rest: str) -> None:
        """Redo the last undone move with the forced steps after it."""
        talk = self.talk
        talk.forget()
        try:
            lines = talk.playing.redo()
        except StoreError as error:
            talk.say("refused", translate(str(error)))
            return
        if lines:
            redone = (_("Redone."), *lines)
            talk.tell_played(Narration(redone, redone, redone))
        else:
            talk.say("refused", translate(NOTHING["redo"]))

    def _repeat(self, rest: str) -> None:
        """Repeat the last answer, with the rows listed in it."""
        talk = self.talk
        talk.face.voice.repeat()
        messages = talk.last_answer
        if not messages:
            talk.say("told", *(talk.session.tell_last() or [_("Nothing has been said yet.")]))
        for message in messages:
            talk.say(message.kind, *message.lines, title=message.title)

    def _back(self, rest: str) -> None:
        talk = self.talk
        if talk.top.step(-1):
            return
        if not talk.go_back():
            talk.say("note", _("There is nothing to choose right now."))
        elif talk.stack:
            talk.list_rows(asked=True)

    def _next(self, rest: str) -> None:
        """Go on without a decision: next entry or part, call, nobody answers, end the turn."""
        talk = self.talk
        if talk.top.step(1) or talk.base.go_on():
            return
        moves = {move.text: move for move in talk.legal}
        move = next((moves[text] for text in _NO_DECISION if text in moves), None)
        if move is not None:
            talk.play(move)
        elif talk.session.over:
            talk.say("refused", _("The game is over; type new to start another."))
        else:
            talk.say("refused", _("You have to choose first; type moves to hear the choices."))

    def _enter(self, rest: str) -> None:
        """Handle the chip that completes a number."""
        self.talk.listen()
        self.talk.top.enter()

    def _rematch(self, rest: str) -> None:
        """Begin the next game with the same players; people are asked first."""
        talk = self.talk
        is_asked = any(row.word == "rematch" and row.yes for row in talk.offer.rows)
        if is_asked or not talk.people:
            talk.face.do("rematch", "")
        else:
            talk.open_list(ending.ask_before_rematch(talk.session.setup), asked=True)

    # -- lists ------------------------------------------------------------------------------------

    def _list_moves(self, rest: str) -> None:
        """Read the open list, or what can be done now; given a verb, the moves of that verb."""
        talk, legal = self.talk, self.talk.legal
        if not rest:
            talk.top.clear()
            if talk.offer.rows:
                talk.list_rows(asked=True)
            else:
                talk.say("note", _("No moves left. Type undo to undo the last one."))
            return
        verbs = vocabulary.verbs(rest, dict.fromkeys(move.verb for move in legal))
        choices = [move for move in legal if rest == "all" or move.verb in verbs]
        if not choices:
            talk.say("refused", _("You can't {word} now.").format(word=rest))
        elif rest == "all":
            rows = asking.list_flat(talk.view, choices)
            talk.open_list(Offer(_("You can:"), rows), asked=True)
        else:
            talk.open_list(asking.narrow(talk.view, choices, _("You can:")), asked=True)

    # -- questions --------------------------------------------------------------------------------

    def _ask(self, word: str, rest: str) -> None:
        try:
            self.talk.say("answer", *questions.QUESTIONS[word](self.talk.view, rest))
        except NotUnderstood as reason:
            self.talk.say("refused", str(reason))

    def _ask_extension(self, word: str, table_word: TableWord, rest: str) -> None:
        try:
            table_word.answer(self.talk, rest)
        except (UserError, OSError) as error:
            self.talk.say("refused", *map(translate, errors.lines(error)))
        except Exception as error:  # the evening goes on
            crash = UserError(*errors.lines(error))
            reason = extending.explain(
                extending.find_bringer(word, lambda one: one.list_words()), crash
            )
            self.talk.say("refused", translate(reason))

    def _explain(self, rest: str) -> None:
        """Why the last move was refused, or what a named card does."""
        if rest:
            self._ask("card", rest)
        else:
            talk = self.talk
            talk.say("answer", *questions.explain_refusal(talk.view, talk.last_refusal))

    def _tell_last(self, rest: str) -> None:
        lines = self.talk.session.tell_last()
        self.talk.say("answer", *(lines or [_("Nothing has happened yet.")]))

    def _tell_history(self, rest: str) -> None:
        """Tell what happened, newest move last, so that it is the one remembered."""
        most = read_number(rest, 4)
        sentences_by_move = self.talk.session.history(_RECENT if most is None else most)
        lines = [line for sentences in sentences_by_move for line in sentences]
        self.talk.say("answer", *(lines or [_("Nothing has happened yet.")]))

    def _teach(self, rest: str) -> None:
        """`teach on`, `teach off`; with neither, repeat the current lesson."""
        talk, teacher = self.talk, self.talk.session.teacher
        if rest and fold(rest) not in ("on", "off"):
            talk.say("refused", _("Type teach on or teach off."))
            return
        if rest:
            teacher.switch(fold(rest) == "on")
        if teacher.lesson(talk.view):
            teacher.repeat()
            talk.teach()
        elif teacher.on:
            talk.say("note", _("There is no lesson right now."))
        else:
            sentence = _(
                "Lessons are off, or the first round is over. Type teach on to start them."
            )
            talk.say("note", sentence)

    # -- reading ----------------------------------------------------------------------------------

    def _read_reference(self, rest: str) -> None:
        talk = self.talk
        number = read_number(rest, 3) or 0
        cards = teaching.list_cards(talk.view, number)
        if cards:
            talk.read_aloud(teaching.Reading(number, cards))
        else:
            talk.say("refused", _("Which reference card? Type reference 1 to reference 4."))

    def _look(self, rest: str) -> None:
        """Read the next tapped card to one person instead of playing it."""
        talk = self.talk
        talk.forget()
        talk.open(talk.modes.read_to_one(talk))

    def _hear_hand(self, rest: str) -> None:
        Telling(self.talk).hear(rest)


COMMANDS: Mapping[str, Callable[[Commands, str], None]] = {
    "undo": Commands._undo,
    "redo": Commands._redo,
    "repeat": Commands._repeat,
    "back": Commands._back,
    "next": Commands._next,
    "enter": Commands._enter,
    "rematch": Commands._rematch,
    "moves": Commands._list_moves,
    "?": Commands._list_moves,
    "reference": Commands._read_reference,
    "look": Commands._look,
    "mine": Commands._hear_hand,
    "teach": Commands._teach,
    "why": Commands._explain,
    "last": Commands._tell_last,
    "history": Commands._tell_history,
}
"""What each command does."""
