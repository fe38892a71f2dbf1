"""The private moment in the line caller: one person chooses, and nothing of it stays.

What is typed is not shown by a terminal, what is chosen is not said, and a refusal gives no reason,
for that could name what was whispered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import vocabulary
from companion.intent import menu, typed
from companion.intent.digits import pressed
from companion.language import _, card
from companion.privacy import is_private, may_be_named
from companion.store import StoreError
from companion.terminal.modes import at_terminal
from engine.referee import judge
from engine.refusals import Refused
from tags.registry import ActionChip, CharacterChip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.plain.caller import Caller
    from engine.moves import Move
    from tags.registry import Entry

BACK = ("", ".", ",")  # or the word


def begin(caller: Caller, moves: Sequence[Move]) -> None:
    """Ask one person for one of these private moves; where it is open who, ask for that first."""
    by_player: dict[str, list[Move]] = {}
    for move in moves:
        player = move.args[0] if move.verb == "choose" else caller.session.view.acting.name
        by_player.setdefault(player, []).append(move)
    if len(by_player) > 1:
        choices = [menu.Choice(player, tuple(own)) for player, own in by_player.items()]
        caller.offer(_("Who chooses in private?"), choices)
        return
    ((player, own),) = by_player.items()
    caller.forget()
    caller.private = tuple(own)
    asked = _("{player} chooses in private; nobody else looks or listens.").format(player=player)
    caller.say(asked)
    if caller.inbox.hides:
        caller.say(_("What is typed is not shown now."))
    names = [card(move.args[-1]) for move in own]
    for number, name in enumerate(names, start=1):
        caller.say(f"{number}: {name}")
    caller.voice.whisper_choices(asked, names)
    caller.say(_("A number, a name, or a tapped card chooses. back: choose nothing."))


def answer(caller: Caller, line: str) -> bool:
    """Answer a line typed in a private moment; False if it is something else that ends it."""
    moves = caller.private
    if line in BACK or vocabulary.word(line, "back"):
        _leave(caller)
        return True
    meant = [move for move in moves if move.text == line] or _numbered(moves, line)
    meant = meant or _named(moves, line)
    if len(meant) == 1:
        _choose(caller, meant[0])
    elif _is_open(caller, line):
        caller.forget()
        return False
    else:
        caller.refuse(_("that cannot be chosen; nothing has changed. Choose again, or back."))
    return True


def tapped(caller: Caller, entry: Entry) -> None:
    """Answer a tap under the hand: a character, or the digits of a choice's number."""
    moves = caller.private
    if isinstance(entry, CharacterChip):
        meant = [move for move in moves if move.args[-1] == entry.card]
    elif isinstance(entry, ActionChip) and entry.name == "back":
        _leave(caller)
        return
    elif isinstance(entry, ActionChip) and entry.name.isdecimal():
        number, caller.digits = pressed(caller.digits, entry.name, range(1, len(moves) + 1))
        if number is None and caller.digits:
            return
        meant = [moves[number - 1]] if number is not None else []
    else:
        meant = []
    if meant:
        _choose(caller, meant[0])
    else:
        caller.refuse(_("that cannot be chosen; nothing has changed. Choose again, or back."))


def play(caller: Caller, move: Move) -> None:
    """Play a private move; what the table may know is said, a refusal without its reason."""
    in_private = bool(caller.private)
    caller.forget()
    try:
        caller.say(*caller.session.play(move))
    except Refused:
        caller.last_refusal = None if in_private else _public(caller, move)
        if caller.last_refusal is None:
            caller.refuse(_("that cannot be chosen; nothing has changed."))
        else:
            caller.refuse_move(caller.last_refusal)
    except StoreError as error:
        caller.refuse(str(error))


def in_words(caller: Caller, meant: Sequence[Move]) -> None:
    """A private move typed in words: played, unless others could read it or it says too little;
    then one person is asked."""
    whole = len(meant) == 1
    names = {move.args[0] for move in meant if move.verb == "choose"}  # who was named already
    own = [m for m in _of_verb(caller, meant[0].verb) if not names or m.args[0] in names]
    if not own or (whole and not was_shown(caller)):
        play(caller, meant[0])
        return
    if whole:
        caller.refuse(_("that could be read here; it is not played. Choose it unseen."))
    begin(caller, own)


def unknown(caller: Caller, line: str, offers: Sequence[Move]) -> None:
    """Words that begin with a private verb and are no move: they are not said again. One person
    is asked for the rest of what they begin (`choose Ben`), or for all of it."""
    view = caller.session.view
    begun = typed.begun(line, view, caller.session.legal())
    if not begun:
        caller.refuse(_("that cannot be chosen; nothing has changed."))
    begin(caller, begun or _of_verb(caller, offers[0].verb))


def _of_verb(caller: Caller, verb: str) -> list[Move]:
    return [move for move in caller.session.legal() if move.verb == verb]


def was_shown(caller: Caller) -> bool:
    """Whether a terminal has shown the line just typed; a private move in it is not played."""
    return caller.inbox.was_seen


def hides_typing(caller: Caller) -> bool:
    """Whether any line may now name a secret target: typing is hidden before it is typed."""
    return bool(caller.private) or may_be_named(caller.session.view, caller.session.legal())


def _public(caller: Caller, move: Move) -> Refused | None:
    """A refusal that betrays nothing: of the verb at all, or, to a program, by what all know."""
    view = caller.session.view
    closed = typed.closed(move.verb, view)
    if closed is not None:
        return Refused(move.verb, closed)
    if not at_terminal():
        try:
            judge(view, move)
        except Refused as refused:
            return refused
    return None


def _choose(caller: Caller, move: Move) -> None:
    moves, before = caller.private, len(caller.session.referee.moves)
    play(caller, move)
    if len(caller.session.referee.moves) == before:
        caller.private = moves  # refused: the same person chooses again
    else:
        caller.voice.whisper_chosen(move)


def _leave(caller: Caller) -> None:
    caller.forget()
    caller.say(_("Nothing was chosen."))


def _numbered(moves: Sequence[Move], line: str) -> list[Move]:
    if not (line.isascii() and line.isdecimal() and len(line) < 4):
        return []
    return [move for place, move in enumerate(moves, start=1) if place == int(line)]


def _named(moves: Sequence[Move], line: str) -> list[Move]:
    known = {move.args[-1]: typed.card_names(move.args[-1]) for move in moves}
    found = typed.named(line, known)
    return [move for move in moves if found == [move.args[-1]]]


def _is_open(caller: Caller, line: str) -> bool:
    """Whether the line is a command or an open move, which leaves the private moment."""
    from companion.plain import commands

    if commands.is_command(caller, line):
        return True
    view, legal = caller.session.view, caller.session.legal()
    return any(
        move in legal and not is_private(view, move.verb)
        for move in typed.understand(line, view, legal)
    )
