"""The calling without a caller: who has recorded a character on an own phone shows it there, and
ranks that nobody may answer pass after a while that tells nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.moves import make

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table

PAUSE = 6.0
"""Seconds that a rank waits which nobody has, or whose character was murdered; who is called needs
less than that to be heard, and no longer than others take."""


class Recorded:
    """What was recorded on phones in this round, each by the player's own hand."""

    def __init__(self) -> None:
        self._round = 0
        self._seats: dict[int, set[str]] = {}

    def note(self, table: Table, seat: int, move: Move) -> None:
        """A move was played on the phone of that seat; `table` is the true one after it."""
        if move.verb != "choose" or table.seats[seat].name != move.args[0]:
            return
        if table.round != self._round:
            self._round, self._seats = table.round, {}
        self._seats.setdefault(seat, set()).add(move.args[1])

    def is_complete(self, table: Table) -> bool:
        """Whether every player's characters of this round are known from the player's own phone."""
        return table.round == self._round and all(
            len(seat.chosen) == table.rules.picks
            and self._seats.get(index, set()).issuperset(seat.chosen)
            for index, seat in enumerate(table.seats)
        )


def find_next(table: Table) -> tuple[Move, float] | None:
    """What happens next without anybody's doing, and after how many seconds; None while a player
    is awaited. `table` is the true one; that of two tables which differ in a murder gives the same
    as long as nobody may know of it.
    """
    if table.stage == "selection":
        return make("call"), 0.0
    if table.stage != "calling" or table.questions:
        return None
    character = table.rules.by_rank[table.called]
    has_it = any(character in seat.chosen for seat in table.seats)
    if has_it and character != table.killed:
        return None
    return make("nobody"), PAUSE
