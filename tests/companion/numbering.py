"""The numbers with which a move is reached through the numbered choices, list after list."""

from __future__ import annotations

from companion import menu
from companion.privacy import is_private
from engine.moves import Move
from engine.referee import legal
from engine.table import Table


def numbers_to(view: Table, move: Move) -> list[int]:
    """What to pick, one after the other, from the first list of this moment on."""
    found: list[int] = []
    choices = menu.folded(view, legal(view))
    while True:
        number, choice = next(
            (number, choice)
            for number, choice in menu.numbered(choices).items()
            if move in choice.moves
        )
        found.append(number)
        if any(is_private(view, one.verb) for one in choice.moves):
            return found + _in_private(choice.moves, move)
        if len(choice.moves) == 1:
            return found
        choices = menu.narrowed(view, choice.moves)


def _in_private(moves: tuple[Move, ...], move: Move) -> list[int]:
    """Who, where that is open, and then which card."""
    if move.verb != "choose":
        return [1 + moves.index(move)]
    players = list(dict.fromkeys(one.args[0] for one in moves))
    own = [one for one in moves if one.args[0] == move.args[0]]
    who = [1 + players.index(move.args[0])] if len(players) > 1 else []
    return [*who, 1 + own.index(move)]
