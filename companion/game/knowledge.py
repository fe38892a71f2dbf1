"""What everybody has seen of a game: an undo makes nobody forget it.

A secret kill becomes public when its character is called, a robbery when its victim is
revealed. If moves are undone after that, the name stays known for as long as the move that named it
is in force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.named_tuples import NamedTuple
from companion.language import _, card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table

_NAMED_BY = {"killed": "kill", "robbed": "rob"}  # what a table shows, and the verb that named it


class _Naming(NamedTuple):
    at: int  # the index of the move that named it
    round: int  # the round that it is named in: the next one hides its own


class Known:
    """The secrets of one game that everybody has seen, by the move that named them."""

    def __init__(self) -> None:
        self._namings: dict[str, _Naming] = {}

    def note_before_undo(self, view: Table, moves: Sequence[Move]) -> None:
        """Note what is public before the last move is undone."""
        if not view.rules.secret:
            return
        for mark, verb in _NAMED_BY.items():
            if getattr(view, mark) is not None:
                places = (at for at, move in enumerate(moves) if move.verb == verb)
                self._namings[mark] = _Naming(max(places, default=len(moves)), view.round)
        left = len(moves) - 1
        self._namings = {mark: naming for mark, naming in self._namings.items() if naming.at < left}

    def add_to(self, view: Table, table: Table) -> Table:
        """Add to `view`, a copy of the caller's, what everybody has seen of this table before."""
        for mark in self._list_marks(table):
            setattr(view, mark, getattr(table, mark))
        return view

    def tell(self, view: Table, hiding: Table) -> list[str]:
        """What is known only because it was seen before, a sentence each; `hiding` is the view
        without it."""
        sentences = {
            "killed": _("Everybody knows that the {character} was murdered."),
            "robbed": _("Everybody knows that the {character} will be robbed."),
        }
        return [
            sentences[mark].format(character=card(getattr(view, mark)))
            for mark in self._list_marks(view)
            if getattr(hiding, mark) is None
        ]

    def _list_marks(self, table: Table) -> list[str]:
        return [mark for mark, naming in self._namings.items() if naming.round == table.round]
