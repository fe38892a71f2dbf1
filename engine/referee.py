"""The referee of one game: what is legal, what a move does, undo and redo.

```
referee = Referee(table)
referee.legal()            # every complete move, each once
referee.play("build tavern")   # or a Move; raises Refused and changes nothing
referee.undo()
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import explain
from engine.moves import Move, UnknownMove, parse
from engine.refusals import Refused
from engine.rules import Action, offered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.table import Table


def legal(t: Table) -> list[Move]:
    """Every complete move that the rules allow at that table, each once."""
    moves: list[Move] = []
    for action in offered(t).actions:
        if action.closed(t) is None:
            moves += action.moves(t)
    return moves


def judge(t: Table, move: Move) -> Action:
    """The action that carries the move out. Raises Refused if a rule forbids it."""
    action = offered(t).by_verb.get(move.verb)
    if action is None:
        rule: str | None = explain.misplaced(t, move.verb)
    else:
        rule = action.closed(t)
        if rule is None:
            rule = action.objection(t, *move.args)
    if rule is not None or action is None:
        raise Refused(move.text, explain.refusal(t, move, rule or "move.unknown"))
    return action


def after(t: Table, move: Move) -> Table:
    """The table after that move; `t` stays as it is. Raises Refused if a rule forbids it."""
    action = judge(t, move)
    new = t.copy()
    action.apply(new, *move.args)
    return new


class Referee:
    """A game from a starting table: its moves so far, and the table after each of them."""

    def __init__(self, start: Table) -> None:
        self._tables = [start]
        self._moves: list[Move] = []
        self._undone: list[Move] = []

    @property
    def table(self) -> Table:
        """The table as it stands; it must not be changed."""
        return self._tables[-1]

    @property
    def start(self) -> Table:
        """The table before the first move."""
        return self._tables[0]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves in force, first to last."""
        return tuple(self._moves)

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves that `redo` would bring back, the next one last."""
        return tuple(self._undone)

    def before(self) -> Table:
        """The table before the last move (the start if there is none)."""
        return self._tables[-2] if self._moves else self._tables[0]

    def latest(self, most: int) -> list[tuple[Table, Move, Table]]:
        """The last `most` moves, oldest first, each with the table before and after it."""
        first = max(0, len(self._moves) - most)
        return [
            (self._tables[place], self._moves[place], self._tables[place + 1])
            for place in range(first, len(self._moves))
        ]

    def plan_redo(self, texts: Sequence[str]) -> None:
        """Take over moves that were undone elsewhere, the next one to redo last."""
        self._undone = [self.read(text) for text in texts]

    def legal(self) -> list[Move]:
        """Every complete move that the rules allow now, each once."""
        return legal(self._tables[-1])

    def read(self, text: str) -> Move:
        """The move that the text writes. Raises Refused (`move.unknown`) if it writes none."""
        try:
            return parse(text, self.table.rules.vocabulary)
        except UnknownMove as error:
            raise Refused(text, explain.unknown(error)) from None

    def play(self, move: Move | str) -> Move:
        """Play a move. Raises Refused, and changes nothing, if the rules forbid it."""
        if isinstance(move, str):
            move = self.read(move)
        self._tables.append(after(self._tables[-1], move))
        self._moves.append(move)
        self._undone.clear()
        return move

    def undo(self) -> Move | None:
        """Take the last move back; None if there is none."""
        if not self._moves:
            return None
        self._tables.pop()
        move = self._moves.pop()
        self._undone.append(move)
        return move

    def redo(self) -> Move | None:
        """Play the move taken back last again; None if there is none."""
        if not self._undone:
            return None
        move = self._undone[-1]
        self._tables.append(after(self._tables[-1], move))
        self._moves.append(self._undone.pop())
        return move
