"""Why a move is refused, in a sentence: the words that fill the reasons of `rules.yaml`.

A rule only names itself when it forbids; the sentence is made here, when somebody asks, from the
table and the move. `_WORDS` is the whole vocabulary that a reason may use.
"""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter
from typing import TYPE_CHECKING

from engine.refusals import Refusal, rules
from engine.rules import is_kept_out, offered, owners_of
from engine.rules.base import taken
from engine.rules.building import price
from engine.rules.characters.marks import Naming
from engine.rules.characters.strikers import (
    exchange_price,
    exchanged,
    seizing_price,
    strike_price,
)
from engine.rules.counting import wrong_district
from engine.rules.turn import paying_districts
from engine.sentences import Sentence, Typed, Words, quoted
from engine.table import BEWITCHED, HOSPITAL, LAST, NAMING, THREATENED, UNNAMED
from engine.words import Name, amount, any_district, card, listing
from engine.words import cards as card_list

if TYPE_CHECKING:
    from engine.moves import Move, UnknownMove
    from engine.table import Seat, Table

UNKNOWN = "move.unknown"
"""The rule of words that are not a move: a slip, which breaks no rule of the game."""


def refusal(t: Table, move: Move, rule: str) -> Refusal:
    """The refusal of that move by that rule at that table."""
    facts = rules()[rule]
    if "source" in facts:
        source = Sentence(facts["source"])
    else:
        place = card(facts["card"]) if "card" in facts else _filled(facts["section"], t, move)
        source = Sentence("{edition}, {place}", edition=t.rules.edition.cites, place=place)
    return Refusal(rule, _filled(facts["reason"], t, move), source, _ruling(facts))


def _filled(template: str, t: Table, move: Move) -> Sentence:
    fields = {field for _, field, _, _ in Formatter().parse(template) if field}
    return Sentence(template, **{field: _WORDS[field](t, move) for field in fields})


def _ruling(facts: dict[str, str]) -> Sentence | None:
    return Sentence(facts["ruling"]) if "ruling" in facts else None


def unknown(error: UnknownMove) -> Refusal:
    """The refusal of words that are no move, with the nearest moves offered."""
    facts = rules()[UNKNOWN]
    shown = error.text if len(error.text) <= 60 else error.text[:60] + "…"
    if not error.nearest:
        reason = Sentence(facts["reason"], move=shown)
    else:
        offers = map(quoted, error.nearest)
        reason = Sentence(facts["reason_near"], move=shown, offers=listing(offers, joined="or"))
    return Refusal(UNKNOWN, reason, Sentence(facts["source"]))


def misplaced(t: Table, verb: str) -> str:
    """The rule that refuses a verb which this moment does not offer."""
    phase = t.phase
    if is_kept_out(t, verb):
        return f"cities.{t.rules.answers['cities']}"
    if t.turn is not None and t.turn.part in _PARTS and phase == "turn":
        return _PARTS[t.turn.part].format(character=t.turn.character)
    if phase == "turn" and owners_of(verb):
        return "power.other_character"
    return f"phase.{phase}"


def _named(t: Table, move: Move) -> Seat:
    return t.seats[t.seat_named(move.words("P")[0])]


def _district(move: Move) -> str:
    return move.words("D")[0]


def _price(t: Table, move: Move) -> Words:
    """What the move would cost: destroying, seizing or exchanging a district that stands."""
    victim = _named(t, move)
    gives, takes = exchanged(move.args) if move.verb == "exchange" else ((), move.args)
    built = taken(t, *takes)
    if gives:
        return amount("gold", exchange_price(t, taken(t, t.acting.name, *gives), victim, built))
    pricing = seizing_price if move.verb == "seize" else strike_price
    return amount("gold", pricing(t, victim, built))


def _misnamed(t: Table, move: Move) -> tuple[Seat, tuple[str, ...]]:
    """Whose district the move calls by the wrong words, and these words."""
    acting = t.acting
    match move.verb:
        case "exchange":
            gives, takes = exchanged(move.args)
            if acting.city.misnamed(*gives):
                return acting, gives
        case "build":
            return acting, move.args[2:]
        case "use":
            takes = move.args[1:]
        case _:
            takes = move.args
    return t.seats[t.seat_named(takes[0])], takes[1:]


def _marks(t: Table, move: Move) -> Words:
    """The words that tell districts of one name apart in the city that the move is about."""
    seat, (district, *_mark) = _misnamed(t, move)
    marks = (Typed(card.mark) for card in seat.city.differing(district))
    return listing(map(quoted, marks), joined="or")


def _income_form(t: Table) -> Typed:
    mixed = t.rules.income_in[t.playing.character] == "mix"
    return Typed("income gold N cards M" if mixed else "income")


def _target(t: Table, move: Move) -> Words:
    """The character of the move that the reason is about: the one out of place, if one is."""
    named, known = move.words("C"), t.rules.characters
    action = offered(t).by_verb.get(move.verb)
    if isinstance(action, Naming):
        wrong = [c for c in named if action.spared(t, c)]
    else:
        wrong = [c for c in named if c not in known] or [c for c in named if known[c].rank == 4]
    return card((wrong or named)[0])


