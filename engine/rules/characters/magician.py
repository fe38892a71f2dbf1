"""The Magician: swap hands with a player, or exchange cards with the deck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules.base import Power, Words

if TYPE_CHECKING:
    from engine.table import Table


class Swap(Power):
    """`swap P`: whole hands change places; an empty hand may be given."""

    verb = "swap"
    used_as = "magician"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        return "magician.self" if words[0] == t.acting.name else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(name,) for name in t.rules.player_names]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        mine, theirs = t.own_seat(t.playing.seat), t.own_seat(t.seat_named(words[0]))
        mine.hand, theirs.hand = theirs.hand, mine.hand


class Redraw(Power):
    """`redraw N`: N cards go under the deck and as many are drawn."""

    verb = "redraw"
    used_as = "magician"

    def objection(self, t: Table, *words: str) -> str | None:
        number = int(words[0])
        if number == 0:
            return "magician.none"
        return "magician.hand" if number > t.acting.hand else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(str(number),) for number in range(1, t.acting.hand + 1)]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)  # as many cards come as go: only the engine's counts are known, and they stay
