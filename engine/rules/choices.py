"""Secretly recorded choices: notes of their players' own, which restrain nobody at the table.

What is said aloud is judged as if there were no record; one that contradicts it is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table import Table


def note(t: Table, index: int, character: str) -> None:
    """Record that the seat has chosen the character; its oldest choices make room."""
    has(t, index, character)
    seat = t.own_seat(index)
    seat.chosen = (*(c for c in seat.chosen if c != character), character)


def has(t: Table, index: int, character: str) -> None:
    """The seat has the character: drop every record that contradicts it."""
    nobody_has(t, character, but=index)
    seat = t.seats[index]
    if not seat.chosen or character in seat.chosen:
        return
    held = {*seat.revealed, character}
    unshown = [c for c in seat.chosen if c not in held]
    too_many = max(0, len(held) + len(unshown) - t.rules.picks)
    _drop(t, index, unshown[:too_many])


def nobody_has(t: Table, character: str, *, but: int | None = None) -> None:
    """No seat (but that one) has the character: drop every record of it."""
    for index, seat in enumerate(t.seats):
        if character in seat.chosen and index != but:
            _drop(t, index, [character])


def _drop(t: Table, index: int, characters: list[str]) -> None:
    seat = t.own_seat(index)
    seat.chosen = tuple(c for c in seat.chosen if c not in characters)
