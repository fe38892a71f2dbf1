"""The unique districts used by a move: `use D`, once a turn each.

Automatic effects are in `engine/data/districts.yaml` under `effects` and are looked up where they
apply. A use is declared here by its district's id; numbers that differ by printing are also
effects. (The Theater is used at the end of the selection: `rules.selection`.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import Action, Words, find_district

if TYPE_CHECKING:
    from engine.table import Table

SMITHY_CARDS = 3


class DistrictUse(Action):
    """One district's power."""

    word_counts: ClassVar[tuple[int, ...]] = (0,)  # how many words may follow the district's id


class Laboratory(DistrictUse):
    """Discard one card of the hand for gold; the card goes under the deck."""

    def objection(self, table: Table, *words: str) -> str | None:
        return None if table.acting.hand else "laboratory.no_card"

    def apply(self, table: Table, *words: str) -> None:
        seat = table.own_acting()
        table.discard(seat)
        seat.gold += seat.city.effects["use_card_for_gold"]


class Smithy(DistrictUse):
    """Pay gold for three cards."""

    def objection(self, table: Table, *words: str) -> str | None:
        if table.acting.gold < table.acting.city.effects["use_gold_for_3_cards"]:
            return "smithy.gold"
        return None if table.deck else "smithy.deck_empty"

    def apply(self, table: Table, *words: str) -> None:
        seat = table.own_acting()
        seat.gold -= seat.city.effects["use_gold_for_3_cards"]
        table.draw(seat, SMITHY_CARDS)


class Museum(DistrictUse):
    """Lay one card of the hand face down under the Museum."""

    def objection(self, table: Table, *words: str) -> str | None:
        return None if table.acting.hand else "museum.no_card"

    def apply(self, table: Table, *words: str) -> None:
        seat = table.own_acting()
        seat.hand -= 1
        museum = find_district(table, seat.name, "museum")
        table.set_city(seat, seat.city.cards_changing(museum, under=museum.under + 1))


class Armory(DistrictUse):
    """Destroy the Armory, and with it a district of another city; it is not a rank-8 ability."""

    word_counts = (2, 3)

    def objection(self, table: Table, *words: str) -> str | None:
        name, district, *mark = words
        victim = table.seats[table.seat_named(name)]
        is_own = victim is table.acting
        if table.is_complete(table.acting) and not table.rules.answers["armory_complete_city"]:
            return "armory.in_complete_city"
        if is_own and not table.acting.city.effects.get("hits_own_city"):
            return "armory.own_city"
        if table.is_complete(victim) and not table.rules.answers["armory_complete_city"]:
            return "armory.complete_city"
        if is_own and district == "armory":
            return "armory.itself"
        if district not in victim.city.ids:
            return "armory.no_such_district"
        return victim.city.check_words(district, *mark)

    def options(self, table: Table) -> Iterable[Words]:
        return [
            (seat.name, *seat.city.words(card)) for seat in table.seats for card in seat.city.kinds
        ]

    def apply(self, table: Table, *words: str) -> None:
        target = find_district(table, *words)
        turns.raze(table, table.own_acting(), find_district(table, table.acting.name, "armory"))
        turns.raze(table, table.own_seat(table.seat_named(words[0])), target)


class BellTower(DistrictUse):
    """As it is built, first of all: announce that fewer districts complete a city."""

    def objection(self, table: Table, *words: str) -> str | None:
        if all(event.kind != "may_ring" for event in table.events):
            return "bell_tower.when_built"
        return (
            None if table.city_size > table.acting.city.effects["rings_at"] else "bell_tower.size"
        )

    def apply(self, table: Table, *words: str) -> None:
        seat = table.own_acting()
        table.city_size = seat.city.effects["rings_at"]
        table.set_city(
            seat,
            seat.city.cards_changing(find_district(table, seat.name, "bell_tower"), announced=True),
        )
        table.tell("bell_rings", table.playing.seat, amount=table.city_size)
        table.ending |= table.has_complete_city
        if not table.first_complete:
            table.first_complete = tuple(
                i for i, s in enumerate(table.seats) if table.is_complete(s)
            )
            for index in table.first_complete:
                table.tell("completed_first", index)


USES: dict[str, DistrictUse] = {
    "laboratory": Laboratory(),
    "smithy": Smithy(),
    "museum": Museum(),
    "armory": Armory(),
    "bell_tower": BellTower(),
}
