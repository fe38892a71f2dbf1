"""Building a district: what bars it whatever the payment, and what follows once it stands.

`construct` is the one door through which a district gets built, whoever builds it and however it
is paid; the ways to pay are in `rules.payments`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from engine.rules import turns
from engine.table import UNNAMED, Built, Question

if TYPE_CHECKING:
    from engine.ruleset import Ruleset
    from engine.table import City, Table

Bars = Iterable[tuple[str, frozenset[str]]]
_NONE: frozenset[str] = frozenset()


# -- what bars a district, whatever the payment ---------------------------------------------


def timing(t: Table) -> str | None:
    """The rule that forbids building anything at all now, if one does."""
    early = not t.playing.gathered and not t.rules.answers["build_before_gathering"]
    return "build.not_gathered" if early else None


class Situation(NamedTuple):
    """All that decides which districts may be put into a city, the price aside.

    It seldom changes within a turn, so what follows from it is kept (`all_barred`).
    """

    standing: frozenset[str]
    cards: int
    exhausted: frozenset[str]
    doubles: bool  # whether the city may have doubles (more of them)
    only: frozenset[str] | None  # the limit is used up: only these may still be built


def situation(t: Table, city: City) -> Situation:
    """The situation of the acting player, were that the city."""
    turn = t.playing
    limit = t.rules.characters[turn.character].build_limit
    used_up = len(turn.built) >= limit and _counted(t) >= limit
    only = outside_limit(t.rules, turn.character) if used_up else None
    return Situation(city.ids, len(city.cards), t.exhausted, _may_double(t, city), only)


def bars(rules: Ruleset, s: Situation) -> Bars:
    """The districts that cannot be built in that situation, by the rule that bars them."""
    yield "build.never", rules.having("never_built")
    if not s.doubles:
        yield "build.duplicate", s.standing
    yield "build.copies", s.exhausted
    yield "build.city_full", _too_late(rules, s.cards)
    if s.only is not None:
        yield "build.limit", frozenset(rules.districts) - s.only


def _may_double(t: Table, city: City) -> bool:
    if not t.rules.doubling:
        return False
    if t.rules.answers["doubles"] == "allowed":
        return True
    character = t.rules.characters[t.playing.character]
    if character.effects.get("builds_doubles") and t.rules.answers["wizard_doubles"] == "turn":
        return True
    if "doubles" not in city.effects:
        return False
    return t.rules.answers["quarry_doubles"] == "any" or len(city.ids) == len(city.cards)


def _too_late(rules: Ruleset, count: int) -> frozenset[str]:
    """Districts that cannot be built into a city of so many (Monument)."""
    limited = rules.having("most_in_city")
    if not limited:
        return _NONE
    districts = rules.districts
    return frozenset(id_ for id_ in limited if count > districts[id_].effects["most_in_city"])


def outside_limit(rules: Ruleset, character: str) -> frozenset[str]:
    """The districts that do not use up the building limit of that character's turn."""
    free = rules.having("outside_limit")
    unlimited = rules.characters[character].effects.get("unlimited")
    return free | rules.types[unlimited] if unlimited else free


def _counted(t: Table) -> int:
    """How much of the building limit has been used."""
    turn = t.playing
    if not turn.built:
        return 0
    free = outside_limit(t.rules, t.playing.character)
    return sum(district not in free for district in turn.built) - turn.extra


def limit_reached(t: Table) -> bool:
    """Whether nothing at all can be built any more this turn."""
    turn = t.playing
    limit = t.rules.characters[turn.character].build_limit
    if len(turn.built) < limit:
        return False
    if limit == 0:
        return True  # the Navigator builds nothing, not even what is outside a limit
    return _counted(t) >= limit and not outside_limit(t.rules, t.playing.character)


def barred(t: Table, district: str, city: City) -> str | None:
    """The rule that bars the district from that city, if one does."""
    return bar(t.rules, situation(t, city), district)


