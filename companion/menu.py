"""What can be done now, as short numbered choices: one move each, or many of one verb behind one.

Twenty face-up discards read aloud bury the rest; behind one line they wait until they are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language import _, plural
from companion.wording import labels

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table

MANY = 4  # moves of one verb that are still read out one by one
_OPEN = ("reveal", "unmask")  # however many: they are what this moment is about


class Choice(NamedTuple):
    """A line to choose: its words, and the moves behind it (one is played at once)."""

    label: str
    moves: tuple[Move, ...]


def flat(t: Table, moves: Sequence[Move]) -> list[Choice]:
    """A choice for each move."""
    return [Choice(labels.label(t, move), (move,)) for move in moves]


def folded(t: Table, legal: Sequence[Move]) -> list[Choice]:
    """The choices of this moment; what few people want, a recorded secret, comes last."""
    by_verb: dict[str, list[Move]] = {}
    for move in sorted(legal, key=lambda move: move.verb == "choose"):
        by_verb.setdefault(move.verb, []).append(move)
    choices: list[Choice] = []
    for verb, moves in by_verb.items():
        if verb not in _OPEN and len(moves) > MANY:
            choices.append(Choice(_behind(t, moves), tuple(moves)))
        else:
            choices += flat(t, moves)
    return choices


def _behind(t: Table, moves: Sequence[Move]) -> str:
    """What the line is called behind which these moves of one verb lie."""
    verb, number = moves[0].verb, len(moves)
    if verb == "faceup":
        return plural(
            "Discard {number} character face up",
            "Discard {number} characters face up",
            t.rules.faceup_count,
        ) + plural(", {number} choice", ", {number} choices", number)
    sentences = {
        "kill": _("Murder a character, {number} choices"),
        "rob": _("Rob a character, {number} choices"),
        "build": _("Build a district, {number} choices"),
        "destroy": _("Destroy a district, {number} choices"),
        "redraw": _("Replace 1 to {number} cards of the hand"),
        "choose": _("Record in secret who chose which character, {number} choices"),
    }
    another = _("{move}, or another of {number} choices")
    first = labels.label(t, moves[0])
    return sentences.get(verb, another).format(number=number, move=first)
