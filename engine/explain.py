"""Why a move is refused, in a sentence: the words that fill the reasons of `rules.yaml`.

A rule only names itself when it forbids; the sentence is made here, when somebody asks, from the
table and the move. `_WORDS` is the whole vocabulary that a reason may use.
"""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter
from typing import TYPE_CHECKING

from engine import cards
from engine.refusals import Refusal, rules
from engine.rules import is_kept_out, owners_of
from engine.rules.building import price
from engine.rules.characters.strikers import exchange_price, seizing_price, strike_price
from engine.rules.counting import wrong_district
from engine.rules.turn import paying_districts
from engine.table import BEWITCHED, HOSPITAL, STRUCK, UNNAMED

if TYPE_CHECKING:
    from engine.moves import Move, UnknownMove
    from engine.table import Seat, Table


def refusal(t: Table, move: Move, rule: str) -> Refusal:
    """The refusal of that move by that rule at that table."""
    facts = rules()[rule]
    source = facts.get("source") or _filled(f"{t.rules.edition.cites}, {facts['section']}", t, move)
    return Refusal(rule, _filled(facts["reason"], t, move), source, facts.get("ruling"))


def _filled(template: str, t: Table, move: Move) -> str:
    fields = {field for _, field, _, _ in Formatter().parse(template) if field}
    return template.format(**{field: _WORDS[field](t, move) for field in fields})


def unknown(t: Table, error: UnknownMove) -> Refusal:
    """The refusal of words that are no move, with the nearest moves offered."""
    facts = rules()["move.unknown"]
    offers = " or ".join(f"“{offer}”" for offer in error.nearest)
    nearest = f" Perhaps {offers}." if offers else ""
    shown = error.text if len(error.text) <= 60 else error.text[:60] + "…"
    reason = facts["reason"].format(move=shown, nearest=nearest)
    return Refusal("move.unknown", reason, facts["source"])


def misplaced(t: Table, verb: str) -> str:
    """The rule that refuses a verb which this moment does not offer."""
    phase = t.phase
    if is_kept_out(t, verb):
        return f"cities.{t.rules.answers['cities']}"
    if t.turn is not None and t.turn.part in _PARTS and phase == "turn":
        return _PARTS[t.turn.part]
    if phase == "turn" and owners_of(verb):
        return "power.other_character"
    return f"phase.{phase}"


def _named(t: Table, move: Move) -> Seat:
    return t.seats[t.seat_named(move.words("P")[0])]


def _district(move: Move) -> str:
    return move.words("D")[0]


def _price(t: Table, move: Move) -> str:
    """What the move would cost: destroying, seizing or exchanging a district that stands."""
    victim = _named(t, move)
    card = victim.city.find(move.words("D")[-1])
    own = t.acting.city.find(_district(move))
    if card is None:
        return "?"
    if move.verb == "exchange" and own is not None:
        return str(exchange_price(t, own, victim, card))
    pricing = seizing_price if move.verb == "seize" else strike_price
    return str(pricing(t, victim, card))


def _income_form(t: Table) -> str:
    mixed = t.rules.income_in[t.playing.character] == "mix"
    return "income gold N cards M" if mixed else "income"


def _target(t: Table, move: Move) -> str:
    """The character of the move that the reason is about: the one out of place, if one is."""
    named = move.words("C")
    known = t.rules.characters
    outsiders = [c for c in named if c not in known]
    barred_rank = 4 if move.verb == "faceup" else 1
    barred = [
        c
        for c in named
        if c in (t.killed, t.bewitched) or cards.characters()[c].rank == barred_rank
    ]
    return cards.name_of((outsiders or barred or named)[0])


def _owners(move: Move, t: Table) -> str:
    owners = owners_of(move.verb)
    if t.turn is not None and t.turn.character in owners:
        owners = [t.turn.character]
    here = [owner for owner in owners if owner in t.rules.characters] or owners
    return " or the ".join(cards.name_of(owner) for owner in here)


def _payer(t: Table, move: Move) -> Seat:
    """Who would have to pay: whoever is named, unless the gold is for him."""
    named = move.words("P")
    to_another = move.verb == "pay" and len(move.args) == 3
    return t.seats[t.seat_named(named[0])] if named and not to_another else t.acting


def _wrong_district(t: Table, move: Move) -> str:
    found = wrong_district(t, *move.args)
    return cards.name_of(found[1]) if found else "?"


def _about(t: Table) -> str:
    """The card that the question is about; `district` where nobody recorded which."""
    about = t.questions[-1].about
    return cards.name_of(about) if about != UNNAMED else "district"


def _asked(t: Table) -> str:
    return t.seats[t.questions[-1].seat].name


_PARTS = {
    BEWITCHED: "witch.bewitched_gathers",
    HOSPITAL: "hospital.gathers_only",
    STRUCK: "warlord.last_thing",
}
_QUESTIONS = {
    "graveyard": "does the Graveyard take the {about} back for 1 gold?",
    "unmask": "whose was the {about}?",
    "emperor": "who gets the crown of the killed {about}?",
    "warrant": "does the Magistrate confiscate the {about}?",
    "threat": "does the {about} bribe the Blackmailer?",
    "city": "which districts stand in the city?",
    "expose": "does the Blackmailer show the threat on the {about}?",
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
    "question": lambda t, m: _QUESTIONS[t.questions[-1].kind].format(about=_about(t)),
    "killed": lambda t, m: _about(t),
    "players": lambda t, m: str(len(t.seats)),
    "cast": lambda t, m: str(len(t.rules.cast)),
    "faceup_owed": lambda t, m: str(t.rules.faceup_count),
    "are_faceup_owed": lambda t, m: "is" if t.rules.faceup_count == 1 else "are",
    "remedy": lambda t, m: _REMEDIES[t.rules.answers["faceup_rank_4"]],
    "target": _target,
    "named": lambda t, m: _named(t, m).name,
    "victim": lambda t, m: _named(t, m).name,
    "player_named": lambda t, m: m.words("P")[0],
    "lender": lambda t, m: _named(t, m).name,
    "shown": lambda t, m: " and the ".join(map(cards.name_of, _named(t, m).revealed)),
    "owner": lambda t, m: _owners(m, t),
    "district": lambda t, m: cards.name_of(_district(m)),
    "district_named": lambda t, m: cards.name_of(m.words("D")[-1]),
    "cost": lambda t, m: str(price(t, _district(m))),
    "city_size": lambda t, m: str(t.city_size),
    "income": lambda t, m: str(paying_districts(t, t.playing.seat, t.playing.character)),
    "income_form": lambda t, m: _income_form(t),
    "price": _price,
    "number": lambda t, m: m.args[0],
    "amount": lambda t, m: m.words("N")[0],
    "payer": lambda t, m: _payer(t, m).name,
    "payers_gold": lambda t, m: str(_payer(t, m).gold),
    "first_complete": lambda t, m: " and ".join(t.rules.names(t.first_complete)),
    "wrong_district": lambda t, m: _wrong_district(t, m),
    "named_size": lambda t, m: str(len(_named(t, m).city.cards)),
    "smithy_price": lambda t, m: str(t.acting.city.effects["use_gold_for_3_cards"]),
}
