"""The scores once more, for every box, by the words of the cards and none of the engine's data."""

from __future__ import annotations

from engine.table import Built, Table
from tests.engine.boxes import EDITIONS, districts

TYPES = ("noble", "religious", "trade", "military", "unique")
LIMITED_HAUNTING = ("millennium_3e", "ffg_2005")  # not when built in the last round


def points(t: Table, index: int) -> dict[str, int]:
    """What each line of that player's score must be, zero lines of unique districts left out."""
    edition = t.rules.edition.id
    cards = districts(EDITIONS[edition].printing)
    seat = t.seats[index]
    costs = [cards[c.id].cost + c.decorated for c in seat.city.cards]
    printed = [cards[c.id].type for c in seat.city.cards]
    ways = [printed]
    for place, card in enumerate(seat.city.cards):
        if card.id == "haunted_quarter" and _haunts(t, card):
            ways += [[*printed[:place], type_, *printed[place + 1 :]] for type_ in TYPES]
    best: dict[str, int] = {}
    for types in ways:
        lines = {"districts": sum(costs), "five_types": 3 if len(set(types)) == 5 else 0}
        lines["complete"] = 4 if index in t.first_complete else 2 if _complete(t, index) else 0
        for card in seat.city.cards:
            extra = _extra(t, index, card, types, costs)
            if extra:
                lines[card.id] = lines.get(card.id, 0) + extra
        if seat.vault:
            lines["secret_vault"] = 3
        if not best or sum(lines.values()) > sum(best.values()):
            best = lines
    return best


def _haunts(t: Table, card: Built) -> bool:
    return t.rules.edition.id not in LIMITED_HAUNTING or card.built_in_round != t.round


def _complete(t: Table, index: int) -> bool:
    box = EDITIONS[t.rules.edition.id]
    size = box.small_city_size if len(t.seats) <= 3 else box.city_size
    if any(card.announced for seat in t.seats for card in seat.city.cards):
        size = 7
    cards = t.seats[index].city.cards
    return len(cards) + sum(card.id == "monument" for card in cards) >= size


def _extra(t: Table, index: int, card: Built, types: list[str], costs: list[int]) -> int:
    seat, unique = t.seats[index], types.count("unique")
    others = unique if t.rules.edition.id == "deluxe_2016" else unique - 1
    return {
        "university": 2,
        "dragon_gate": 2,
        "imperial_treasury": seat.gold,
        "map_room": seat.hand,
        "wishing_well": others,
        "museum": card.under,
        "basilica": sum(cost % 2 == 1 for cost in costs),
        "capitol": 3 if any(types.count(type_) >= 3 for type_ in TYPES) else 0,
        "ivory_tower": 5 if unique == 1 else 0,
        "statue": 5 if t.crown == index else 0,
    }.get(card.id, 0)
