"""Secretly recorded choices: each player's own notes, which restrict nobody.

Public moves are judged as if nothing were recorded. Several players may have recorded the same
character; only a public event that contradicts a record drops it, so nothing before tells whether
two records agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table import Table


def note(table: Table, index: int, character: str) -> None:
    """Record that the seat has chosen the character; its oldest records make room."""
    _make_room(table, index, character)
    seat = table.own_seat(index)
    seat.chosen = (*(c for c in seat.chosen if c != character), character)


def settle(table: Table, index: int, character: str) -> None:
    """Drop every record that contradicts the seat having shown the character."""
    rule_out(table, character, but=index)
    _make_room(table, index, character)


def rule_out(table: Table, character: str, *, but: int | None = None) -> None:
    """Drop every record of the character, except for seat `but`."""
    for index, seat in enumerate(table.seats):
        if character in seat.chosen and index != but:
            _drop(table, index, [character])


def _make_room(table: Table, index: int, character: str) -> None:
    """Drop the seat's oldest records that it cannot have beside the character."""
    seat = table.seats[index]
    if not seat.chosen:
        return
    characters = {*seat.revealed, character}
    unshown = [c for c in seat.chosen if c not in characters]
    too_many = max(0, len(characters) + len(unshown) - table.rules.picks)
    if too_many:
        _drop(table, index, unshown[:too_many])


def _drop(table: Table, index: int, characters: list[str]) -> None:
    seat = table.own_seat(index)
    seat.chosen = tuple(c for c in seat.chosen if c not in characters)
