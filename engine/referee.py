"""The referee of one game: what is legal, what a move does, undo and redo.

```
referee = Referee(table)
referee.list_legal_moves()            # every complete move, each once
referee.play("build tavern")   # or a Move; raises Refused and changes nothing
referee.push(move)             # one that was listed or judged: not judged again
referee.undo()
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import explain
from engine.explain import Refused
from engine.moves import Move, UnknownMove, parse
from engine.rules import Menu, find_menu

if TYPE_CHECKING:
    from engine.table import Table


def list_legal_moves(table: Table) -> list[Move]:
    """Every complete move that the rules allow at that table, each once."""
    return _list_moves(table, find_menu(table))


def _list_moves(table: Table, menu: Menu) -> list[Move]:
    moves: list[Move] = []
    for action in menu.actions:
        if action.closed(table) is None:
            moves += action.only or action.moves(table)
    return moves


def judge(table: Table, move: Move) -> None:
    """Raise Refused if a rule forbids the move."""
    action = find_menu(table).by_verb.get(move.verb)
    if action is None:
        rule: str | None = explain.find_rule_of_moment(table, move.verb)
    else:
        rule = action.closed(table)
        if rule is None:
            rule = action.objection(table, *move.args)
    if rule is not None:
        raise Refused(move.text, explain.refuse(table, move, rule))


def push_move(table: Table, move: Move) -> Table:
    """The table after a move that is known to be legal there: listed by `list_legal_moves`, or
    judged. It is not judged again; an illegal one raises KeyError or makes an impossible table.
    """
    return _carry_out(table, move, find_menu(table))


def _carry_out(table: Table, move: Move, menu: Menu) -> Table:
    new = table.copy()
    menu.by_verb[move.verb].apply(new, *move.args)
    return new


class Referee:
    """A game from a starting table: its moves so far, and the table after each of them."""

    def __init__(self, start: Table) -> None:
        self._tables = [start]
        self._moves: list[Move] = []
        self._undone: list[Move] = []
        self._menu: Menu | None = None  # of the current table, once its moves were listed

    @property
    def table(self) -> Table:
        """The current table; it must not be changed."""
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
        """The moves that `redo` would replay, the next one last."""
        return tuple(self._undone)

    def table_before(self) -> Table:
        """The table before the last move. Raises IndexError if there is none."""
        return self._tables[-2]

    def list_latest(self, most: int | None = None) -> list[tuple[Table, Move, Table]]:
        """The last `most` moves (default: all), oldest first, each with the table before and after
        it."""
        first = 0 if most is None else max(0, len(self._moves) - most)
        return [
            (self._tables[place], self._moves[place], self._tables[place + 1])
            for place in range(first, len(self._moves))
        ]

    def list_legal_moves(self) -> list[Move]:
        """Every complete move that the rules allow now, each once."""
        table = self._tables[-1]
        self._menu = find_menu(table)
        return _list_moves(table, self._menu)

    def read(self, text: str) -> Move:
        """Parse a move. Raises Refused (`move.unknown`) if the text is not one."""
        try:
            return parse(text, self.table.rules.vocabulary)
        except UnknownMove as error:
            raise Refused(text, explain.refuse_unknown(error)) from None

    def play(self, move: Move | str) -> Move:
        """Play a move. Raises Refused, and changes nothing, if the rules forbid it."""
        if isinstance(move, str):
            move = self.read(move)
        judge(self._tables[-1], move)
        self.push(move)
        return move

    def push(self, move: Move) -> None:
        """Play a move that is known to be legal now, as `push_move` does."""
        self._push(move)
        self._undone.clear()

    def undo(self) -> Move | None:
        """Take the last move back; None if there is none."""
        if not self._moves:
            return None
        self._tables.pop()
        self._menu = None
        move = self._moves.pop()
        self._undone.append(move)
        return move

    def redo(self) -> Move | None:
        """Replay the move taken back last; None if there is none."""
        if not self._undone:
            return None
        move = self._undone.pop()
        self._push(move)
        return move

    def _push(self, move: Move) -> None:
        table = self._tables[-1]
        self._tables.append(_carry_out(table, move, self._menu or find_menu(table)))
        self._moves.append(move)
        self._menu = None