def bar(rules: Ruleset, s: Situation, district: str) -> str | None:
    """The rule that bars the district in that situation, if one does."""
    return next((rule for rule, ids in bars(rules, s) if district in ids), None)


def barred_from_taking(t: Table, district: str, city: City) -> str | None:
    """The rule that would bar the district from that city, were its owner to build it himself.

    No Quarry and no Wizard helps: nobody acquires a double from another (deluxe, Quarry).
    """
    taking = Situation(city.ids, len(city.cards), t.exhausted, doubles=False, only=None)
    return next((rule for rule, ids in bars(t.rules, taking) if district in ids), None)


def all_barred(rules: Ruleset, s: Situation) -> frozenset[str]:
    """The districts that something other than the price keeps out in that situation."""
    found = rules.barred.get(s)
    if found is None:
        found = rules.barred[s] = _NONE.union(*(ids for _, ids in bars(rules, s)))
    return found


def payable(t: Table, s: Situation) -> list[str]:
    """The districts that the acting player can build in that situation with his own gold."""
    within = t.rules.affordable(t.acting.gold, t.acting.city.effects.get("unique_discount", 0))
    shut = all_barred(t.rules, s)
    return [district for district in within if district not in shut]


def price(t: Table, district: str) -> int:
    """What the district costs the acting player, in gold."""
    return t.rules.price(district, t.acting.city.effects.get("unique_discount", 0))


# -- what follows ---------------------------------------------------------------------------


def construct(
    t: Table,
    district: str,
    *,
    gold: int = 0,
    cards: int = 0,
    from_hand: bool = True,
    counts: bool = True,
) -> None:
    """The acting player builds: pays so much gold and cards, and the district stands.

    `counts` is whether it uses the building limit.

    If the Magistrate may answer, the district waits for the answer in nobody's city.
    """
    turn = t.own_turn()
    seat = t.own_seat(turn.seat)
    seat.gold -= gold
    seat.hand -= cards + from_hand
    t.deck += cards
    turn.spent += gold
    turn.built += (district,)
    if not counts and district not in outside_limit(t.rules, turn.character):
        turn.extra += 1
    _ask_magistrate(t, district, gold, paid=gold + cards > 0)


def construct_unnamed(t: Table, gold: int) -> None:
    """The acting player builds and pays so much gold; which district it is, nobody records."""
    turn = t.own_turn()
    t.own_seat(turn.seat).gold -= gold
    turn.spent += gold
    turn.built += (UNNAMED,)
    _ask_magistrate(t, UNNAMED, gold, paid=gold > 0)


def _ask_magistrate(t: Table, district: str, gold: int, *, paid: bool) -> None:
    """What follows the building, after the Magistrate's answer where he may confiscate."""
    turn = t.playing
    magistrate = t.bearer("magistrate")
    warranted = turn.character in t.warrants and turn.character not in t.answered_warrants
    if paid and warranted and magistrate is not None and magistrate != turn.seat:
        t.questions += (Question("warrant", magistrate, district, gold),)
    else:
        completed_by(t, turn.seat, district, gold)


def completed_by(t: Table, index: int, district: str, gold: int) -> None:
    """The district goes into the city of that seat: what it brings with it.

    `gold` is what the acting player paid for it in the end.
    """
    rules = t.rules
    if district != UNNAMED:
        seat = t.own_seat(index)
        t.set_city(seat, (*seat.city.cards, Built(district, built_in_round=t.round)))
    refunds = rules.characters[t.playing.character].effects.get("refunds_builds")
    if refunds and rules.answers["alchemist_refund"] == "at_once":
        t.own_seat(index).gold += gold
    cards = 0 if district == UNNAMED else rules.districts[district].effects.get("card_when_built")
    if cards:
        t.draw(t.own_seat(index), cards)
    if district in rules.having("rings_at"):
        t.tell("may_ring", index, card=district)
    if "taxes_builds" in rules.present:
        turns.tax_build(t, index)
    turns.note_completion(t, index)
