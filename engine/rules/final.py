"""After the last round: cards shown for scoring."""

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

    def closed(self, table: Table) -> str | None:
        if not table.rules.cards_with("points_from_hand"):
            return "vault.not_in_game"
        return "vault.shown" if any(seat.vault for seat in table.seats) else None

    def objection(self, table: Table, *words: str) -> str | None:
        return None if table.seats[table.seat_named(words[0])].hand else "vault.no_card"

    def options(self, table: Table) -> Iterable[Words]:
        return [(name,) for name in table.rules.player_names]

    def apply(self, table: Table, *words: str) -> None:
        table.own_seat(table.seat_named(words[0])).vault = True


OVER: tuple[Action, ...] = (Vault(),)
