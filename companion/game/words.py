"""The words of the caller that are no moves: back and next, questions, lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from companion import reference, vocabulary
from companion.game import asking, questions
from companion.game.asking import Offer, Row
from companion.game.playing import Told
from companion.game.questions import NotUnderstood
from companion.intent import typed
from companion.language import _, said
from companion.store import StoreError
from engine.moves import GRAMMAR, fold

if TYPE_CHECKING:
    from companion.game.conversation import Conversation
    from engine.moves import Move

    Command = Callable[[Conversation, str], None]

THEN_END, END_ANYWAY = "then_end", "end_anyway"
"""What the rows stand for that are offered where a turn ends with something untaken."""

_WHILE_READING = ("next", "back", "repeat", "tap", "hold", "lift")
"""Words after which a reference card is still listened to; any other ends it."""

_RECENT = 10  # moves told where nobody says how many


def answer(talk: Conversation, line: str) -> bool:
    """Do what a typed line says where it is a word of the caller; whether it was one."""
    asked = vocabulary.in_english(line)
    word, _space, rest = map(str.strip, asked.partition(" "))
    word = fold(word)
    if word not in _WHILE_READING:
        talk.reading.stop()
    if _is_move_now(talk, line, word, rest):
        return False
    return run(talk, word, rest) or _answer_instead(talk, word, rest)


def run(talk: Conversation, word: str, rest: str = "") -> bool:
    """Do what that word says, by its English name; whether it is one, with these words after it."""
    command = COMMANDS.get(word)
    if command is not None and (not rest or word in _WITH_WORDS):
        command(talk, rest)
        return True
    if questions.asks(word, rest):
        try:
            talk.say("answer", *(questions.answer(talk.view, word, rest) or ()))
        except NotUnderstood as reason:
            talk.say("refused", str(reason))
        return True
    return talk.face.do(word, rest)


def _answer_instead(talk: Conversation, word: str, rest: str) -> bool:
    lines = questions.instead_of_move(talk.view, word, rest)
    if lines is None:
        return False
    talk.say("answer", *lines)
    return True


def _is_move_now(talk: Conversation, line: str, word: str, rest: str) -> bool:
    """Whether a word that is also a verb makes a move of this moment: `city Ben temple`, when
    that city is counted."""
    if not rest or word not in GRAMMAR:
        return False
    legal = talk.session.legal()
    return any(move.verb == word for move in legal) and bool(
        typed.understand(line, talk.view, legal)
    )


class InPrivate(Enum):
    """What a line may be in a private moment besides a choice."""

    LEAVE = "leave"
    REPEAT = "repeat"


def in_private(line: str) -> InPrivate | None:
    """What the line asks for in a private moment; None where it should be a choice."""
    if line in (".", ",") or vocabulary.word(line, "back"):
        return InPrivate.LEAVE
    if line in ("", "0", "/", "?", "*0") or vocabulary.word(line, "repeat", "moves", "help"):
        return InPrivate.REPEAT
    return None


# -- back and on ---------------------------------------------------------------------------------


def _undo(talk: Conversation, rest: str) -> None:
    """Take the last move back, and with it the steps that it left no choice about."""
    if talk.chips.forget():
        talk.say("note", _("Taken back: the cards tapped so far."))
        return
    talk.forget()
    talk.parts.clear()
    try:
        back = talk.playing.undo()
    except StoreError as error:
        talk.say("refused", said(str(error)))
    else:
        if back is None:
            talk.say("refused", _("There is nothing to take back."))
        else:
            known = talk.session.still_known()
            talk.say("told", _("Taken back: {what}").format(what=back), *known)


def _redo(talk: Conversation, rest: str) -> None:
    """Play what was taken back last again, with the steps that it leaves no choice about."""
    talk.forget()
    try:
        told = talk.playing.redo()
    except StoreError as error:
        talk.say("refused", said(str(error)))
    else:
        if told:
            talk.tell_played(Told((_("Played again."), *told)))
        else:
            talk.say("refused", _("There is nothing to play again."))


def _repeat(talk: Conversation, rest: str) -> None:
    """The last answer again, with the rows that were listed in it."""
    talk.face.voice.repeat()
    told = talk.heard
    if not told:
        talk.say("told", *(talk.session.last_told() or [_("Nothing was said yet.")]))
    for saying in told:
        talk.say(saying.kind, *saying.lines, title=saying.title)


def _back(talk: Conversation, rest: str) -> None:
    if talk.reading.card is not None:
        talk.reading.step(talk, -1)
    elif not talk.back():
        talk.say("note", _("Nothing is being chosen now."))
    elif talk.lists.opened:
        talk.list_rows()


def _next(talk: Conversation, rest: str) -> None:
    """Continue without a decision: the next entry or part, call, nobody answers, end the turn."""
    if talk.reading.card is not None:
        talk.reading.step(talk, 1)
    elif not talk.tell_part():
        move = _without_decision(talk.session.legal())
        if move is not None:
            talk.play(move)
        elif talk.session.over:
            talk.say("refused", _("The game is over; new begins another one."))
        else:
            talk.say("refused", _("A choice has to be made first; moves lists what can be done."))


def asks_before(talk: Conversation, move: Move | str) -> bool:
    """Ask once before a turn ends with income or a bonus untaken; whether it was asked."""
    if not talk.people or str(move) != "end":
        return False
    left = asking.untaken(talk.view, talk.session.legal())
    if left is None:
        return False
    label = _("{move}, then end the turn").format(move=left.label)
    rows = (
        Row(label, number=1, key="i", word=f"{THEN_END} {left.moves[0].text}"),
        Row(_("End the turn without it"), number=2, key="e", word=END_ANYWAY),
    )
    talk.lists.open(Offer(_("Something is left to take."), rows))
    talk.list_rows()
    return True


def _without_decision(legal: Sequence[Move]) -> Move | None:
    """The move that needs no decision: call, nobody, end the turn."""
    moves = {move.text: move for move in legal}
    return next((moves[text] for text in _NO_DECISION if text in moves), None)


_NO_DECISION = ("call", "nobody", "unmask nobody", "end")


def _end_anyway(talk: Conversation, rest: str) -> None:
    talk.play("end", confirmed=True)


def _then_end(talk: Conversation, rest: str) -> None:
    """Take what is left, then end the turn, if that still needs saying."""
    if talk.play(rest) and any(move.verb == "end" for move in talk.session.legal()):
        talk.play("end", confirmed=True)


# -- what can be done -----------------------------------------------------------------------------


def _moves(talk: Conversation, rest: str) -> None:
    """What can be done now; with a word, the moves of that verb."""
    legal = talk.session.legal()
    if not rest:
        talk.lists.clear()
        if talk.offer.rows:
            talk.list_rows()
        else:
            talk.say("note", _("Nothing is left to play. undo takes the last move back."))
        return
    verbs = vocabulary.verbs(rest, dict.fromkeys(move.verb for move in legal))
    wanted = [move for move in legal if rest == "all" or move.verb in verbs]
    if wanted:
        talk.lists.open(
            Offer(_("You can:"), asking.flat(talk.view, wanted))
            if rest == "all"
            else asking.narrowed(talk.view, wanted, _("You can:"))
        )
        talk.list_rows()
    else:
        talk.say("refused", _("There is no {word} now.").format(word=rest))


def _reference(talk: Conversation, rest: str) -> None:
    """Listen to a reference card from its first entry."""
    number = int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 4 else 0
    cards = reference.listed(talk.view, number)
    if cards:
        talk.reading.begin(talk, reference.Reading(number, cards))
    else:
        talk.say("refused", _("Say which reference card: reference 1 to reference 4."))


def _look(talk: Conversation, rest: str) -> None:
    """Let the next tapped card be read to one person; it plays nothing."""
    talk.forget()
    talk.reading.listen_alone(talk)


def _teach(talk: Conversation, rest: str) -> None:
    """`teach on`, `teach off`; alone, this moment's lesson again."""
    teacher = talk.session.teacher
    if rest and fold(rest) not in ("on", "off"):
        talk.say("refused", _("Say teach on or teach off."))
        return
    if rest:
        teacher.switch(fold(rest) == "on")
    if teacher.lesson():
        teacher.repeat()
        talk.teach()
    elif teacher.on:
        talk.say("note", _("Nothing is taught at this moment."))
    else:
        talk.say("note", _("Teaching is off, or the first round is over. teach on begins it."))


