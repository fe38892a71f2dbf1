"""A private moment in a conversation: how it begins, what it answers, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import private
from companion.game.intent import typed
from companion.game.private import InPrivate
from companion.language import _, translate, vocabulary
from companion.log.store import StoreError
from engine.explain import Refused
from engine.referee import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.asking import Row
    from companion.game.talk import Talk
    from engine.moves import Move


_OF_SIMULATED = ("tap", "hold", "lift")
"""Commands that put a chip on the simulated reader, in private as in the open."""


def ask(talk: Talk, moves: Sequence[Move]) -> None:
    """Ask one player in private for one of these moves; if the answer depends on that player's
    secret, for one of the moves legal in their own view."""
    talk.forget()
    if talk.answers_in_private:
        verbs = {move.verb for move in moves}
        own = talk.session.legal(talk.view.questions[-1].seat)
        moves = [move for move in own if move.verb in verbs]
    talk.private = private.begin(talk.view, moves)
    talk.face.keep_reader(alone=True)
    _list(talk)


def take(talk: Talk, row: Row | None) -> None:
    """Take that row of a private moment; None if it cannot be chosen."""
    moment = talk.private
    if moment is None or row is None:
        refuse(talk)
    elif not moment.player:
        talk.private = moment._replace(player=row.card)
        _list(talk)
    else:
        _choose(talk, row.moves[0])


def answer(talk: Talk, line: str, *, in_public: bool = False) -> None:
    """Answer a line typed in a private moment: a question, a command to leave, or a choice, which
    others must not have `seen`."""
    word, _space, rest = vocabulary.translate_line(line).partition(" ")
    if word in _OF_SIMULATED and talk.face.do(word, rest.strip()):
        return
    match private.read_request(line):
        case InPrivate.LEAVE:
            go_back(talk)
        case InPrivate.REPEAT:
            _list(talk)
        case _ if in_public:
            ask_again(talk)
        case _:
            take(talk, talk.private.find_row(talk.view, line) if talk.private else None)


def play_typed(talk: Talk, moves: Sequence[Move], *, in_public: bool = False) -> None:
    """Play a private move typed in full; ask in private if it is incomplete or was `seen` by
    others."""
    if len(moves) == 1 and not in_public:
        talk.forget()
        _choose(talk, moves[0])
        return
    reason = _find_public_reason(talk, moves[0])
    if reason is not None:
        talk.refuse(reason)
        return
    if len(moves) == 1:
        _refuse_read(talk)
    names = {move.args[0] for move in moves if move.verb == "choose"}
    of_verb = [move for move in talk.legal if move.verb == moves[0].verb]
    ask(talk, [move for move in of_verb if not names or move.args[0] in names])


def leave(talk: Talk) -> None:
    """End the private moment and discard it."""
    talk.private = None
    talk.lists.clear()
    talk.face.keep_reader(alone=False)


def go_back(talk: Talk) -> None:
    """Leave the private moment without a choice."""
    leave(talk)
    talk.say("note", _("Nothing was chosen."))


def refuse(talk: Talk) -> None:
    """Refuse without a reason, which could name what was whispered."""
    talk.say("refused", _("You can't choose that; nothing has changed."))


def ask_again(talk: Talk) -> None:
    """Refuse a line that others have read; in a private moment, ask once more."""
    _refuse_read(talk)
    if talk.private is not None:
        _list(talk)


def _refuse_read(talk: Talk) -> None:
    talk.say("refused", _("Everyone could read that, so it wasn't played. Choose in private."))


def _find_public_reason(talk: Talk, move: Move) -> Refused | None:
    """Why it cannot be played, if the reason names nobody: the verb is not possible at all or, for
    a program, public knowledge forbids it."""
    reason = typed.refuse_closed(move.verb, talk.view)
    if reason is not None:
        return Refused(move.verb, reason)
    if not talk.people:
        try:
            judge(talk.view, move)
        except Refused as error:
            return error
    return None


def _list(talk: Talk) -> None:
    """Whisper the choices to the player; the question tells everybody who that is."""
    if talk.private is None:
        return
    talk.list_rows()
    if talk.private.player:
        labels = [row.label for row in talk.offer.rows]
        talk.face.voice.whisper_choices(talk.private.question(), labels)


def _choose(talk: Talk, move: Move) -> None:
    try:
        narration = talk.playing.play(move)
    except Refused:
        reason = _find_public_reason(talk, move) if talk.private is None else None
        if reason is None:
            refuse(talk)
        else:
            talk.refuse(reason)
    except StoreError as error:
        talk.say("refused", translate(str(error)))
    else:
        if talk.private is not None:
            if move.words("C"):
                talk.face.voice.whisper_chosen(move)
            leave(talk)
        talk.tell_played(narration)
