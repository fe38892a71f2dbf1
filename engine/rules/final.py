"""After the last round: what is shown for the scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules.base import Action, Words

if TYPE_CHECKING:
    from engine.table import Table


class Vault(Action):
    """`vault P`: the Secret Vault is shown from P's hand; it is never built and scores there."""

    verb = "vault"
    players = (0,)

    def closed(self, t: Table) -> str | None:
        if not t.rules.having("points_from_hand"):
            return "vault.not_in_game"
        return "vault.shown" if any(seat.vault for seat in t.seats) else None

    def objection(self, t: Table, *words: str) -> str | None:
        return None if t.seats[t.seat_named(words[0])].hand else "vault.no_card"

    def options(self, t: Table) -> Iterable[Words]:
        return [(name,) for name in t.rules.player_names]

    def apply(self, t: Table, *words: str) -> None:
        t.own_seat(t.seat_named(words[0])).vault = True


OVER: tuple[Action, ...] = (Vault(),)
