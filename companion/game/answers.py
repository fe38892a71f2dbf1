"""The commands that ask: what can be done, what a card does, what happened, why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import asking, questions, reading, reference
from companion.game.asking import Offer
from companion.game.questions import NotUnderstood
from companion.language import _, vocabulary
from engine.moves import fold

if TYPE_CHECKING:
    from companion.game.talk import Command, Talk

_RECENT = 10  # moves told when no count is given


def ask(talk: Talk, word: str, rest: str) -> bool:
    """Answer the question; return whether `word` with `rest` is one."""
    if not questions.asks(word, rest):
        return False
    try:
        talk.say("answer", *(questions.answer(talk.view, word, rest) or ()))
    except NotUnderstood as reason:
        talk.say("refused", str(reason))
    return True


def _list_moves(talk: Talk, rest: str) -> None:
    """List what can be done now; given a verb, the moves of that verb."""
    legal = talk.legal
    if not rest:
        talk.lists.clear()
        if talk.offer.rows:
            talk.list_rows()
        else:
            talk.say("note", _("No moves left. Type undo to undo the last one."))
        return
    verbs = vocabulary.verbs(rest, dict.fromkeys(move.verb for move in legal))
    wanted = [move for move in legal if rest == "all" or move.verb in verbs]
    if wanted:
        talk.lists.open(
            Offer(_("You can:"), asking.list_flat(talk.view, wanted))
            if rest == "all"
            else asking.narrow(talk.view, wanted, _("You can:"))
        )
        talk.list_rows()
    else:
        talk.say("refused", _("You can't {word} now.").format(word=rest))


def _read_reference(talk: Talk, rest: str) -> None:
    """Listen to a reference card from its first entry."""
    number = int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 4 else 0
    cards = reference.list_cards(talk.view, number)
    if cards:
        reading.begin(talk, reference.Reading(number, cards))
    else:
        talk.say("refused", _("Which reference card? Type reference 1 to reference 4."))


def _look(talk: Talk, rest: str) -> None:
    """Read the next tapped card to one person instead of playing it."""
    talk.forget()
    reading.listen_alone(talk)


def _teach(talk: Talk, rest: str) -> None:
    """`teach on`, `teach off`; with neither, repeat the current lesson."""
    teacher = talk.session.teacher
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
        talk.say(
            "note", _("Lessons are off, or the first round is over. Type teach on to start them.")
        )


def _explain(talk: Talk, rest: str) -> None:
    """Why the last move was refused, or what a named card does."""
    if rest:
        ask(talk, "card", rest)
    else:
        talk.say("answer", *questions.explain_refusal(talk.view, talk.refused))


def _tell_last(talk: Talk, rest: str) -> None:
    talk.say("answer", *(talk.session.tell_last() or [_("Nothing has happened yet.")]))


def _tell_history(talk: Talk, rest: str) -> None:
    """Tell what happened, newest move last, so that it is the one remembered."""
    most = int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 5 else _RECENT
    lines = [line for told in talk.session.history(most) for line in told]
    talk.say("answer", *(lines or [_("Nothing has happened yet.")]))


COMMANDS: dict[str, Command] = {
    "moves": _list_moves,
    "?": _list_moves,
    "reference": _read_reference,
    "look": _look,
    "teach": _teach,
    "why": _explain,
    "last": _tell_last,
    "history": _tell_history,
}
"""The handler of each command."""
