"""The keys with which a move is reached on the full screen, list after list; no word is typed."""

from __future__ import annotations

from collections.abc import Sequence

from companion import language
from companion.app import offer
from companion.app.choices import Choice, choices
from engine.moves import Move
from engine.referee import legal
from engine.table import Table
from tests.companion.numbering import Pick

LATIN, CYRILLIC = "abcdefghijklmnopqrstuvwxyz", "фисвуапршолдьтщзйкыегмцчня"


def keyboard(keys: list[str]) -> list[str]:
    """The keys as a keyboard of the language sends them: a Russian one without switching."""
    own = str.maketrans(LATIN, CYRILLIC) if language.current() == "ru" else {}
    return [key.translate(own) if len(key) == 1 else key for key in keys]


def keys_to(view: Table, move: Move) -> list[str]:
    """The keys as tmux names them: the letter of the move or the number of its row, arrows to a
    row that has no number."""
    listed = choices(view, legal(view))
    choice, _rows = _row_of(listed, move)
    if not choice.opens:
        return [choice.mnemonic or choice.number]
    first = [choice.mnemonic or choice.number]
    if choice.private:
        return first + _in_private(choice.moves, move)
    return first + [key for row in _offered(view, choice.moves, move) for key in _key(row)]


def rows_to(view: Table, move: Move) -> list[Pick]:
    """The row of the move, which is no private one, in each list on the screen."""
    listed = choices(view, legal(view))
    choice, place = _row_of(listed, move)
    return [_pick(place, len(listed)), *_offered(view, choice.moves, move)]


def _row_of(listed: Sequence[Choice], move: Move) -> tuple[Choice, int]:
    return next((choice, at) for at, choice in enumerate(listed) if move in choice.moves)


def _offered(view: Table, moves: Sequence[Move], move: Move) -> list[Pick]:
    """The row in each list behind a choice."""
    found = []
    while len(moves) > 1:
        rows = offer.of_moves(view, "", moves).rows
        place = next(at for at, row in enumerate(rows) if move in row.moves)
        found.append(_pick(place, len(rows)))
        moves = rows[place].moves
    return found


def _pick(place: int, rows: int) -> Pick:
    return Pick(place + 1, range(1, rows + 1))


def _in_private(moves: Sequence[Move], move: Move) -> list[str]:
    """Who, where that is open; that the device was handed over; which card."""
    own = [one for one in moves if move.verb != "choose" or one.args[0] == move.args[0]]
    players = list(dict.fromkeys(one.args[0] for one in moves if move.verb == "choose"))
    many = len(players) > 1
    who = _key(_pick(players.index(move.args[0]), len(players))) if many else []
    return [*who, "Enter", *_key(_pick(own.index(move), len(own)))]


def _key(row: Pick) -> list[str]:
    """What takes the row: its number, or arrows from the first one and Enter."""
    return [str(row.number)] if row.number < 10 else [*["Down"] * (row.number - 1), "Enter"]
