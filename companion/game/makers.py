"""Whose move it is: who may make it at their own reader or phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table

OF_ONES_OWN = ("choose", "reveal", "unmask", "vault", "complete", "city")
"""Verbs whose first player shows, says or records something of their own."""


def find_maker(table: Table, move: Move) -> int | None:
    """The seat that makes the move: the player who shows something of their own or uses a district
    before any turn, else the player who is awaited."""
    players = move.words("P")
    if move.verb in OF_ONES_OWN and players:
        return table.rules.seat_of.get(players[0])
    if move.verb == "use" and table.stage == "selection":
        cities = enumerate(seat.city.cards for seat in table.seats)
        owners = (seat for seat, cards in cities if move.args[0] in {card.id for card in cards})
        return next(owners, None)
    waiting = find_awaited(table)
    return waiting[0] if waiting is not None else None


def is_offered_alone(table: Table, move: Move, seat: int) -> bool:
    """Whether to offer a player's move to that player alone: not what the crowned player does for
    the whole table, nor showing a character that is not the chosen one."""
    if table.stage not in ("selection", "calling"):
        return True
    chosen = table.seats[seat].chosen
    if move.verb == "reveal" and chosen:
        return table.rules.by_rank[table.called] in chosen
    return move.verb in (*OF_ONES_OWN, "use")


def list_own(table: Table, legal: Sequence[Move], seat: int) -> list[Move]:
    """The moves that the player in that seat makes."""
    return [move for move in legal if find_maker(table, move) == seat]
