"""Questions about the table, asked by a word: each is answered in lines, from the view alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion import vocabulary
from companion.game.verbs import hints
from companion.intent import typed
from companion.language import _, card, listing, said
from companion.wording import editions, facts, prompts, state, strip
from engine import explain
from engine.moves import split
from engine.referee import legal

if TYPE_CHECKING:
    from engine.refusals import Refused
    from engine.table import Table

    Question = Callable[[Table, str], Sequence[str]]


class NotUnderstood(ValueError):
    """A question or word that cannot be answered; the message says why, in the table's language."""


def answer(t: Table, word: str, rest: str) -> Sequence[str] | None:
    """The answer to that question; None where the word asks nothing. Raises NotUnderstood."""
    question = QUESTIONS.get(word)
    return None if question is None or (rest and word not in _WITH_WORDS) else question(t, rest)


def asks(word: str, rest: str = "") -> bool:
    """Whether the word is a question."""
    return word in QUESTIONS and (not rest or word in _WITH_WORDS)


def instead_of_move(t: Table, word: str, rest: str) -> Sequence[str] | None:
    """The answer of a word that is also a verb of the notation, where it can be no move now:
    `crown`, `gold Ben`; None where it is none. (`gold` alone is a move, refused or not.)"""
    asked = vocabulary.word(word, *_SHARED)
    if asked is None or (rest and (asked == "crown" or not _named(t, rest))):
        return None
    if not rest and (asked == "gold" or any(move.verb == asked for move in legal(t))):
        return None
    return _SHARED[asked](t, rest)


def _of_table(lines: Callable[[Table], Sequence[str]]) -> Question:
    return lambda t, rest: lines(t)


def _of_seats(lines: Callable[[Table, list[int]], Sequence[str]]) -> Question:
    """A question about one player, or about all where none is named."""
    return lambda t, rest: lines(t, _seats(t, rest))


def _seats(t: Table, rest: str) -> list[int]:
    if not rest:
        return list(range(len(t.seats)))
    found = _named(t, rest)
    if not found:
        raise NotUnderstood(_("nobody here is called {name}.").format(name=rest))
    return [t.seat_named(name) for name in found]


def _named(t: Table, name: str) -> list[str]:
    """The players whom the words name, or begin to name; a number is a seat."""
    if name.isascii() and name.isdecimal():
        return [name_ for at, name_ in enumerate(t.rules.player_names, start=1) if str(at) == name]
    return typed.named(name.strip('"'), typed.player_names(t.rules.player_names))


def _cities(t: Table, seats: list[int]) -> list[str]:
    return [line for seat in seats for line in facts.city(t, seat)]


def _score(t: Table) -> list[str]:
    if t.stage != "over":
        return [_("Scores so far; the game is not over."), *facts.score(t)]
    return [*facts.score(t), facts.result(t)]


def _card(t: Table, rest: str) -> Sequence[str]:
    known = {id_: typed.card_names(id_) for id_ in (*t.rules.cast, *t.rules.districts)}
    found = typed.named(rest, known)
    if not rest:
        raise NotUnderstood(_("say which card: card, and its name."))
    if len(found) == 1:
        return facts.card_text(t, found[0])
    if found:
        names = listing(map(card, found), joined="or")
        sentence = _("{name} can be {cards}; say more of the name.")
        raise NotUnderstood(sentence.format(name=rest, cards=names))
    raise NotUnderstood(_("no card of this game is called {name}.").format(name=rest))


def _taps(t: Table) -> Sequence[str]:
    return hints(legal(t)) or [_("A tapped card is shown and explained.")]


def why(t: Table, refused: Refused | None) -> list[str]:
    """The rule behind a refusal, with its source, and the card whose rule it is."""
    if refused is None:
        return [_("Nothing was refused yet. Ask for a card: why, and its name.")]
    refusal = refused.refusal
    if refusal.rule in ("", explain.UNKNOWN):  # the reason is a secret; a slip breaks no rule
        return [said(refusal.reason)]
    lines = [
        said(refusal.reason),
        _("Rule: {rule}.").format(rule=refusal.rule),
        _("Source: {place}.").format(place=said(refusal.source)),
    ]
    if refusal.ruling:
        lines.append(_("Ruling: {ruling}").format(ruling=said(refusal.ruling)))
    about = _card_of(t, refused)
    return lines + (facts.card_text(t, about) if about is not None else [])


def _card_of(t: Table, refused: Refused) -> str | None:
    """The card whose rule forbade it, if it is one card's: `warlord.bishop` is the Warlord's."""
    owner = refused.refusal.rule.partition(".")[0]
    if owner in t.rules.characters or owner in t.rules.districts:
        return owner
    named = (word for word in split(refused.move) or () if word in t.rules.uniques)
    return next(named, None) if refused.refusal.rule in _OF_A_DISTRICT else None


_OF_A_DISTRICT = ("build.never", "build.city_full", "build.form")  # the named district's own

QUESTIONS: dict[str, Question] = {
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
    "taps": _of_table(_taps),
    "hand": _of_seats(state.hands),
    "left": _of_seats(state.left),
    "city": _of_seats(_cities),
    "cities": _of_seats(_cities),
    "score": _of_table(_score),
    "card": _card,
}

_WITH_WORDS = frozenset({"hand", "left", "city", "card"})

_SHARED: dict[str, Question] = {"gold": _of_seats(state.gold), "crown": _of_table(state.crown)}
