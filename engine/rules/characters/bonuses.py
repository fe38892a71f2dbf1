"""`bonus`: what the Merchant and the Architect get extra, whatever was gathered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rules.base import Power

if TYPE_CHECKING:
    from engine.table import Table


class Bonus(Power):
    """So many extra gold and cards, once a turn."""

    verb = "bonus"
    used_as = "bonus"

    def __init__(self, *, gold: int = 0, cards: int = 0) -> None:
        super().__init__()
        self.gold = gold
        self.cards = cards

    def closed(self, t: Table) -> str | None:
        return "bonus.done" if self.used_as in t.playing.used else None

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        seat = t.own_seat(t.playing.seat)
        seat.gold += self.gold
        t.draw(seat, self.cards)


def merchant_bonus() -> Bonus:
    """One extra gold (all editions, Merchant)."""
    return Bonus(gold=1)


def architect_bonus() -> Bonus:
    """Two extra cards (all editions, Architect)."""
    return Bonus(cards=2)
