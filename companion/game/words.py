"""Commands other than moves: back and next, questions, lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.game import private_input, questions, shortcuts, teaching, typed
from companion.game.shortcuts import END_ANYWAY, SEVERAL
from companion.language import _, translate, vocabulary
from companion.log.store import StoreError
from companion.wording.story import Narration
from engine.moves import GRAMMAR, Move, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.asking import Row
    from companion.game.conversation import Command, Conversation

_WHILE_READING = ("next", "back", "repeat", "tap", "hold", "lift")
"""Commands after which a reference card is still being read; any other ends it."""

NOTHING = {"undo": Sentence("Nothing to undo."), "redo": Sentence("Nothing to redo.")}
"""The answers to a command that has no move left."""


def answer(talk: Conversation, line: str) -> bool:
    """Run a typed line if it is a command; return whether it was one."""
    command = vocabulary.translate_line(line)
    word, _space, rest = map(str.strip, command.partition(" "))
    word = fold(word)
    if word not in _WHILE_READING:
        talk.reading.stop()
    if _is_move_now(talk, line, word, rest):
        return False
    if word == "rematch" and not rest and talk.people and not _asks_before_rematch(talk):
        _ask_before_rematch(talk)
        return True
    return run(talk, word, rest) or _answer_instead(talk, word, rest)


def run(talk: Conversation, word: str, rest: str = "") -> bool:
    """Run a command by its English name; return whether it is one with these arguments."""
    command = COMMANDS.get(word) or talk.more.get(word)
    if command is not None and (not rest or word in _WITH_WORDS):
        command(talk, rest)
        return True
    return questions.ask(talk, word, rest) or talk.face.do(word, rest)


def take(talk: Conversation, row: Row) -> None:
    """Take a row: run its command, play its move, ask on among its moves, or say why it cannot be
    taken."""
    talk.lists.clear_typed()
    if talk.private is not None:
        private_input.take(talk, row)
    elif row.why is not None:
        talk.refuse(row.why())
    elif row.word == "rematch" and not _asks_before_rematch(talk):
        _ask_before_rematch(talk)
    elif row.word:
        word, __, rest = row.word.partition(" ")
        if (command := _OF_ROWS.get(word)) is not None:
            command(talk, rest)
        else:
            run(talk, word, rest)
    elif row.private:
        private_input.ask(talk, row.moves)
    elif len(row.moves) == 1:
        talk.play(row.moves[0])
    else:
        talk.ask_among(row.moves, row.label)


def _ask_before_rematch(talk: Conversation) -> None:
    from companion.game import ending

    talk.lists.open(ending.ask_before_rematch(talk.session.setup))
    talk.list_rows(asked=True)


def _asks_before_rematch(talk: Conversation) -> bool:
    stack = talk.lists.stack
    return bool(stack) and any(row.word == "rematch" for row in stack[-1].rows)


def enter(talk: Conversation) -> bool:
    """Complete the digits typed so far; without any, tell the next part of the scores. Return
    whether it meant anything."""
    if number := talk.lists.digits:
        row = talk.lists.take_whole_number(talk.offer)
        if row is not None:
            take(talk, row)
        else:
            talk.say("refused", _("There is no choice {number} now.").format(number=number))
        return True
    if talk.lists.letters and not talk.asked.visible:
        sentence = _("Nothing matches “{letters}”.")
        talk.say("refused", sentence.format(letters=talk.lists.letters))
        return True
    return talk.tell_part()


def go_back(talk: Conversation) -> bool:
    """Go one step back: typed text, the last list, a private moment, cards tapped so far; return
    whether there was any."""
    talk.ask_anew()
    if talk.private is not None:
        private_input.go_back(talk)
        return True
    return talk.lists.go_back() or talk.forget_chips() or talk.reading.stop()


def _answer_instead(talk: Conversation, word: str, rest: str) -> bool:
    lines = questions.answer_instead(talk.view, word, rest)
    if lines is None:
        return False
    talk.say("answer", *lines)
    return True


def _is_move_now(talk: Conversation, line: str, word: str, rest: str) -> bool:
    """Whether a command that is also a verb makes a legal move now: `city Ben temple`, when that
    city is counted."""
    if not rest or word not in GRAMMAR:
        return False
    legal = talk.legal
    return any(move.verb == word for move in legal) and bool(
        typed.understand(line, talk.view, legal)
    )


# -- back and on ---------------------------------------------------------------------------------


def _undo(talk: Conversation, rest: str) -> None:
    """Undo the last move with the forced steps after it."""
    if talk.forget_chips():
        talk.say("note", _("Undone: the cards tapped so far."))
        return
    talk.forget()
    talk.parts.clear()
    try:
        taken_back = talk.playing.undo()
    except StoreError as error:
        talk.say("refused", translate(str(error)))
    else:
        if taken_back is None:
            talk.say("refused", translate(NOTHING["undo"]))
        else:
            still_known = talk.session.list_still_known()
            talk.say("told", _("Undone: {what}").format(what=taken_back), *still_known)


def _redo(talk: Conversation, rest: str) -> None:
    """Redo the last undone move with the forced steps after it."""
    talk.forget()
    try:
        lines = talk.playing.redo()
    except StoreError as error:
        talk.say("refused", translate(str(error)))
    else:
        if lines:
            names = (_("Redone."), *lines)
            talk.tell_played(Narration(names, names, names))
        else:
            talk.say("refused", translate(NOTHING["redo"]))


def _repeat(talk: Conversation, rest: str) -> None:
    """Repeat the last answer, with the rows listed in it."""
    talk.face.voice.repeat()
    messages = talk.last_answer
    if not messages:
        talk.say("told", *(talk.session.tell_last() or [_("Nothing has been said yet.")]))
    for message in messages:
        talk.say(message.kind, *message.lines, title=message.title)


def _answer_back(talk: Conversation, rest: str) -> None:
    if talk.reading.card is not None:
        teaching.step_reading(talk, -1)
    elif not go_back(talk):
        talk.say("note", _("There is nothing to choose right now."))
    elif talk.lists.stack:
        talk.list_rows(asked=True)


def _continue(talk: Conversation, rest: str) -> None:
    """Continue without a decision: next entry or part, call, nobody answers, end the turn."""
    if talk.reading.card is not None:
        teaching.step_reading(talk, 1)
    elif not talk.tell_part():
        move = _find_without_decision(talk.legal)
        if move is not None:
            talk.play(move)
        elif talk.session.over:
            talk.say("refused", _("The game is over; type new to start another."))
        else:
            talk.say("refused", _("You have to choose first; type moves to hear the choices."))


def _find_without_decision(legal: Sequence[Move]) -> Move | None:
    """The move that needs no decision: call, nobody, end the turn."""
    moves = {move.text: move for move in legal}
    return next((moves[text] for text in _NO_DECISION if text in moves), None)


_NO_DECISION = ("call", "nobody", "unmask nobody", "end")


def _end_anyway(talk: Conversation, rest: str) -> None:
    talk.play("end", sure=True)


def _enter(talk: Conversation, rest: str) -> None:
    """Handle the chip that completes a number."""
    talk.listen()
    enter(talk)


COMMANDS: dict[str, Command] = {
    "undo": _undo,
    "redo": _redo,
    "repeat": _repeat,
    "back": _answer_back,
    "next": _continue,
    "enter": _enter,
    **questions.COMMANDS,
}
"""What each command does, by its English name."""

_OF_ROWS: dict[str, Command] = {SEVERAL: shortcuts.play, END_ANYWAY: _end_anyway}
"""Commands of rows alone: nobody can type them."""

_WITH_WORDS = frozenset(
    {"moves", "?", "reference", "teach", "why", "history", "mine", "results", "stats"}
    | {"tell"}  # of a row about a told hand
)
