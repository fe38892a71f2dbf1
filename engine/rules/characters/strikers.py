"""Rank 8: characters who act on districts of others' cities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules.answers import ask_graveyard
from engine.rules.base import Power, Words

if TYPE_CHECKING:
    from engine.table import Built, Seat, Table


def city_objection(t: Table, victim: Seat) -> str | None:
    """The rule that keeps rank 8 away from that whole city, if one does."""
    if victim is t.acting and not t.rules.answers["strike_own_city"]:
        return "warlord.own_city"
    if t.is_complete(victim):
        return "warlord.complete_city"
    # a killed Bishop is never revealed, and so does not protect (every edition; official FAQ)
    if any(t.rules.characters[shown].safe_from_rank_8 for shown in victim.revealed):
        return "warlord.bishop"
    return None


def strike_price(t: Table, victim: Seat, card: Built) -> int:
    """What destroying that district costs, in gold: one less than it cost, dearer behind a wall."""
    walls: int = victim.city.effects.get("wall", 0)
    own_wall: int = t.rules.districts[card.id].effects.get("wall", 0)  # protects the others only
    return t.rules.districts[card.id].cost + card.decorated + walls - own_wall - 1


class Destroy(Power):
    """`destroy P D`: the Warlord pays one less than the cost and the district is gone."""

    verb = "destroy"
    used_as = "warlord"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        victim = t.seats[t.seat_named(words[0])]
        card = victim.city.find(words[1])
        if card is None:
            return "warlord.no_such_district"
        return city_objection(t, victim) or self._card_objection(t, victim, card)

    def _card_objection(self, t: Table, victim: Seat, card: Built) -> str | None:
        if "proof_against_rank_8" in t.rules.districts[card.id].effects:
            return "warlord.proof"
        return "warlord.gold" if strike_price(t, victim, card) > t.acting.gold else None

    def options(self, t: Table) -> Iterable[Words]:
        return [
            (victim.name, district)
            for victim in t.seats
            if city_objection(t, victim) is None
            for district in dict.fromkeys(card.id for card in victim.city.cards)
        ]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        index = t.seat_named(words[0])
        card = t.seats[index].city.find(words[1])
        if card is None:
            raise LookupError("destroy was applied without asking for objections")
        t.own_seat(t.playing.seat).gold -= strike_price(t, t.seats[index], card)
        victim = t.own_seat(index)
        remaining = list(victim.city.cards)
        remaining.remove(card)
        t.set_city(victim, remaining)
        ask_graveyard(t, card.id)
