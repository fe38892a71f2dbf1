"""The unique districts that are used on purpose: `use D`, once a turn each.

What a district does by itself stands in `engine/data/districts.yaml` under `effects` and is looked
up where it matters. A use is declared here beside its district's id; the numbers that differ by
printing are effects too. (The Theater is used at the end of the selection: `rules.selection`.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import Action, Words, taken

if TYPE_CHECKING:
    from engine.table import Table

SMITHY_CARDS = 3


class DistrictUse(Action):
    """One district's power; `takes` is the number of words that may follow the district's id."""

    takes: ClassVar[tuple[int, ...]] = (0,)


class Laboratory(DistrictUse):
    """Discard one card of the hand for gold; the card goes under the deck."""

    def objection(self, t: Table, *words: str) -> str | None:
        return None if t.acting.hand else "laboratory.no_card"

    def apply(self, t: Table, *words: str) -> None:
        seat = t.own_seat(t.playing.seat)
        seat.hand -= 1
        t.deck += 1
        seat.gold += seat.city.effects["use_card_for_gold"]


class Smithy(DistrictUse):
    """Pay gold for three cards."""

    def objection(self, t: Table, *words: str) -> str | None:
        if t.acting.gold < t.acting.city.effects["use_gold_for_3_cards"]:
            return "smithy.gold"
        return None if t.deck else "smithy.deck_empty"

    def apply(self, t: Table, *words: str) -> None:
        seat = t.own_seat(t.playing.seat)
        seat.gold -= seat.city.effects["use_gold_for_3_cards"]
        t.draw(seat, SMITHY_CARDS)


class Museum(DistrictUse):
    """Lay one card of the hand face down under the Museum."""

    def objection(self, t: Table, *words: str) -> str | None:
        return None if t.acting.hand else "museum.no_card"

    def apply(self, t: Table, *words: str) -> None:
        seat = t.own_seat(t.playing.seat)
        seat.hand -= 1
        museum = taken(t, seat.name, "museum")
        t.set_city(seat, seat.city.changed(museum, under=museum.under + 1))


class Armory(DistrictUse):
    """Destroy the Armory, and with it a district of another city; it is no rank-8 ability."""

    takes = (2, 3)

    def objection(self, t: Table, *words: str) -> str | None:
        name, district, *mark = words
        victim = t.seats[t.seat_named(name)]
        own = victim is t.acting
        if t.is_complete(t.acting) and not t.rules.answers["armory_complete_city"]:
            return "armory.in_complete_city"
        if own and not t.acting.city.effects.get("hits_own_city"):
            return "armory.own_city"
        if t.is_complete(victim) and not t.rules.answers["armory_complete_city"]:
            return "armory.complete_city"
        if own and district == "armory":
            return "armory.itself"
        if district not in victim.city.ids:
            return "armory.no_such_district"
        return victim.city.misnamed(district, *mark)

    def options(self, t: Table) -> Iterable[Words]:
        return [(seat.name, *seat.city.words(card)) for seat in t.seats for card in seat.city.kinds]

    def apply(self, t: Table, *words: str) -> None:
        target = taken(t, *words)
        turns.raze(t, t.own_seat(t.playing.seat), taken(t, t.acting.name, "armory"))
        turns.raze(t, t.own_seat(t.seat_named(words[0])), target)


class BellTower(DistrictUse):
    """As it is built, before anything else: announce that fewer districts complete a city."""

    def objection(self, t: Table, *words: str) -> str | None:
        if all(event.kind != "may_ring" for event in t.events):
            return "bell_tower.when_built"
        return None if t.city_size > t.acting.city.effects["rings_at"] else "bell_tower.size"

    def apply(self, t: Table, *words: str) -> None:
        seat = t.own_seat(t.playing.seat)
        t.city_size = seat.city.effects["rings_at"]
        t.set_city(seat, seat.city.changed(taken(t, seat.name, "bell_tower"), announced=True))
        t.tell("bell_rings", t.playing.seat, amount=t.city_size)
        if not t.first_complete:
            t.first_complete = tuple(i for i, s in enumerate(t.seats) if t.is_complete(s))
            for index in t.first_complete:
                t.tell("completed_first", index)


USES: dict[str, DistrictUse] = {
    "laboratory": Laboratory(),
    "smithy": Smithy(),
    "museum": Museum(),
    "armory": Armory(),
    "bell_tower": BellTower(),
}
