"""Why a move is refused, in a sentence: fills in the reasons of `rules.yaml`.

A rule that forbids a move only returns its id; the sentence is built here on demand, from the table
and the move. `_WORDS` lists every field a reason may use.
"""

from __future__ import annotations

from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

from common.sentences import Sentence, Typed, Words, quote
from engine import datafiles
from engine.editions import RULINGS, Edition, editions, switches, write_answer
from engine.rules import find_menu, is_switched_off, owners_of
from engine.rules.base import find_district
from engine.rules.building import price
from engine.rules.characters.naming import Naming
from engine.rules.characters.strikers import (
    exchange_price,
    seizing_price,
    split_exchange,
    strike_price,
)
from engine.rules.counting import find_wrong_district
from engine.rules.payments import count_spare
from engine.rules.selection import find_no_answer
from engine.rules.turn_moves import count_paying_districts
from engine.table import BEWITCHED, HOSPITAL, LAST, NAMING, THREATENED, UNNAMED, Seat, Table
from engine.words import Name, amount, any_district, card, listing
from engine.words import cards as card_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.moves import Move, UnknownMove


class Printed(NamedTuple):
    """A sentence of a rulebook, word for word, in that book's language."""

    section: str
    says: str
    language: str


UNKNOWN = "move.unknown"
"""The rule for text that is not a move: a typing mistake, not a breach of the game's rules."""


class Refusal(NamedTuple):
    """The rule's id, the reason, its place in the rulebook, or `ours` and why; and the book's
    sentence, where its text is to be had."""

    rule: str
    reason: str  # a Sentence, or words already translated
    source: Sentence
    printed: Printed | None = None

    @property
    def is_by_rule(self) -> bool:
        """Whether a rule of the game forbids it: a typing mistake, or a choice that is not offered,
        breaks none."""
        return self.rule not in ("", UNKNOWN)


