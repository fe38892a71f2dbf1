"""The numbers with which a move is reached through the numbered choices, list after list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from companion.intent import menu
from companion.privacy import is_private
from engine.moves import Move
from engine.referee import legal
from engine.table import Table


class Pick(NamedTuple):
    """A number to pick, and all the numbers of its list."""

    number: int
    numbers: Collection[int]


def picks_to(view: Table, move: Move) -> list[Pick]:
    """What to pick, one after the other, from the first list of this moment on."""
    found: list[Pick] = []
    choices = menu.folded(view, legal(view))
    while True:
        listed = menu.numbered(choices)
        number, choice = next((n, choice) for n, choice in listed.items() if move in choice.moves)
        found.append(Pick(number, listed))
        if any(is_private(view, one.verb) for one in choice.moves):
            return found + _in_private(choice.moves, move)
        if len(choice.moves) == 1:
            return found
        choices = menu.narrowed(view, choice.moves)


def numbers_to(view: Table, move: Move) -> list[int]:
    """The numbers of these picks alone."""
    return [pick.number for pick in picks_to(view, move)]


def _in_private(moves: tuple[Move, ...], move: Move) -> list[Pick]:
    """Who, where that is open, and then which card."""
    if move.verb != "choose":
        return [_place(moves, move)]
    players = list(dict.fromkeys(one.args[0] for one in moves))
    own = [one for one in moves if one.args[0] == move.args[0]]
    who = [_place(players, move.args[0])] if len(players) > 1 else []
    return [*who, _place(own, move)]


def _place(rows: Sequence[object], row: object) -> Pick:
    return Pick(1 + rows.index(row), range(1, len(rows) + 1))


def digits_of(pick: Pick) -> list[str]:
    """The number chips of a pick: `enter` ends a number that begins a longer one of its list."""
    text = str(pick.number)
    longer = any(str(n).startswith(text) and n != pick.number for n in pick.numbers)
    return [*text, *(["enter"] if longer else [])]
