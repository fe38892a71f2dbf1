"""The calling without a caller: who has recorded a character on an own phone shows it there, and
ranks that nobody may answer pass after a while that tells nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import views
from engine.moves import make
from engine.referee import list_legal_moves

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.moves import Move
    from engine.table import Table

PAUSE = 6.0
"""Seconds that a rank waits which nobody has, or whose character was murdered; who is called needs
less than that to be heard, and no longer than others take."""


_SELECTION = ("faceup", "choose", "call")  # verbs of every one


class Recorded:
    """What was recorded on phones in this round, each by the player's own hand."""

    def __init__(
        self,
        table: Table | None = None,
        kept: Any = None,
        keep: Callable[[dict[str, Any]], None] = lambda kept: None,
    ) -> None:
        """`keep` writes down what is to outlast the program: whose hands, and nobody's character.
        `kept` is what was written down before, `table` the true one now."""
        self._keep = keep
        self._round = 0
        self._seats: set[int] = set()
        self._characters: set[str] = set()
        kept = kept if isinstance(kept, dict) else {}
        seats = kept.get("seats")
        if table is None or kept.get("round") != table.round or not isinstance(seats, list):
            return
        self._round = table.round
        for seat in {seat for seat in range(len(table.seats)) if seat in seats}:
            self._seats.add(seat)
            self._characters.update(table.seats[seat].chosen)

    def note(self, table: Table, seat: int, move: Move) -> None:
        """A move was played on the phone of that seat; `table` is the true one after it."""
        if move.verb != "choose" or table.seats[seat].name != move.args[0]:
            return
        if table.round != self._round:
            self._round, self._seats, self._characters = table.round, set(), set()
        self._seats.add(seat)
        self._characters.add(move.args[1])
        self._keep({"round": self._round, "seats": sorted(self._seats)})

    def is_complete(self, table: Table) -> bool:
        """Whether every player's characters of this round were recorded on the player's own phone;
        they may have been exchanged since."""
        return table.round == self._round and all(
            index in self._seats
            and len(seat.chosen) == table.rules.picks
            and self._characters.issuperset(seat.chosen)
            for index, seat in enumerate(table.seats)
        )


def find_next(table: Table) -> tuple[Move, float] | None:
    """What happens next without anybody's doing, and after how many seconds; None while a player
    is awaited. `table` is the true one; that of two tables which differ in a murder gives the same
    as long as nobody may know of it.
    """
    if table.stage == "selection":
        # who owns the Theater may still exchange characters: the crowned player says when to call
        more = any(move.verb not in _SELECTION for move in list_legal_moves(table))
        return None if more else (make("call"), 0.0)
    if table.stage != "calling" or table.questions:
        return None
    character = table.rules.by_rank[table.called]
    has_it = any(character in seat.chosen for seat in table.seats)
    if has_it and character != table.killed:
        return None
    if character == table.killed:
        # who owns a Hospital may answer all the same, and is not hurried: the crown passes the rank
        known = views.redact(table, views.PUBLIC)
        if any(move.verb == "reveal" for move in list_legal_moves(known)):
            return None
    return make("nobody"), PAUSE
