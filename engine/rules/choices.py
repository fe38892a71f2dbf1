"""Secretly recorded choices: private notes of the players, which restrict nobody at the table.

What is said aloud is judged as if nothing were recorded; notes that contradict it are dropped.
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
    """The seat has the character: drop every record that contradicts it."""
    rule_out(table, character, but=index)
    seat = table.seats[index]
    if not seat.chosen or character in seat.chosen:
        return
    held = {*seat.revealed, character}
    unshown = [c for c in seat.chosen if c not in held]
    too_many = max(0, len(held) + len(unshown) - table.rules.picks)
    _drop(table, index, unshown[:too_many])


def rule_out(table: Table, character: str, *, but: int | None = None) -> None:
    """No seat (but that one) has the character: drop every record of it."""
    for index, seat in enumerate(table.seats):
        if character in seat.chosen and index != but:
            _drop(table, index, [character])


def _drop(table: Table, index: int, characters: list[str]) -> None:
    seat = table.own_seat(index)
    seat.chosen = tuple(c for c in seat.chosen if c not in characters)
