"""Building a district: the rules that bar it regardless of payment, and its effects.

Every district is built through `construct`, for every builder and way to pay; the latter are in
`engine.rules.payments`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.rules import turns
from engine.table import UNNAMED, Built, City, Question, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.ruleset import Ruleset

_NONE: frozenset[str] = frozenset()


# -- what bars a district, regardless of payment --------------------------------------------


def find_bar_before_gathering(table: Table) -> str | None:
    """The rule that forbids building anything before gathering, if one does."""
    early = not table.playing.gathered and not table.rules.answers["build_before_gathering"]
    return "build.not_gathered" if early else None


class Situation(NamedTuple):
    """All conditions on adding districts to a city, except the price.

    It seldom changes within a turn, so results are cached by it (`find_all_barred`).
    """

    in_city: frozenset[str]
    cards_in_city: int  # doubles included
    exhausted: frozenset[str]
    doubles: bool  # whether the city may have doubles (more of them)
    allowed: frozenset[str] | None  # limit used up: the only districts still allowed


def situation(table: Table, city: City, *, is_taken: bool = False) -> Situation:
    """The situation of the acting player with that city.

    `is_taken` is for the card that the Wizard builds at once: neither doubles nor the limit bar it.
    """
    if is_taken:
        return Situation(city.ids, len(city.cards), table.exhausted, doubles=True, allowed=None)
    turn = table.playing
    limit = table.rules.characters[turn.character].build_limit
    used_up = len(turn.built) >= limit and _count_built(table) >= limit
    allowed = table.rules.outside_limit[turn.character] if used_up else None
    return Situation(city.ids, len(city.cards), table.exhausted, _may_double(table, city), allowed)


def bars(rules: Ruleset, now: Situation) -> dict[str, frozenset[str]]:
    """The districts that cannot be built in that situation, by the rule that bars them."""
    return {
        "build.never": rules.cards_with("never_built"),
        "build.duplicate": _NONE if now.doubles else now.in_city,
        "build.copies": now.exhausted,
        "build.city_full": _find_too_late(rules, now.cards_in_city),
        "build.limit": _NONE if now.allowed is None else frozenset(rules.districts) - now.allowed,
    }


def _may_double(table: Table, city: City) -> bool:
    if not table.rules.doubling:
        return False
    if table.rules.answers["doubles"] == "allowed":
        return True
    character = table.rules.characters[table.playing.character]
    if character.effects.get("builds_doubles") and table.rules.answers["wizard_doubles"] == "turn":
        return True
    if "doubles" not in city.effects:
        return False
    return table.rules.answers["quarry_doubles"] == "any" or len(city.ids) == len(city.cards)


def _find_too_late(rules: Ruleset, count: int) -> frozenset[str]:
    """Districts that cannot be built into a city of that size (Monument)."""
    cards = rules.cards_with("most_in_city")
    if not cards:
        return _NONE
    districts = rules.districts
    return frozenset(id_ for id_ in cards if count > districts[id_].effects["most_in_city"])


def _count_built(table: Table) -> int:
    """The number of districts that count towards the building limit so far."""
    turn = table.playing
    free = table.rules.outside_limit[turn.character]
    return len(turn.built) - sum(map(turn.built.count, free)) - turn.extra


def is_limit_reached(table: Table) -> bool:
    """Whether nothing at all can be built any more this turn."""
    turn = table.playing
    limit = table.rules.characters[turn.character].build_limit
    if len(turn.built) < limit:
        return False
    if limit == 0:
        return True  # the Navigator builds nothing, not even outside the limit
    return _count_built(table) >= limit and not table.rules.outside_limit[turn.character]


def find_bar(table: Table, district: str, city: City, *, is_taken: bool = False) -> str | None:
    """The rule that bars the district from that city, if any; `is_taken` as for `situation`."""
    return _find_rule(table.rules, situation(table, city, is_taken=is_taken), district)


def find_bar_to_taking(table: Table, district: str, city: City) -> str | None:
    """The rule that would bar the owner of that city from building the district.

    Not even the Quarry or the Wizard allows acquiring a double from another player (deluxe,
    Quarry).
    """
    taking = Situation(city.ids, len(city.cards), table.exhausted, doubles=False, allowed=None)
    return _find_rule(table.rules, taking, district)


def _find_rule(rules: Ruleset, now: Situation, district: str) -> str | None:
    return next((rule for rule, ids in bars(rules, now).items() if district in ids), None)


def find_all_barred(rules: Ruleset, now: Situation) -> frozenset[str]:
    """The districts barred in that situation for any reason but the price."""
    barred = rules.barred.get(now)
    if barred is None:
        barred = rules.barred[now] = _NONE.union(*bars(rules, now).values())
    return barred


def find_payable(table: Table, now: Situation) -> list[str]:
    """The districts that the acting player can build in that situation with their own gold."""
    affordable = table.rules.list_affordable(
        table.acting.gold, table.acting.city.effects.get("unique_discount", 0)
    )
    barred = find_all_barred(table.rules, now)
    return [district for district in affordable if district not in barred]


def price(table: Table, district: str) -> int:
    """What the district costs the acting player, in gold."""
    return table.rules.price(district, table.acting.city.effects.get("unique_discount", 0))


def list_prices(table: Table, districts: Iterable[str]) -> list[int]:
    """What each of the districts costs the acting player, in gold."""
    discount = table.acting.city.effects.get("unique_discount", 0)
    return table.rules.list_prices(districts, discount)


# -- what follows ---------------------------------------------------------------------------


def construct(
    table: Table,
    district: str,
    *,
    gold: int = 0,
    cards: int = 0,
    is_taken: bool = False,
) -> None:
    """Build a district for the acting player, who pays this much gold and this many cards.

    It comes from the hand and uses the building limit, unless the Wizard has just `is_taken` it.

    If the Magistrate may answer, the district is in no city until the answer.
    """
    turn = table.own_turn()
    seat = table.own_seat(turn.seat)
    seat.gold -= gold
    seat.hand -= not is_taken
    table.discard(seat, cards)
    turn.spent += gold
    turn.built += (district,)
    if is_taken and district not in table.rules.outside_limit[turn.character]:
        turn.extra += 1
    _ask_magistrate(table, district, gold, paid=gold + cards > 0)


def construct_unnamed(table: Table, gold: int, *, is_taken: bool = False) -> None:
    """Build an unrecorded district for the acting player, who pays this much gold.

    It uses the building limit, unless the Wizard has just `is_taken` it.
    """
    turn = table.own_turn()
    turn.extra += is_taken
    table.own_seat(turn.seat).gold -= gold
    turn.spent += gold
    turn.built += (UNNAMED,)
    _ask_magistrate(table, UNNAMED, gold, paid=gold > 0)


def _ask_magistrate(table: Table, district: str, gold: int, *, paid: bool) -> None:
    """Complete the building, or ask the Magistrate first if he may confiscate."""
    magistrate = find_magistrate(table)
    if paid and magistrate is not None:
        table.questions += (Question("warrant", magistrate, district, gold),)
    else:
        complete_building(table, table.playing.seat, district, gold)


def find_magistrate(table: Table) -> int | None:
    """The seat that may confiscate what the acting player pays for, or None."""
    turn, marks = table.playing, table.marks
    is_warranted = (
        turn.character in marks.warrants and turn.character not in marks.answered_warrants
    )
    magistrate = table.bearer("magistrate") if is_warranted else None
    return None if magistrate == turn.seat else magistrate


def complete_building(table: Table, index: int, district: str, gold: int) -> None:
    """Add the district to that seat's city, with all effects.

    `gold` is the amount the acting player finally paid.
    """
    rules = table.rules
    if district != UNNAMED:
        seat = table.own_seat(index)
        table.set_city(seat, (*seat.city.cards, Built(district, built_in_round=table.round)))
    refunds = rules.characters[table.playing.character].effects.get("refunds_builds")
    if refunds and rules.answers["alchemist_refund"] == "at_once":
        table.own_seat(index).gold += gold
    cards = 0 if district == UNNAMED else rules.districts[district].effects.get("card_when_built")
    if cards:
        table.draw(table.own_seat(index), cards)
    if district in rules.cards_with("rings_at"):
        table.tell("may_ring")
    if "taxes_builds" in rules.present:
        turns.tax_build(table, index)
    turns.note_completion(table, index)
