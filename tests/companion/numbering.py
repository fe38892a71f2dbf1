"""The numbers that make a move through the numbered choices, list by list."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple, cast

from companion import verbs
from companion.game import Offer
from companion.game.asking import agenda, narrow
from companion.game.private import Private
from engine.referee import list_legal_moves

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.game.conversation import Conversation
    from engine.moves import Move
    from engine.table import Table


class Pick(NamedTuple):
    """A number to pick, and all numbers of its list."""

    number: int
    numbers: Collection[int]


def find_picks(view: Table, move: Move) -> list[Pick]:
    """The picks that lead to the move, in order, from the current rows."""
    picks: list[Pick] = []
    offer = agenda(view, list_legal_moves(view), verbs.keys({}))
    while True:
        row = next(row for row in offer.rows if move in row.moves)
        picks.append(_pick(offer, row.number))
        if row.private:
            return picks + _find_private_picks(view, row.moves, move)
        if len(row.moves) == 1:
            return picks
        offer = narrow(view, row.moves)


def _pick(offer: Offer, number: int | None) -> Pick:
    return Pick(number or 0, [row.number for row in offer.rows if row.number is not None])


def _find_private_picks(view: Table, moves: tuple[Move, ...], move: Move) -> list[Pick]:
    """The player, if not yet chosen, then the card."""
    mode = Private(cast("Conversation", SimpleNamespace(view=view)), moves)
    picks = []
    if not mode.player:
        picks.append(_pick(mode.offer(), view.rules.seat_of[move.args[0]] + 1))
        mode.player = move.args[0]
    offer = mode.offer()
    return [*picks, _pick(offer, next(row.number for row in offer.rows if move in row.moves))]


def digits_of(pick: Pick) -> list[str]:
    """The number chips of a pick: `enter` ends a number that is a prefix of a longer one in its
    list."""
    digits = str(pick.number)
    longer = any(str(n).startswith(digits) and n != pick.number for n in pick.numbers)
    return [*digits, *(["enter"] if longer else [])]
