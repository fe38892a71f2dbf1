"""Secretly recorded choices: players' private notes, which restrict nobody.

Public moves are judged as if nothing were recorded; notes that contradict them are dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table import Table


def note(table: Table, index: int, character: str) -> None:
    """Record that the seat has chosen the character; its oldest choices make room."""
    settle(table, index, character)
    seat = table.own_seat(index)
    seat.chosen = (*(c for c in seat.chosen if c != character), character)


def settle(table: Table, index: int, character: str) -> None:
    """Drop every record that contradicts the seat having the character."""
    rule_out(table, character, but=index)
    seat = table.seats[index]
    if not seat.chosen or character in seat.chosen:
        return
    held = {*seat.revealed, character}
    unshown = [c for c in seat.chosen if c not in held]
    too_many = max(0, len(held) + len(unshown) - table.rules.picks)
    _drop(table, index, unshown[:too_many])


def rule_out(table: Table, character: str, *, but: int | None = None) -> None:
    """Drop every record of the character, except for seat `but`."""
    for index, seat in enumerate(table.seats):
        if character in seat.chosen and index != but:
            _drop(table, index, [character])


def _drop(table: Table, index: int, characters: list[str]) -> None:
    seat = table.own_seat(index)
    seat.chosen = tuple(c for c in seat.chosen if c not in characters)
