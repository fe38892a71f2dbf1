"""Characters who deal in crowns and riches, and those who get a bonus whatever they gathered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import TRACKED, Power, Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.table import Table


class MoveCrown(Power):
    """`crown P gold|card|nothing`: the crown goes to P, who pays for it."""

    verb = "crown"
    used_as = "emperor"
    obligation = "emperor.must_give"
    player_places = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        name, payment = words
        index = table.seat_named(name)
        if index == table.playing.seat:
            return "emperor.self"
        if index == table.crown:
            return "emperor.holder"
        seat = table.seats[index]
        if payment == "gold":
            return None if seat.gold else "emperor.no_gold"
        if payment == "card":
            return None if seat.hand else "emperor.no_card"
        if not table.rules.tracks_cities:
            return None  # nobody's cards are known
        return "emperor.must_pay" if seat.gold or seat.hand else None

    def options(self, table: Table) -> Iterable[Words]:
        payments = ("gold", "card", "nothing")
        return [(name, payment) for name in table.rules.player_names for payment in payments]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        name, payment = words
        index = table.seat_named(name)
        giver, taker = table.own_seat(index), table.own_acting()
        if payment == "gold":
            giver.gold -= 1
            taker.gold += 1
        elif payment == "card":
            table.pass_card(giver, taker)
        turns.give_crown(table, index)


class Tithe(Power):
    """`tithe`, `tithe P`: the richest gives the Abbot one gold; if there are several, P does."""

    verb = "tithe"
    used_as = "abbot"
    player_places = (0,)

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if self._richest(table) else "abbot.nobody")

    def objection(self, table: Table, *words: str) -> str | None:
        richest = self._richest(table)
        if not words:
            return None if len(richest) == 1 else "abbot.choose"
        return None if table.seat_named(words[0]) in richest else "abbot.not_richest"

    def options(self, table: Table) -> Iterable[Words]:
        richest = self._richest(table)
        names = [(table.seats[index].name,) for index in richest]
        return [(), *names] if len(richest) == 1 else names

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        index = table.seat_named(words[0]) if words else self._richest(table)[0]
        table.own_seat(index).gold -= 1
        table.own_acting().gold += 1

    def _richest(self, table: Table) -> list[int]:
        """Who may have to give: nobody if the Abbot is (also) the richest, several in a tie."""
        most = max(seat.gold for seat in table.seats)
        richest = [index for index, seat in enumerate(table.seats) if seat.gold == most]
        if table.playing.seat in richest:
            return []
        chooses = table.rules.answers["abbot_tie"] == "chooses"
        return richest if chooses or len(richest) == 1 else []


# -- characters who get a bonus, regardless of what they gathered ---------------------------------


NAVIGATOR_GETS = 4  # gold or cards


class Bonus(Power):
    """`bonus`: so many extra gold (Merchant) or cards (Architect), once a turn."""

    verb = "bonus"
    used_as = "bonus"
    timing = "bonus_timing"

    def __init__(self, *, gold: int = 0, cards: int = 0) -> None:
        super().__init__()
        self.gold = gold
        self.cards = cards
        if not gold:
            self.under = TRACKED

    def closed(self, table: Table) -> str | None:
        is_done = self.used_as in table.playing.used
        return "bonus.done" if is_done else super().closed(table)

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        seat = table.own_acting()
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
        seat = table.own_acting()
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
        table.own_acting().gold += table.tax
        table.tax = 0


POWERS: dict[str, tuple[Power, ...]] = {
    "emperor": (MoveCrown(),),
    "abbot": (Tithe(),),
    "merchant": (Bonus(gold=1),),
    "architect": (Bonus(cards=2),),
    "navigator": (Navigate(),),
    "tax_collector": (Collect(),),
}
