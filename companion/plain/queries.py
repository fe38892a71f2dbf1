"""State on demand in the line caller: every question about the table, with a player or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import vocabulary
from companion.clean import clean_text
from companion.intent import typed
from companion.language import _, card, listing, said
from companion.wording import editions, facts, prompts, state, strip
from engine.moves import split

if TYPE_CHECKING:
    from companion.plain.caller import Caller
    from engine.refusals import Refused
    from engine.table import Table

    Query = Callable[[Caller, str], None]


def _of_table(lines: Callable[[Table], list[str]]) -> Query:
    """A question about the whole table."""

    def query(caller: Caller, rest: str) -> None:
        caller.say(*lines(caller.session.view))

    return query


def _of_seats(lines: Callable[[Table, list[int]], list[str]]) -> Query:
    """A question about one player, or about all where none is named."""

    def query(caller: Caller, rest: str) -> None:
        seats = _seats(caller, rest)
        if seats:
            caller.say(*lines(caller.session.view, seats))

    return query


def _seats(caller: Caller, rest: str) -> list[int]:
    """The seats that the words name, all for none; none, and a refusal told, for nobody's name."""
    view = caller.session.view
    if not rest:
        return list(range(len(view.seats)))
    found = _named(caller, rest)
    if not found:
        caller.refuse(_("nobody here is called {name}.").format(name=clean_text(rest, limit=40)))
    return [view.seat_named(name) for name in found]


def _named(caller: Caller, name: str) -> list[str]:
    """The players whom the words name, or begin to name."""
    known = typed.player_names(caller.session.view.rules.player_names)
    return typed.named(name.strip('"'), known)


def _cities(t: Table, seats: list[int]) -> list[str]:
    return [line for seat in seats for line in facts.city(t, seat)]


def _score(caller: Caller, rest: str) -> None:
    view = caller.session.view
    if not caller.session.over:
        caller.say(_("Scores so far; the game is not over."), *facts.score(view))
    else:
        caller.say(*facts.score(view), facts.result(view))


def _last(caller: Caller, rest: str) -> None:
    caller.say(*(caller.session.last_told() or [_("Nothing has happened yet.")]))


def _history(caller: Caller, rest: str) -> None:
    """What happened, the newest move last, so that it is the one still in the ear."""
    most = int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 5 else _RECENT
    moves = caller.session.history(most)
    caller.say(*(line for told in moves for line in told))
    if not moves:
        caller.say(_("Nothing has happened yet."))


_RECENT = 10  # moves told where nobody says how many


def _card(caller: Caller, rest: str) -> None:
    view = caller.session.view
    known = {id_: typed.card_names(id_) for id_ in (*view.rules.cast, *view.rules.districts)}
    found = typed.named(rest, known)
    if not rest:
        caller.refuse(_("say which card: card, and its name."))
    elif len(found) == 1:
        caller.say(*facts.card_text(view, found[0]))
    elif found:
        names = listing(map(card, found), joined="or")
        caller.refuse(
            _("{name} can be {cards}; say more of the name.").format(name=rest, cards=names)
        )
    else:
        caller.refuse(_("no card of this game is called {name}.").format(name=rest))


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
    caller.say(
        said(refusal.reason),
        _("Rule: {rule}.").format(rule=refusal.rule),
        _("Source: {place}.").format(place=said(refusal.source)),
    )
    if refusal.ruling:
        caller.say(_("Ruling: {ruling}").format(ruling=said(refusal.ruling)))
    about = _card_of(caller.session.view, refused)
    if about is not None:
        caller.say(*facts.card_text(caller.session.view, about))


def _card_of(t: Table, refused: Refused) -> str | None:
    """The card whose rule forbade it, if it is one card's: `warlord.bishop` is the Warlord's."""
    owner = refused.refusal.rule.partition(".")[0]
    if owner in t.rules.characters or owner in t.rules.districts:
        return owner
    named = (word for word in split(refused.move) or () if word in t.rules.uniques)
    return next(named, None) if refused.refusal.rule in _OF_A_DISTRICT else None


_OF_A_DISTRICT = ("build.never", "build.city_full", "build.form")  # the named district's own

QUERIES: dict[str, Query] = {
    "status": _of_table(facts.status),
    "gold?": _of_table(facts.status),
    "who": _of_table(facts.who),
    "round": _of_table(strip.lines),
    "called": _of_table(state.called),
    "characters": _of_table(state.characters),
    "uniques": _of_table(state.uniques),
    "options": _of_table(state.options),
    "rules": _of_table(editions.rules),
    "steps": _of_table(prompts.selection_steps),
    "hand": _of_seats(state.hands),
    "left": _of_seats(state.left),
    "city": _of_seats(_cities),
    "cities": _of_seats(_cities),
    "score": _score,
    "last": _last,
    "history": _history,
    "card": _card,
    "why": _why,
}
"""Every question by its word."""

WITH_WORDS = frozenset({"hand", "left", "city", "history", "card", "why"})
"""Those that may name a player, a card or a number."""

_SHARED: dict[str, Query] = {"gold": _of_seats(state.gold), "crown": _of_table(state.crown)}


def instead(caller: Caller, line: str) -> bool:
    """Answer a question that is also a verb of the notation, where it can be no move now; whether
    it was one: `crown`, `gold Ben`. (`gold` alone is refused as a move, and then told.)"""
    first, _space, rest = line.partition(" ")
    word = vocabulary.word(first, *_SHARED)
    if word is None or (rest and (word == "crown" or not _named(caller, rest))):
        return False
    verbs = {move.verb for move in caller.session.legal()}
    if not rest and (word == "gold" or word in verbs):
        return False
    _SHARED[word](caller, rest)
    return True
