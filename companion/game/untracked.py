"""A table that keeps no cities: what a district means there, and which moves are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.moves import make

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table


def find_district_move(table: Table, district: str) -> Move | None:
    """The move for a district: its price in a turn, part of the asked player's city after the last
    round; None if cities are kept, or the card is not in the game."""
    if table.rules.counts_cards or district not in table.rules.districts:
        return None
    player = find_counted_player(table)
    if player is not None:
        return make("city", player, district, players=(0,))
    return make("build", str(table.rules.price(district)))


def find_counted_player(table: Table) -> str | None:
    """The player whose city is being counted after the last round; None at any other moment."""
    asked = table.questions[-1] if table.questions else None
    return table.seats[asked.seat].name if asked is not None and asked.kind == "city" else None


def select_listed(table: Table, legal: Sequence[Move]) -> list[Move]:
    """The moves that a list offers: only the city that is asked for, though a line may name
    another."""
    player = find_counted_player(table)
    if player is None:
        return list(legal)
    return [move for move in legal if move.verb != "city" or move.args[0] == player]


def shorten_build(table: Table, move: Move) -> Move:
    """The build, also that of the Wizard's card, as its price, if only prices are recorded."""
    if move.verb == "build" and len(move.args) == 1:
        return find_district_move(table, move.args[0]) or move
    if move.verb == "take" and len(move.args) == 2 and not table.rules.counts_cards:
        name, district = move.args
        if district in table.rules.districts:
            return make("take", name, str(table.rules.price(district)), players=(0,))
    return move
