"""A list of its own behind one choice: typing narrows it, a number or Enter takes a row.

Many moves are asked for pick by pick, as `companion.intent.menu` groups them for both callers:
which player, which card, how many; each pick opens the list of the next, and Esc goes back by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.intent import menu
from companion.language import _, card, district_type
from engine.moves import fold
from engine.rules.building import price

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table


class Offer:
    """Rows to choose from, each with the moves behind it; `before` is the pick made before."""

    def __init__(
        self, title: str, rows: Sequence[menu.Choice], before: Offer | None = None
    ) -> None:
        self.title = title
        self.rows = list(rows)
        self.before = before
        self.typed = ""

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move that can still be picked."""
        return tuple(dict.fromkeys(move for row in self.rows for move in row.moves))

    def visible(self) -> list[menu.Choice]:
        """The rows of which every typed word begins a word."""
        wanted = fold(self.typed).split()
        return [
            row
            for row in self.rows
            if all(any(part.startswith(w) for part in fold(row.label).split()) for w in wanted)
        ]


def of_moves(t: Table, title: str, moves: Sequence[Move], before: Offer | None = None) -> Offer:
    """An offer of moves: one by one where they are few, else by the next word of them."""
    rows = menu.narrowed(t, moves)
    if all(_is_plain_build(row) or (len(row.moves) > 1 and _builds(row)) for row in rows):
        rows = [row if len(row.moves) > 1 else _district(t, row.moves[0]) for row in rows]
    return Offer(title, rows, before)


def _is_plain_build(row: menu.Choice) -> bool:
    """Whether the row is one district, built and paid as usual."""
    args = row.moves[0].args
    return len(row.moves) == 1 and _builds(row) and len(args) == 1 and not args[0].isdecimal()


def _builds(row: menu.Choice) -> bool:
    return all(move.verb == "build" for move in row.moves)


def _district(t: Table, move: Move) -> menu.Choice:
    """The row of a district in a list of nothing but districts to build: its name comes first."""
    district = t.rules.districts[move.args[0]]
    label = _("{district}, {type}, {number}").format(
        district=card(district.id),
        type=district_type(district.type),
        number=price(t, district.id),
    )
    return menu.Choice(label, (move,))