# -- what was said --------------------------------------------------------------------------------


def _why(talk: Conversation, rest: str) -> None:
    """Why the last move was refused, or what a named card does."""
    if rest:
        run(talk, "card", rest)
    else:
        talk.say("answer", *questions.why(talk.view, talk.refused))


def _last(talk: Conversation, rest: str) -> None:
    talk.say("answer", *(talk.session.last_told() or [_("Nothing has happened yet.")]))


def _history(talk: Conversation, rest: str) -> None:
    """What happened, the newest move last, so that it is the one still in the ear."""
    most = int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 5 else _RECENT
    lines = [line for told in talk.session.history(most) for line in told]
    talk.say("answer", *(lines or [_("Nothing has happened yet.")]))


def _enter(talk: Conversation, rest: str) -> None:
    """The chip that says that the digits are a whole number."""
    talk.press("enter")


COMMANDS: dict[str, Command] = {
    "undo": _undo,
    "redo": _redo,
    "repeat": _repeat,
    "back": _back,
    "next": _next,
    "enter": _enter,
    "moves": _moves,
    "?": _moves,
    "reference": _reference,
    "look": _look,
    "teach": _teach,
    "why": _why,
    "last": _last,
    "history": _history,
    THEN_END: _then_end,
    END_ANYWAY: _end_anyway,
}

_WITH_WORDS = frozenset({"moves", "?", "reference", "teach", "why", "history", THEN_END})
