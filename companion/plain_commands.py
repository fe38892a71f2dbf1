"""What can be typed in the line caller besides moves: undo, questions, and the simulated reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import chips, learning, typed
from companion.language import _, card, current
from companion.wording import facts
from engine import cards
from engine.moves import fold, split
from tags.registry import format_uid
from tags.watch import Lift, Tap

if TYPE_CHECKING:
    from companion.plain import Caller
    from companion.taps import Meaning


def answer(caller: Caller, word: str, rest: str) -> bool:
    """Answer the command if it is one; whether it was."""
    command = _COMMANDS.get(fold(word))
    if command is None or (rest and command not in _WITH_WORDS):
        return False
    command(caller, rest)
    return True


def explain(caller: Caller, meaning: Meaning) -> None:
    """Show what a tap stands for where no move fits."""
    if meaning.pending:
        names = ", ".join(map(card, meaning.pending))
        caller.say(_("Face up so far: {cards}.").format(cards=names))
        return
    for card_id in meaning.cards:
        _tell_card(caller, card_id)
    if meaning.seat is not None:
        view = caller.session.view
        caller.say(facts.gold(view)[meaning.seat], *facts.city(view, meaning.seat))


def _tell_card(caller: Caller, card_id: str) -> None:
    text = cards.text_of(card_id, caller.session.view.rules.edition.id, current())
    caller.say(f"{card(card_id)}. {text.text} ({text.source})")


def _undo(caller: Caller, rest: str) -> None:
    caller.choices, caller.pending = [], ()
    move = caller.session.undo()
    caller.say(_("Taken back.") if move else _("Refused: there is nothing to take back."))


def _redo(caller: Caller, rest: str) -> None:
    caller.choices, caller.pending = [], ()
    move = caller.session.redo()
    caller.say(_("Done again.") if move else _("Refused: there is nothing to do again."))
    if move:
        caller.say(*caller.session.last_told())


def _moves(caller: Caller, rest: str) -> None:
    caller.offer(_("You can:"), caller.session.legal())


def _why(caller: Caller, rest: str) -> None:
    """Why the last move was refused, or what a named card does."""
    if rest:
        _card(caller, rest)
        return
    refused = caller.last_refusal
    if refused is None:
        caller.say(_("Nothing was refused yet. Ask for a card: why, and its name."))
        return
    refusal = refused.refusal
    caller.say(refusal.reason, _("Rule {rule}.").format(rule=refusal.rule), refusal.source)
    if refusal.ruling:
        caller.say(_("Ruling: {ruling}").format(ruling=refusal.ruling))


def _card(caller: Caller, rest: str) -> None:
    found = _named_cards(caller, rest)
    if not found:
        caller.say(_("Refused: no card of this game is called {name}.").format(name=rest))
    for card_id in found:
        _tell_card(caller, card_id)


def _named_cards(caller: Caller, name: str) -> list[str]:
    rules = caller.session.view.rules
    known = {id_: typed.card_names(id_) for id_ in (*rules.cast, *rules.districts)}
    wanted = fold(name)
    exact = [id_ for id_, names in known.items() if wanted in names]
    return exact or [
        id_ for id_, names in known.items() if any(n.startswith(wanted) for n in names)
    ]


def _city(caller: Caller, rest: str) -> None:
    view = caller.session.view
    seats = [s for s in view.rules.seats if fold(view.seats[s].name).startswith(fold(rest))]
    for seat in seats:
        caller.say(*facts.city(view, seat))
    if not seats:
        caller.say(_("Refused: nobody here is called {name}.").format(name=rest))


def _help(caller: Caller, rest: str) -> None:
    caller.say(
        _("Type a move, its number, or a beginning of its words."),
        _("moves: what you can do now, numbered."),
        _("undo, redo: take the last move back, do it again."),
        _("last: what happened last."),
        _("gold?: everybody's gold and cards."),
        _("who: crown, characters shown, marks."),
        _("city: a player's city; city, and a name."),
        _("score: the scores as they stand."),
        _("why: the rule behind the last refusal; why, and a card's name."),
    )
    if caller.reader is not None and caller.reader.simulated:
        caller.say(
            _("tap, hold: lay a chip on the reader: a card and its copy, a player, crown,"),
            _("reference and a number, chip and its id."),
            _("lift, unplug, plug: take the chip away, pull the reader's cable, plug it in."),
        )


# -- chips ----------------------------------------------------------------------------------


def _learn(caller: Caller, rest: str) -> None:
    uid, reader = caller.unknown_chip, caller.reader
    if uid is None or reader is None:
        caller.say(_("Refused: tap an unknown chip first."))
        return
    try:
        entry = learning.read_entry(rest, reader.registry, caller.session.view.rules.player_names)
        reader.learn(uid, entry)
    except ValueError as error:
        caller.say(_("Refused: {reason}").format(reason=error))
    except chips.ChipsError as error:
        caller.say(_("Refused: {reason}").format(reason=error.problems[0]))
    else:
        caller.unknown_chip = None
        caller.say(_("Chip {uid} is: {entry}.").format(uid=format_uid(uid), entry=entry))


def _tap(caller: Caller, rest: str) -> None:
    _lay(caller, rest, leave=False)


def _hold(caller: Caller, rest: str) -> None:
    _lay(caller, rest, leave=True)


def _lay(caller: Caller, rest: str, *, leave: bool) -> None:
    reader = caller.reader
    if reader is None or reader.deck is None:
        caller.say(_("Refused: only the simulated reader can be told what lies on it."))
        return
    uid = reader.deck.find(split(rest) or [""])
    if uid is None:
        caller.say(_("Refused: the simulated deck has no chip {name}.").format(name=rest))
        return
    if not reader.plugged:
        caller.say(_("Refused: the reader is unplugged; type plug."))
        return
    reader.start()
    if reader.lying == uid:
        reader.lift()  # the same chip again: it must leave before it can come
        caller.wait_for(Lift(uid))
    if leave:
        reader.hold(uid)
        seen = caller.wait_for(Tap(uid))
    else:
        reader.lay(uid)
        seen = caller.wait_for(Tap(uid), Lift(uid))
    if not seen:
        caller.say(_("Refused: the reader did not see the chip."))


def _lift(caller: Caller, rest: str) -> None:
    if _has_simulator(caller) and caller.reader is not None:
        caller.reader.lift()
        caller.say(_("Lifted."))


def _unplug(caller: Caller, rest: str) -> None:
    if _has_simulator(caller) and caller.reader is not None:
        caller.reader.unplug()
        caller.say(_("Unplugged."))


def _plug(caller: Caller, rest: str) -> None:
    if _has_simulator(caller) and caller.reader is not None:
        caller.reader.plug()
        caller.say(_("Plugged in."))


def _has_simulator(caller: Caller) -> bool:
    if caller.reader is not None and caller.reader.simulated:
        return True
    caller.say(_("Refused: only the simulated reader can be told what lies on it."))
    return False


def _says(lines: Callable[[Caller], list[str]]) -> Callable[[Caller, str], None]:
    return lambda caller, rest: caller.say(*lines(caller))


_COMMANDS: dict[str, Callable[[Caller, str], None]] = {
    "undo": _undo,
    "redo": _redo,
    "moves": _moves,
    "?": _moves,
    "why": _why,
    "card": _card,
    "city": _city,
    "help": _help,
    "last": _says(lambda caller: caller.session.last_told()),
    "repeat": _says(lambda caller: caller.session.last_told()),
    "gold?": _says(lambda caller: facts.gold(caller.session.view)),
    "who": _says(lambda caller: facts.who(caller.session.view)),
    "score": _says(
        lambda caller: [*facts.score(caller.session.view), facts.result(caller.session.view)]
    ),
    "learn": _learn,
    "tap": _tap,
    "hold": _hold,
    "lift": _lift,
    "unplug": _unplug,
    "plug": _plug,
}
_WITH_WORDS = (_why, _card, _city, _learn, _tap, _hold)