def _owners(move: Move, t: Table) -> Words:
    owners = owners_of(move.verb)
    if t.turn is not None and t.turn.character in owners:
        owners = [t.turn.character]
    here = [owner for owner in owners if owner in t.rules.characters] or owners
    return card(here[0]) if len(here) == 1 else card_list(here, joined="or")


def _payer(t: Table, move: Move) -> Seat:
    """Who would have to pay: whoever is named, unless the gold is for him."""
    named = move.words("P")
    to_another = move.verb == "pay" and len(move.args) == 3
    return t.seats[t.seat_named(named[0])] if named and not to_another else t.acting


def _wrong_district(t: Table, move: Move) -> Words:
    found = wrong_district(t, *move.args)
    return card(found[1]) if found else quoted("?")


def _about(t: Table) -> Name:
    """The card that the question is about; `district` where nobody recorded which."""
    about = t.questions[-1].about
    return card(about) if about != UNNAMED else any_district()


def _asked(t: Table) -> str:
    return t.seats[t.questions[-1].seat].name


_PARTS = {
    BEWITCHED: "witch.bewitched_gathers",
    HOSPITAL: "hospital.gathers_only",
    NAMING: "witch.before_resuming",
    THREATENED: "blackmailer.answer_first",
    LAST: "{character}.last_thing",
}
_QUESTIONS: dict[str, Callable[[Words], Sentence]] = {
    "graveyard": lambda about: Sentence(
        "does the Graveyard take the {card} back for 1 gold?", card=about
    ),
    "unmask": lambda about: Sentence("whose was the {character}?", character=about),
    "emperor": lambda about: Sentence(
        "who gets the crown of the killed {character}?", character=about
    ),
    "warrant": lambda about: Sentence("does the Magistrate confiscate the {card}?", card=about),
    "threat": lambda about: Sentence(
        "does the {character} bribe the Blackmailer?", character=about
    ),
    "city": lambda about: Sentence("which districts stand in the city?"),
    "expose": lambda about: Sentence(
        "does the Blackmailer show the threat on the {character}?", character=about
    ),
}
_REMEDIES = {
    "replace": Sentence("put another in its place and shuffle it back"),
    "redeal": Sentence("shuffle all the characters and deal again"),
}

_WORDS: dict[str, Callable[[Table, Move], object]] = {
    "move": lambda t, m: m.text,
    "verb": lambda t, m: Typed(m.verb),
    "player": lambda t, m: t.acting.name,
    "character": lambda t, m: card(t.playing.character),
    "gold": lambda t, m: amount("gold", t.acting.gold),
    "hand": lambda t, m: amount("card", t.acting.hand),
    "limit": lambda t, m: str(t.rules.characters[t.playing.character].build_limit),
    "called": lambda t, m: str(t.called),
    "called_character": lambda t, m: card(t.rules.by_rank[t.called]),
    "asked": lambda t, m: _asked(t),
    "question": lambda t, m: _QUESTIONS[t.questions[-1].kind](_about(t)),
    "about": lambda t, m: _about(t),
    "number_of_players": lambda t, m: str(len(t.seats)),
    "cast": lambda t, m: str(len(t.rules.cast)),
    "faceup_owed": lambda t, m: str(t.rules.faceup_count),
    "remedy": lambda t, m: _REMEDIES[t.rules.answers["faceup_rank_4"]],
    "target": _target,
    "named": lambda t, m: _named(t, m).name,
    "victim": lambda t, m: _named(t, m).name,
    "player_named": lambda t, m: m.words("P")[0],
    "lender": lambda t, m: _named(t, m).name,
    "shown": lambda t, m: card_list(_named(t, m).revealed),
    "owner": lambda t, m: _owners(m, t),
    "district": lambda t, m: card(_district(m)),
    "district_named": lambda t, m: card(m.words("D")[-1]),
    "cost": lambda t, m: amount("gold", price(t, _district(m))),
    "city_size": lambda t, m: str(t.city_size),
    "total": lambda t, m: str(paying_districts(t, t.playing.seat, t.playing.character)),
    "income_form": lambda t, m: _income_form(t),
    "price": _price,
    "number": lambda t, m: m.args[0],
    "amount": lambda t, m: amount("gold", int(m.words("N")[0])),
    "payer": lambda t, m: _payer(t, m).name,
    "payers_gold": lambda t, m: amount("gold", _payer(t, m).gold),
    "first_complete": lambda t, m: listing(t.rules.names(t.first_complete)),
    "wrong_district": lambda t, m: _wrong_district(t, m),
    "named_size": lambda t, m: amount("district", len(_named(t, m).city.cards)),
    "holder": lambda t, m: _misnamed(t, m)[0].name,
    "twin": lambda t, m: card(_misnamed(t, m)[1][0]),
    "marks": _marks,
    "mark": lambda t, m: Typed(_misnamed(t, m)[1][1]),
    "smithy_price": lambda t, m: amount("gold", t.acting.city.effects["use_gold_for_3_cards"]),
}
