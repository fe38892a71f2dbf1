"""Characters who deal in crowns and riches: the Emperor and the Abbot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import Power, Words

if TYPE_CHECKING:
    from engine.table import Table


class MoveCrown(Power):
    """`crown P gold|card|nothing`: the crown goes to P, who pays for it with what he has."""

    verb = "crown"
    used_as = "emperor"
    must = "emperor.must_give"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        name, payment = words
        index = t.seat_named(name)
        if index == t.playing.seat:
            return "emperor.self"
        if index == t.crown:
            return "emperor.holder"
        seat = t.seats[index]
        if payment == "gold":
            return None if seat.gold else "emperor.no_gold"
        if payment == "card":
            return None if seat.hand else "emperor.no_card"
        return "emperor.must_pay" if seat.gold or seat.hand else None

    def options(self, t: Table) -> Iterable[Words]:
        payments = ("gold", "card", "nothing")
        return [(name, payment) for name in t.rules.player_names for payment in payments]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        name, payment = words
        index = t.seat_named(name)
        giver, taker = t.own_seat(index), t.own_seat(t.playing.seat)
        if payment == "gold":
            giver.gold -= 1
            taker.gold += 1
        elif payment == "card":
            t.pass_card(giver, taker)
        turns.give_crown(t, index)


class Tithe(Power):
    """`tithe`, where several are the richest `tithe P`: the richest gives the Abbot one gold."""

    verb = "tithe"
    used_as = "abbot"
    players = (0,)

    def closed(self, t: Table) -> str | None:
        return super().closed(t) or (None if self._richest(t) else "abbot.nobody")

    def objection(self, t: Table, *words: str) -> str | None:
        richest = self._richest(t)
        if not words:
            return None if len(richest) == 1 else "abbot.choose"
        if t.seat_named(words[0]) not in richest:
            return "abbot.not_richest"
        return "abbot.no_choice" if len(richest) == 1 else None

    def options(self, t: Table) -> Iterable[Words]:
        richest = self._richest(t)
        return [()] if len(richest) == 1 else [(t.seats[index].name,) for index in richest]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        index = t.seat_named(words[0]) if words else self._richest(t)[0]
        t.own_seat(index).gold -= 1
        t.own_seat(t.playing.seat).gold += 1
        t.tell("tithed", index, t.playing.seat, amount=1)

    def _richest(self, t: Table) -> list[int]:
        """Who may have to give: nobody where the Abbot is (also) richest, or several are."""
        most = max(seat.gold for seat in t.seats)
        richest = [index for index, seat in enumerate(t.seats) if seat.gold == most]
        if t.playing.seat in richest:
            return []
        chooses = t.rules.answers["abbot_tie"] == "chooses"
        return richest if chooses or len(richest) == 1 else []
