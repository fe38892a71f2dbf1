"""Characters who get something extra, whatever was gathered."""

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

    def closed(self, t: Table) -> str | None:
        return "bonus.done" if self.used_as in t.playing.used else None

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        seat = t.own_seat(t.playing.seat)
        seat.gold += self.gold
        t.draw(seat, self.cards)


class Navigate(Power):
    """`navigate gold`, `navigate cards`: the Navigator's four extra gold or cards."""

    verb = "navigate"
    used_as = "navigator"
    timing = "navigate_timing"

    def objection(self, t: Table, *words: str) -> str | None:
        return "gather.deck_empty" if words[0] == "cards" and not t.deck else None

    def options(self, t: Table) -> Iterable[Words]:
        return [("gold",), ("cards",)]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        seat = t.own_seat(t.playing.seat)
        if words[0] == "gold":
            seat.gold += NAVIGATOR_GETS
        else:
            t.draw(seat, NAVIGATOR_GETS)


class Collect(Power):
    """`collect`: the deluxe Tax Collector takes all the gold that lies on the card."""

    verb = "collect"
    used_as = "tax_collector"

    def closed(self, t: Table) -> str | None:
        return super().closed(t) or (None if t.tax else "tax_collector.nothing")

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.own_seat(t.playing.seat).gold += t.tax
        t.tax = 0
