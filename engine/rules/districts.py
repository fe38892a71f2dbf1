"""The unique districts that are used on purpose: `use D`, once a turn each.

What a district does by itself stands in `engine/data/districts.yaml` under `effects` and is looked
up where it matters. A use is declared here beside its district's id; the numbers that differ by
printing are effects too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.rules.base import Action

if TYPE_CHECKING:
    from engine.table import Table

SMITHY_CARDS = 3


class DistrictUse(Action):
    """One district's power; `takes` is the number of words after the district's id."""

    takes: ClassVar[int] = 0


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


USES: dict[str, DistrictUse] = {
    "laboratory": Laboratory(),
    "smithy": Smithy(),
}
