"""Calling ranks without a caller: players who recorded their character on their own phone reveal it
there, and a rank that nobody can answer passes after a pause that gives nothing away."""

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
"""Seconds to wait at a rank that nobody has or whose character was murdered. A called player
answers within that time, so the pause reveals nothing."""


_SELECTION = ("faceup", "choose", "call")  # verbs of every selection


class Recorded:
    """The characters recorded on phones this round, each on the player's own."""

    def __init__(
        self,
        table: Table | None = None,
        kept: Any = None,
        keep: Callable[[dict[str, Any]], None] = lambda kept: None,
    ) -> None:
        """`keep` saves what must survive a restart: which seats recorded, never a character. `kept`
        is what was saved before; `table` is the current true table."""
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
        """Note a move played on that seat's phone; `table` is the true table after it."""
        if move.verb != "choose" or table.seats[seat].name != move.args[0]:
            return
        if table.round != self._round:
            self._round, self._seats, self._characters = table.round, set(), set()
        self._seats.add(seat)
        self._characters.add(move.args[1])
        self._keep({"round": self._round, "seats": sorted(self._seats)})

    def is_complete(self, table: Table) -> bool:
        """Whether all players recorded their characters of this round on their own phones. They may
        have been exchanged since."""
        return table.round == self._round and all(
            index in self._seats
            and len(seat.chosen) == table.rules.picks
            and self._characters.issuperset(seat.chosen)
            for index, seat in enumerate(table.seats)
        )


def find_next(table: Table) -> tuple[Move, float] | None:
    """The next move that needs no player, and the delay before it in seconds; None while a player
    is awaited. `table` is the true one. As long as a murder is secret, tables that differ only in
    it give the same result.
    """
    if table.stage == "selection":
        # the Theater's owner may still exchange characters, so the crowned player decides when to
        # call
        more = any(move.verb not in _SELECTION for move in list_legal_moves(table))
        return None if more else (make("call"), 0.0)
    if table.stage != "calling" or table.questions:
        return None
    character = table.rules.by_rank[table.called]
    has_it = any(character in seat.chosen for seat in table.seats)
    if has_it and character != table.killed:
        return None
    if character == table.killed:
        # a Hospital's owner may still answer and is not hurried: the crown passes the rank
        known = views.redact(table, views.PUBLIC)
        if any(move.verb == "reveal" for move in list_legal_moves(known)):
            return None
    return make("nobody"), PAUSE
