"""What can be done now, as short numbered choices: one move each, or many of one verb behind one.

Twenty face-up discards read aloud bury the rest; behind one line they wait until they are wanted,
and then they are asked for word by word: which player, which card, how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion import untracked
from companion.game import verbs
from companion.intent.gathering import SETS
from companion.language import _, plural
from companion.privacy import ALWAYS_SECRET, is_private

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table

MANY = 4  # moves of one verb that are still read out one by one
MOST = 9  # choices that are still listed move by move once they are asked for
_OPEN = ("reveal", "unmask")  # however many: they are what this moment is about


class Choice(NamedTuple):
    """A line to choose: its words, and the moves behind it (one is played at once).

    `amount` is the number in which a move differs from the others of its list, where that is all.
    """

    label: str
    moves: tuple[Move, ...]
    amount: int | None = None


def numbered(choices: Sequence[Choice]) -> dict[int, Choice]:
    """The choices by the number that picks them: their amounts, else their place from 1."""
    amounts = [choice.amount for choice in choices]
    if None in amounts or len(set(amounts)) < len(amounts):
        return dict(enumerate(choices, start=1))
    return {choice.amount: choice for choice in choices if choice.amount is not None}


def flat(t: Table, moves: Sequence[Move]) -> list[Choice]:
    """A choice for each move."""
    only_amounts = len({_but_amount(move) for move in moves}) == 1 < len(moves)
    return [
        Choice(verbs.label(t, move), (move,), _amount(move) if only_amounts else None)
        for move in moves
    ]


def _but_amount(move: Move) -> tuple[str, ...]:
    """The words of a move but for a number at its end (`cards N` may be left out for none)."""
    if not move.words("N"):
        return (move.verb, *move.args)
    words = move.args[:-2] if move.args[-2:-1] == ("cards",) else move.args[:-1]
    return (move.verb, *words)


def _amount(move: Move) -> int:
    return int(move.args[-1]) if move.words("N") else 0


def folded(t: Table, legal: Sequence[Move]) -> list[Choice]:
    """The choices of this moment; what few people want, a recorded secret, comes last.

    A secret is always behind a line of its own that names nobody.
    """
    by_verb: dict[str, list[Move]] = {}
    for move in sorted(
        untracked.worth_listing(t, legal), key=lambda move: move.verb in ALWAYS_SECRET
    ):
        by_verb.setdefault(move.verb, []).append(move)
    choices: list[Choice] = []
    for verb, moves in by_verb.items():
        many = verb not in _OPEN and len(moves) > MANY
        if many or (is_private(t, verb) and len(moves) > 1):
            choices.append(Choice(verbs.fold_label(t, verb, moves), tuple(moves)))
        else:
            choices += flat(t, moves)
    return choices


def narrowed(t: Table, moves: Sequence[Move]) -> list[Choice]:
    """The choices among moves that were asked for: one by one where they are few, else by the first
    word in which they differ."""
    kinds = dict.fromkeys(move.verb for move in moves)
    if len(moves) <= MOST:
        return flat(t, moves)
    if len(kinds) > 1:
        return folded(t, moves)
    groups = _of_set(moves) if moves[0].verb in SETS else _by_word(moves)
    if len(groups) < 2:
        return flat(t, moves)
    choices = []
    for (place, word), group in groups.items():
        if len(group) == 1:
            choices += flat(t, group)
        else:
            label = verbs.word_label(t, group[0].verb, place, word)
            number = plural("{number} choice", "{number} choices", len(group))
            choices.append(
                Choice(_("{label}, {number}").format(label=label, number=number), tuple(group))
            )
    return choices


_GOING_ON = ("call", "nobody", "end")  # what needs no decision


def going_on(legal: Sequence[Move]) -> Move | None:
    """The move with which the game just goes on: call, nobody answers, end the turn."""
    moves = {move.text: move for move in legal}
    return next((moves[text] for text in _GOING_ON if text in moves), None)


_Groups = dict[tuple[int, str], list["Move"]]


def _by_word(moves: Sequence[Move]) -> _Groups:
    """Moves of one verb by the first word that is not the same in all of them."""
    shortest = min(len(move.args) for move in moves)
    place = 0
    while place < shortest and len({move.args[place] for move in moves}) == 1:
        place += 1
    groups: _Groups = {}
    for move in moves:
        word = move.args[place] if place < len(move.args) else ""
        groups.setdefault((place, word), []).append(move)
    return groups


def _of_set(moves: Sequence[Move]) -> _Groups:
    """Moves that name several cards in any order, by each card that only some of them name."""
    shared = set.intersection(*(set(move.args) for move in moves))
    words = dict.fromkeys(word for move in moves for word in move.args if word not in shared)
    return {(0, word): [move for move in moves if word in move.args] for word in words}
