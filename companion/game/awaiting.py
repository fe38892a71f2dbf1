"""For whom a game waits, as far as everybody at the table may know, and what happens in it without
anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.wording import state
from engine import views
from engine.moves import Move, make
from engine.referee import list_legal_moves
from engine.rules.selection import passes_at_once

if TYPE_CHECKING:
    from companion.game.session import Session
    from engine.table import Table

PAUSE = 6.0
"""Seconds to wait at a rank that nobody has or whose character was murdered. A called player
answers within that time, so the pause reveals nothing."""

OF_CALLER = ("select", "call")
"""What is asked of the player with the crown all the time between turns."""

_SELECTION = ("faceup", "choose", "call")  # verbs of every selection


class Awaited(NamedTuple):
    """Whom everybody waits for."""

    asked: tuple[int, str] | None
    """The seat whose player is asked, and what (`views.find_awaited`). None after the end, and
    while it is notes on phones that are awaited, or the companion that calls."""

    missing: tuple[int, ...]
    """The seats with a phone whose players have not noted their characters of this round."""

    seats: tuple[int, ...]
    """All who are awaited; none while nobody may know who that is."""


def find(session: Session) -> Awaited:
    """For whom the game waits now."""
    view = session.view
    asked = views.find_awaited(view)
    missing: tuple[int, ...] = ()
    if view.stage == "selection":
        noted = enumerate(list_chosen(session))
        missing = tuple(at for at, is_noted in noted if not is_noted and session.has_phone(at))
    if asked is not None and asked[1] in OF_CALLER and not _asks_caller(session, missing):
        asked = None
    is_noting = missing and not state.lays_face_up(view)
    return Awaited(asked, missing, missing if is_noting else asked[:1] if asked else ())


def _asks_caller(session: Session, missing: tuple[int, ...]) -> bool:
    """Whether it is for the player with the crown to call."""
    view = session.view
    if session.has_caller() or session.next_redo:
        return True
    if view.stage == "selection":
        return view.faceup is None or not missing
    return not session.calls_by_itself() or find_next(view) is None


def list_chosen(session: Session) -> list[bool]:
    """Of each seat, whether its player has recorded the characters of this round."""
    rules, noted = session.view.rules, {tuple(move.args) for move in session.list_round_notes()}
    return [
        sum(name == player for player, _character in noted) >= rules.picks
        for name in rules.player_names
    ]


def find_next(table: Table) -> tuple[Move, float] | None:
    """The next move that needs no player, and the delay before it in seconds; None while a player
    is awaited. `table` is the true one; the public view gives what everybody expects. As long as a
    murder is secret, tables that differ only in it give the same result.
    """
    if table.stage == "selection":
        # the Theater's owner may still exchange characters, so the crowned player decides when to
        # call
        may_exchange = any(move.verb not in _SELECTION for move in list_legal_moves(table))
        return None if may_exchange else (make("call"), 0.0)
    if table.stage != "calling" or table.questions:
        return None
    character = table.rules.by_rank[table.called]
    has_it = any(character in seat.chosen for seat in table.seats)
    if has_it and character != table.marks.killed:
        return None
    if character == table.marks.killed:
        # a Hospital's owner may still answer and is not hurried: the crown passes the rank
        view = views.redact(table, views.PUBLIC)
        if any(move.verb == "reveal" for move in list_legal_moves(view)):
            return None
    return make("nobody"), 0.0 if passes_at_once(table) else PAUSE
