"""A list of its own behind one choice: typing narrows it, a number or Enter takes a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.choices import faceup_options, item_label
from companion.language import card, plural
from companion.wording import labels
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table


class Offer:
    """Rows to choose from: moves, or characters to gather for the face-up discard."""

    def __init__(self, title: str, rows: Sequence[tuple[str, Move | str]]) -> None:
        self.title = title
        self.rows = list(rows)
        self.typed = ""

    def visible(self) -> list[tuple[str, Move | str]]:
        """The rows of which every typed word begins a word."""
        wanted = fold(self.typed).split()
        return [
            row
            for row in self.rows
            if all(any(part.startswith(w) for part in fold(row[0]).split()) for w in wanted)
        ]


def of_moves(t: Table, title: str, moves: Sequence[Move]) -> Offer:
    """An offer of moves; face-up discards are gathered card by card instead."""
    if moves[0].verb == "faceup":
        return of_discards(t, moves, ())
    if len({move.verb for move in moves}) > 1:  # the short names of one verb would mislead
        return Offer(title, [(labels.label(t, move), move) for move in moves])
    return Offer(title, [(item_label(t, move), move) for move in moves])


def of_discards(t: Table, moves: Sequence[Move], pending: Sequence[str]) -> Offer:
    """The characters that can be added to the discard."""
    owed = t.rules.faceup_count - len(pending)
    title = (
        plural("Discard {number} more face up", "Discard {number} more face up", owed)
        if pending
        else plural("Discard {number} face up", "Discard {number} face up", owed)
    )
    rows: list[tuple[str, Move | str]] = [(card(c), c) for c in faceup_options(t, moves, pending)]
    return Offer(title, rows)
