"""A private moment in a conversation: how it begins, what is answered in it, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import private
from companion.game.words import InPrivate, in_private
from companion.language import _, said
from companion.store import StoreError
from engine.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.asking import Row
    from companion.game.conversation import Conversation
    from engine.moves import Move


def ask(talk: Conversation, moves: Sequence[Move]) -> None:
    """Ask one person for one of these moves; where the answer depends on a secret of theirs, for
    one of those that they alone know to be legal."""
    talk.forget()
    if talk.answers_in_private:
        verbs = {move.verb for move in moves}
        own = talk.session.legal_for(talk.view.questions[-1].seat)
        moves = [move for move in own if move.verb in verbs]
    talk.private = private.begin(talk.view, moves)
    talk.face.keep_reader(alone=True)
    _list(talk)


def take(talk: Conversation, row: Row | None) -> None:
    """Take that row of a private moment; None is what cannot be chosen."""
    moment = talk.private
    if moment is None or row is None:
        refuse(talk)
    elif not moment.player:
        talk.private = moment._replace(player=row.card)
        _list(talk)
    else:
        _choose(talk, row.moves[0])


def answer(talk: Conversation, line: str) -> None:
    """Answer a line typed in a private moment: a question within it, the way out, or a choice."""
    match in_private(line):
        case InPrivate.LEAVE:
            talk.back()
        case InPrivate.REPEAT:
            _list(talk)
        case _:
            take(talk, talk.private.meant(talk.view, line) if talk.private else None)


def play_typed(talk: Conversation, meant: Sequence[Move]) -> None:
    """A private move typed whole is played; one that says too little is asked for in private."""
    if len(meant) == 1:
        talk.forget()
        _choose(talk, meant[0])
        return
    names = {move.args[0] for move in meant if move.verb == "choose"}
    own = [
        move
        for move in talk.session.legal()
        if move.verb == meant[0].verb and (not names or move.args[0] in names)
    ]
    if own:
        ask(talk, own)
    else:
        refuse(talk)


def leave(talk: Conversation) -> None:
    """End the private moment; nothing of it stays."""
    talk.private = None
    talk.lists.clear()
    talk.face.keep_reader(alone=False)


def refuse(talk: Conversation) -> None:
    """Refuse without a reason, which could name what was whispered."""
    talk.say("refused", _("That cannot be chosen; nothing has changed."))


def _list(talk: Conversation) -> None:
    """Say to everybody who chooses, and to that person what from."""
    if talk.private is None:
        return
    question = talk.private.question()
    talk.say("note", question)
    talk.list_rows()
    if talk.private.player:
        talk.face.voice.whisper_choices(question, [row.label for row in talk.offer.rows])


def _choose(talk: Conversation, move: Move) -> None:
    try:
        told = talk.playing.play(move)
    except Refused:
        refuse(talk)
    except StoreError as error:
        talk.say("refused", said(str(error)))
    else:
        if talk.private is not None:
            if move.words("C"):
                talk.face.voice.whisper_chosen(move)
            leave(talk)
        talk.tell_played(told)
