"""Forced moves: played automatically, each as an ordinary move in the log.

Only public knowledge forces a move. So when a kill is secret, calling that rank is what makes it
public, and a call that somebody might answer is never skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import asking
from companion.verbs.private import is_private

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table


def step(view: Table, legal: Sequence[Move]) -> Move | None:
    """The only move possible now; None if there is a choice.

    Only the players can tell when everybody has chosen, so `call` is never forced.
    """
    if view.stage == "selection":
        return None
    offered = asking.select_offered(view, legal)
    public = [move for move in offered if not is_private(view, move.verb)]
    # A private move is a choice, unless it only records what somebody holds.
    if len(public) != 1 or any(m.verb != "choose" for m in legal if m is not public[0]):
        return None
    return None if _is_asked_in_private(view) else public[0]


def _is_asked_in_private(view: Table) -> bool:
    return bool(view.questions) and view.questions[-1].kind in ("warrant", "expose")