class Refused(Exception):
    """A move that the rules forbid; the table has not changed."""

    def __init__(self, move: str, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.move = move
        self.refusal = refusal


@cache
def rules() -> dict[str, dict[str, str]]:
    """Every rule that can refuse a move, by id, with its sentence and its place."""
    return {
        rule: facts
        for key, facts in datafiles.load("rules").items()
        for rule in key.split()  # rules that differ only in the character share a sentence
    }


@cache
def find_printed(edition: str, language: str) -> dict[str, Printed]:
    """The sentences that the edition's rulebook prints in that language, by rule."""
    return {
        rule: Printed(facts["section"], facts["says"], language)
        for key, facts in datafiles.load("printed").get(edition, {}).items()
        for rule in key.split()
    }


def refuse(table: Table, move: Move, rule: str) -> Refusal:
    """The refusal of `move` by `rule` at this table."""
    facts = rules()[rule]
    reason = facts["reason"]
    if "reason_no_owner" in facts and not _owners_here(table, move.verb):
        reason = facts["reason_no_owner"]
    elif "reason_murdered" in facts:
        reason = facts.get(f"reason_{find_no_answer(table)}", reason)
    source, edition = _find_ours(facts, table), table.rules.edition
    if source is not None:
        return Refusal(rule, _fill(reason, table, move), source)
    book = _find_book(edition, facts.get("card", ""))
    place = card(facts["card"]) if "card" in facts else _fill(facts["section"], table, move)
    source = Sentence("{edition}, {place}", edition=book.cites, place=place)
    printed = find_printed(book.id, book.language).get(rule)
    return Refusal(rule, _fill(reason, table, move), source, printed)


def _find_ours(facts: dict[str, str], table: Table) -> Sentence | None:
    """Why we refuse it, where no rulebook does; None where the rulebook does."""
    if "ours" in facts:
        return Sentence(facts["ours"])
    if "notation" in facts:
        return _cite_notation(facts)
    switch = facts.get("switch", "")
    edition, answers = table.rules.edition, table.rules.answers
    if not switch or answers[switch] == edition.answers(len(table.seats))[switch]:
        return None
    name = switch if switch in table.rules.options else RULINGS
    option = f"{name}={write_answer(table.rules.options[name])}"
    return Sentence("ours — this table's option {option}", option=Typed(option))


def _find_book(edition: Edition, card_id: str) -> Edition:
    """The edition itself, or the first that has the card, if this box comes without it."""
    district = datafiles.load_shipped("districts").get(card_id, {})
    character = datafiles.load_shipped("characters").get(card_id, {})
    printings = district.get("copies") or character.get("printings")
    boxes = datafiles.load_shipped("editions")
    for other in (edition, *editions().values()):
        if printings is None or boxes[other.id]["printing"] in printings:
            return other
    return edition


def _owners_here(table: Table, verb: str) -> list[str]:
    """The characters of this game that have the verb as a power."""
    return [owner for owner in owners_of(verb) if owner in table.rules.characters]


def _fill(template: str, table: Table, move: Move) -> Sentence:
    return Sentence(template, **{name: _WORDS[name](table, move) for name in _names_in(template)})


@cache
def _names_in(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def refuse_unknown(error: UnknownMove) -> Refusal:
    """The refusal of text that is not a move, with suggestions."""
    facts = rules()[UNKNOWN]
    shown = error.text if len(error.text) <= 60 else error.text[:60] + "…"
    if not error.nearest:
        reason = Sentence(facts["reason"], move=shown)
    else:
        offers = map(quote, error.nearest)
        reason = Sentence(
            facts["reason_near"], move=shown, offers=listing(offers, conjunction="or")
        )
    return Refusal(UNKNOWN, reason, find_source_of_unknown())


def find_source_of_unknown() -> Sentence:
    """Where the companion says which moves there are."""
    return _cite_notation(rules()[UNKNOWN])


def _cite_notation(facts: dict[str, str]) -> Sentence:
    return Sentence("ours ({place})", place=Sentence(facts["notation"]))


def find_rule_of_moment(table: Table, verb: str) -> str:
    """The rule that refuses a verb not offered at this moment."""
    phase = table.phase
    if is_switched_off(table, verb):
        return f"cities.{table.rules.answers['cities']}"
    if table.turn is not None and table.turn.part in _PARTS and phase == "turn":
        return _PARTS[table.turn.part].format(character=table.turn.character)
    if phase == "turn" and owners_of(verb):
        return "power.other_character"
    return f"phase.{phase}"


def _find_named(table: Table, move: Move) -> Seat:
    return table.seats[table.seat_named(move.words("P")[0])]


def _district(move: Move) -> str:
    return move.words("D")[0]


def _name_district(table: Table, move: Move) -> Words:
    """The district that the reason is about: of several, the first impossible one."""
    wrong = find_wrong_district(table, *move.args) if move.verb == "city" else None
    return card(wrong[1] if wrong else _district(move))


def _cost(table: Table, move: Move) -> Words:
    """What the move's district costs: to build it, or to use its power."""
    if move.verb == "use":
        return amount("gold", table.acting.city.effects["use_gold_for_3_cards"])
    return amount("gold", price(table, _district(move)))


def _remedy(table: Table) -> Sentence:
    """What happens instead to a character of rank 4."""
    name = "faceup_rank_4"
    return Sentence(switches()[name].values[table.rules.answers[name]])


def _price(table: Table, move: Move) -> Words:
    """What the move would cost: to destroy, seize or exchange a district."""
    victim = _find_named(table, move)
    gives, takes = split_exchange(move.args) if move.verb == "exchange" else ((), move.args)
    district = find_district(table, *takes)
    if gives:
        return amount(
            "gold",
            exchange_price(
                table, find_district(table, table.acting.name, *gives), victim, district
            ),
        )
    pricing = seizing_price if move.verb == "seize" else strike_price
    return amount("gold", pricing(table, victim, district))


def _find_misnamed(table: Table, move: Move) -> tuple[Seat, tuple[str, ...]]:
    """The owner of the misnamed district, and the wrong words."""
    acting = table.acting
    match move.verb:
        case "exchange":
            gives, takes = split_exchange(move.args)
            if acting.city.check_words(*gives):
                return acting, gives
        case "build" | "take":
            return acting, move.args[move.args.index("over") + 1 :]
        case "use":
            takes = move.args[1:]
        case _:
            takes = move.args
    return table.seats[table.seat_named(takes[0])], takes[1:]


def _marks(table: Table, move: Move) -> Words:
    """The marks that distinguish districts of one name in the city of the move."""
    seat, (district, *_mark) = _find_misnamed(table, move)
    marks = (Typed(card.mark) for card in seat.city.list_differing(district))
    return listing(map(quote, marks), conjunction="or")


def _income_form(table: Table) -> Sentence:
    if table.rules.income_in[table.playing.character] == "mix":
        return Sentence("say how much of it in gold and how much in cards")
    return Sentence("take it without saying an amount")


def _target(table: Table, move: Move) -> Words:
    """The character that the reason is about: the first illegal one, if any."""
    named, cast = move.words("C"), table.rules.characters
    action = find_menu(table).by_verb.get(move.verb)
    if isinstance(action, Naming):
        wrong = [c for c in named if action.find_protection(table, c)]
    else:
        wrong = [c for c in named if c not in cast] or [c for c in named if cast[c].rank == 4]
    return card((wrong or named)[0])


def _owners(table: Table, move: Move) -> Words:
    owners = owners_of(move.verb)
    if table.turn is not None and table.turn.character in owners:
        owners = (table.turn.character,)
    here = [owner for owner in owners if owner in table.rules.characters]
    return card(here[0]) if len(here) == 1 else card_list(here, conjunction="or")


def _payer(table: Table, move: Move) -> Seat:
    """The paying player: the one named, unless the gold goes to that player."""
    named = move.words("P")
    to_another = move.verb == "pay" and len(move.args) == 3
    return table.seats[table.seat_named(named[0])] if named and not to_another else table.acting


def _name_asked_card(table: Table) -> Name:
    """The card that the question is about; `district` if it was not recorded."""
    about = table.questions[-1].about
    return card(about) if about != UNNAMED else any_district()


def _name_asked(table: Table) -> str:
    return table.seats[table.questions[-1].seat].name


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
    "unmask": lambda about: Sentence("who had the {character}?", character=about),
    "emperor": lambda about: Sentence(
        "who gets the crown of the murdered {character}?", character=about
    ),
    "warrant": lambda about: Sentence("does the Magistrate confiscate the {card}?", card=about),
    "threat": lambda about: Sentence(
        "does the {character} bribe the Blackmailer?", character=about
    ),
    "city": lambda about: Sentence("which districts are in the city?"),
    "number": lambda about: Sentence("how many cards score for the {card}?", card=about),
    "gold": lambda about: Sentence("how much gold is left?"),
    "rank": lambda about: Sentence("which rank did the last character have?"),
    "first": lambda about: Sentence("whose city was complete first?"),
    "completion": lambda about: Sentence("was the city complete before it lost districts?"),
    "built_last_round": lambda about: Sentence(
        "was the {card} built in the last round?", card=about
    ),
    "expose": lambda about: Sentence(
        "does the Blackmailer reveal the threat on the {character}?", character=about
    ),
}

_WORDS: dict[str, Callable[[Table, Move], object]] = {
    "move": lambda t, m: m.text,
    "player": lambda t, m: t.acting.name,
    "character": lambda t, m: card(t.playing.character),
    "gold": lambda t, m: amount("gold", t.acting.gold),
    "hand": lambda t, m: amount("card", t.acting.hand),
    "spare": lambda t, m: amount("card", count_spare(t, is_taken=m.verb == "take")),
    "limit": lambda t, m: str(t.rules.characters[t.playing.character].build_limit),
    "called": lambda t, m: str(t.called),
    "called_character": lambda t, m: card(t.rules.by_rank[t.called]),
    "asked": lambda t, m: _name_asked(t),
    "question": lambda t, m: _QUESTIONS[t.questions[-1].kind](_name_asked_card(t)),
    "about": lambda t, m: _name_asked_card(t),
    "number_of_players": lambda t, m: str(len(t.seats)),
    "cast": lambda t, m: str(len(t.rules.cast)),
    "faceup_owed": lambda t, m: str(t.rules.faceup_count),
    "remedy": lambda t, m: _remedy(t),
    "target": _target,
    "named": lambda t, m: _find_named(t, m).name,
    "victim": lambda t, m: _find_named(t, m).name,
    "lender": lambda t, m: _find_named(t, m).name,
    "shown": lambda t, m: card_list(_find_named(t, m).revealed),
    "owner": _owners,
    "district": lambda t, m: _name_district(t, m),
    "district_named": lambda t, m: card(m.words("D")[-1]),
    "cost": lambda t, m: _cost(t, m),
    "city_size": lambda t, m: str(t.city_size),
    "total": lambda t, m: str(count_paying_districts(t, t.playing.seat, t.playing.character)),
    "income_form": lambda t, m: _income_form(t),
    "price": _price,
    "number": lambda t, m: m.args[0],
    "amount": lambda t, m: amount("gold", int(m.words("N")[0])),
    "payer": lambda t, m: _payer(t, m).name,
    "payers_gold": lambda t, m: amount("gold", _payer(t, m).gold),
    "first_complete": lambda t, m: listing(t.rules.names(t.first_complete)),
    "named_size": lambda t, m: amount("district", len(_find_named(t, m).city.cards)),
    "holder": lambda t, m: _find_misnamed(t, m)[0].name,
    "twin": lambda t, m: card(_find_misnamed(t, m)[1][0]),
    "marks": _marks,
    "mark": lambda t, m: Typed(_find_misnamed(t, m)[1][1]),
}
