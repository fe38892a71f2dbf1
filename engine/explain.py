"""Why a move is refused, in a sentence: the words that fill the reasons of `rules.yaml`.

A rule only names itself when it forbids; the sentence is made here, when somebody asks, from the
table and the move. `_WORDS` is the whole vocabulary that a reason may use.
"""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter
from typing import TYPE_CHECKING

from engine import cards, datafiles
from engine.refusals import Refusal
from engine.rules import owners_of
from engine.rules.characters.strikers import strike_price

if TYPE_CHECKING:
    from engine.moves import Move, UnknownMove
    from engine.table import Seat, Table


def refusal(t: Table, move: Move, rule: str) -> Refusal:
    """The refusal of that move by that rule at that table."""
    facts = datafiles.load("rules")[rule]
    template: str = facts["reason"]
    fields = {field for _, field, _, _ in Formatter().parse(template) if field}
    reason = template.format(**{field: _WORDS[field](t, move) for field in fields})
    return Refusal(rule, reason, _source(t, facts), facts.get("ruling"))


def unknown(t: Table, error: UnknownMove) -> Refusal:
    """The refusal of words that are no move, with the nearest moves offered."""
    facts = datafiles.load("rules")["move.unknown"]
    offers = " or ".join(f"“{offer}”" for offer in error.nearest)
    nearest = f" Perhaps {offers}." if offers else ""
    shown = error.text if len(error.text) <= 60 else error.text[:60] + "…"
    reason = facts["reason"].format(move=shown, nearest=nearest)
    return Refusal("move.unknown", reason, _source(t, facts))


def misplaced(t: Table, verb: str) -> str:
    """The rule that refuses a verb which this moment does not offer."""
    phase = t.phase
    if phase == "turn" and owners_of(verb):
        return "power.other_character"
    return f"phase.{phase}"


def _source(t: Table, facts: dict[str, str]) -> str:
    return facts.get("source") or f"{t.rules.edition.cites}, {facts['section']}"


def _named(t: Table, move: Move) -> Seat:
    return t.seats[t.seat_named(move.args[0])]


def _district(move: Move) -> str:
    return move.words("D")[0]


def _price(t: Table, move: Move) -> str:
    card = _named(t, move).city.find(_district(move))
    return str(strike_price(t, _named(t, move), card)) if card else "?"


def _target(t: Table, move: Move) -> str:
    """The character of the move that the reason is about: the one out of place, if one is."""
    named = move.words("C")
    outsiders = [c for c in named if c not in t.rules.characters]
    fourth = [c for c in named if cards.characters()[c].rank == 4]
    return cards.name_of((outsiders or fourth or named)[0])


def _owners(move: Move, t: Table) -> str:
    owners = owners_of(move.verb)
    here = [owner for owner in owners if owner in t.rules.characters] or owners
    return " or the ".join(cards.name_of(owner) for owner in here)


def _asked(t: Table) -> str:
    return t.seats[t.questions[-1].seat].name


_QUESTIONS = {
    "graveyard": "does the Graveyard take the {about} back for 1 gold?",
    "unmask": "whose was the {about}?",
}
_REMEDIES = {
    "replace": "put another in its place and shuffle it back",
    "redeal": "shuffle all the characters and deal again",
}

_WORDS: dict[str, Callable[[Table, Move], str]] = {
    "move": lambda t, m: m.text,
    "verb": lambda t, m: m.verb,
    "player": lambda t, m: t.acting.name,
    "character": lambda t, m: cards.name_of(t.playing.character),
    "gold": lambda t, m: str(t.acting.gold),
    "hand": lambda t, m: str(t.acting.hand),
    "limit": lambda t, m: str(t.rules.characters[t.playing.character].build_limit),
    "called": lambda t, m: str(t.called),
    "called_character": lambda t, m: cards.name_of(t.rules.by_rank[t.called]),
    "asked": lambda t, m: _asked(t),
    "question": lambda t, m: _QUESTIONS[t.questions[-1].kind].format(
        about=cards.name_of(t.questions[-1].about)
    ),
    "killed": lambda t, m: cards.name_of(t.questions[-1].about),
    "players": lambda t, m: str(len(t.seats)),
    "cast": lambda t, m: str(len(t.rules.cast)),
    "faceup_owed": lambda t, m: str(t.rules.faceup_count),
    "are_faceup_owed": lambda t, m: "is" if t.rules.faceup_count == 1 else "are",
    "remedy": lambda t, m: _REMEDIES[t.rules.answers["faceup_rank_4"]],
    "target": _target,
    "named": lambda t, m: _named(t, m).name,
    "victim": lambda t, m: _named(t, m).name,
    "shown": lambda t, m: " and the ".join(map(cards.name_of, _named(t, m).revealed)),
    "owner": lambda t, m: _owners(m, t),
    "district": lambda t, m: cards.name_of(_district(m)),
    "cost": lambda t, m: str(t.rules.districts[_district(m)].cost),
    "price": _price,
    "number": lambda t, m: m.args[0],
    "smithy_price": lambda t, m: str(t.acting.city.effects["use_gold_for_3_cards"]),
}
