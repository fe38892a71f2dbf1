"""Characters who get a bonus, regardless of what they gathered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules.base import TRACKED, Power, Words

if TYPE_CHECKING:
    from engine.table import Table

NAVIGATOR_GETS = 4  # gold or cards


class Bonus(Power):
    """`bonus`: so many extra gold (Merchant) or cards (Architect), once a turn."""

    verb = "bonus"
    used_as = "bonus"

    def __init__(self, *, gold: int = 0, cards: int = 0) -> None:
        super().__init__()
        self.gold = gold
        self.cards = cards
        if not gold:
            self.under = TRACKED

    def closed(self, table: Table) -> str | None:
        return "bonus.done" if self.used_as in table.playing.used else None

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        seat = table.own_seat(table.playing.seat)
        seat.gold += self.gold
        table.draw(seat, self.cards)


class Navigate(Power):
    """`navigate gold`, `navigate cards`: the Navigator's four extra gold or cards."""

    verb = "navigate"
    used_as = "navigator"
    timing = "navigate_timing"

    def objection(self, table: Table, *words: str) -> str | None:
        return "gather.deck_empty" if words[0] == "cards" and not table.deck else None

    def options(self, table: Table) -> Iterable[Words]:
        return [("gold",), ("cards",)]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        seat = table.own_seat(table.playing.seat)
        if words[0] == "gold":
            seat.gold += NAVIGATOR_GETS
        else:
            table.draw(seat, NAVIGATOR_GETS)


class Collect(Power):
    """`collect`: the deluxe Tax Collector takes all the gold on the card."""

    verb = "collect"
    used_as = "tax_collector"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.tax else "tax_collector.nothing")

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.own_seat(table.playing.seat).gold += table.tax
        table.tax = 0
