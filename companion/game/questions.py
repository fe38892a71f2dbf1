"""The words that ask: about the table, what a card does, why not. Each is answered in lines, from
the view alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, card, listing, translate, vocabulary
from companion.language.vocabulary import match_names, names_of_cards, player_names
from companion.verbs import hints
from companion.wording import editions_told, facts, state
from engine.moves import split
from engine.referee import list_legal_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.explain import Refused
    from engine.table import Table

    Question = Callable[[Table, str], Sequence[str]]


class NotUnderstood(ValueError):
    """A question that cannot be answered; the message says why, in the table's language."""


def asks(word: str, rest: str = "") -> bool:
    return word in QUESTIONS and (not rest or word in _WITH_WORDS)


def answer_instead(table: Table, word: str, rest: str) -> Sequence[str] | None:
    """The answer of a word that is also a verb of the notation, if it cannot be a move now:
    `crown`, `gold Ben`; else None. (`gold` alone is a move, refused or not.)"""
    topic = vocabulary.match_word(word, *_ALSO_VERBS)
    if topic is None or (rest and (topic == "crown" or not find_players(table, rest))):
        return None
    if not rest and (
        topic == "gold" or any(move.verb == topic for move in list_legal_moves(table))
    ):
        return None
    return _ALSO_VERBS[topic](table, rest)


def _ask_of_table(tell: Callable[[Table], Sequence[str]]) -> Question:
    return lambda t, rest: tell(t)


def _ask_of_seats(tell: Callable[[Table, list[int]], Sequence[str]]) -> Question:
    """A question about one player, or about all if none is named."""
    return lambda t, rest: tell(t, _seats(t, rest))


def _seats(table: Table, rest: str) -> list[int]:
    if not rest:
        return list(range(len(table.seats)))
    names = find_players(table, rest)
    if not names and rest.isdecimal():
        raise NotUnderstood(_("There is no seat {seat} in this game.").format(seat=rest))
    if not names:
        raise NotUnderstood(_("nobody here is called {name}.").format(name=rest))
    return [table.seat_named(name) for name in names]


def find_players(table: Table, name: str) -> list[str]:
    """The players that the words name, in full or by prefix; a number is a seat."""
    if name.isascii() and name.isdecimal():
        return [
            name_ for at, name_ in enumerate(table.rules.player_names, start=1) if str(at) == name
        ]
    return match_names(name.strip('"'), player_names(table.rules.player_names))


def _gold(table: Table, rest: str) -> Sequence[str]:
    """One player's gold, or everybody's with their cards."""
    return facts.purses(table, _seats(table, rest)) if rest else facts.status(table)


def _cities(table: Table, seats: list[int]) -> list[str]:
    return [line for seat in seats for line in facts.city(table, seat)]


def _score(table: Table) -> list[str]:
    if table.stage != "over":
        return facts.tell_scores(table, final=False)
    return [*facts.score(table), *facts.tell_result(table)]


def _card(table: Table, rest: str) -> Sequence[str]:
    card_names = names_of_cards((*table.rules.cast, *table.rules.districts))
    cards = match_names(rest, card_names)
    if not rest:
        raise NotUnderstood(_("which card? Type card and its name."))
    if len(cards) == 1:
        return facts.card_text(table, cards[0])
    if cards:
        names = listing(map(card, cards), conjunction="or")
        sentence = _("{name} could be {cards}; type more of the name.")
        raise NotUnderstood(sentence.format(name=rest, cards=names))
    raise NotUnderstood(_("no card in this game is called {name}.").format(name=rest))


def _taps(table: Table) -> Sequence[str]:
    return hints(list_legal_moves(table)) or [_("Tap a card to see what it does.")]


def explain_refusal(table: Table, error: Refused | None) -> list[str]:
    """The rule behind a refusal, with its source, and the card that it belongs to."""
    if error is None:
        return [_("Every move so far was allowed. To ask about a card, type why and its name.")]
    refusal = error.refusal
    if not refusal.is_by_rule:  # a secret reason, or nothing was forbidden
        return [translate(refusal.reason)]
    lines = [
        translate(refusal.reason),
        _("Source: {place} ({rule}).").format(place=translate(refusal.source), rule=refusal.rule),
    ]
    lines += facts.printed_sentence(refusal)
    about = _card_of(table, error)
    return lines + (facts.card_text(table, about) if about is not None else [])


def _card_of(table: Table, error: Refused) -> str | None:
    """The card whose rule forbade it, if any: `warlord.bishop` is the Warlord's."""
    owner = error.refusal.rule.partition(".")[0]
    if owner in table.rules.characters or owner in table.rules.districts:
        return owner
    districts = (word for word in split(error.move) or () if word in table.rules.uniques)
    return next(districts, None) if error.refusal.rule in _OF_A_DISTRICT else None


_OF_A_DISTRICT = ("build.never", "build.city_full", "build.form")  # the named district's own rules

QUESTIONS: dict[str, Question] = {
    "status": _ask_of_table(facts.status),
    "gold?": _gold,
    "who": _ask_of_table(facts.tell_who),
    "round": _ask_of_table(state.list_round),
    "called": _ask_of_table(state.tell_called),
    "characters": _ask_of_table(state.characters),
    "uniques": _ask_of_table(state.uniques),
    "options": _ask_of_table(state.options),
    "rules": _ask_of_table(editions_told.rules),
    "steps": _ask_of_table(state.selection_steps),
    "taps": _ask_of_table(_taps),
    "hand": _ask_of_seats(state.hands),
    "left": _ask_of_seats(state.tell_left),
    "city": _ask_of_seats(_cities),
    "cities": _ask_of_seats(_cities),
    "score": _ask_of_table(_score),
    "card": _card,
}

_WITH_WORDS = frozenset({"gold?", "hand", "left", "city", "card"})

_ALSO_VERBS: dict[str, Question] = {
    "gold": _ask_of_seats(facts.purses),
    "crown": _ask_of_table(facts.tell_crown),
}
