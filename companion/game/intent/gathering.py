"""Moves made by several taps: which of them fit the cards and players tapped so far.

A tapped card stands for the moves that name it; the next tap narrows them. Three exceptions:
secrets are never tapped in the open, sets (discards, warrants, threats) are played once complete
and not listed before, and some moves begin with one of the player's own cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, cards
from companion.verbs.private import ALWAYS_SECRET

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.moves import Move
    from engine.table import Table

SETS = ("faceup", "warrants", "threats")
"""Moves that need several characters in any order."""

_OWN_CARD_FIRST = ("build", "exchange", "use")  # not begun by tapping another player's card
_ON_PURPOSE = ("vault",)  # not by a player token alone, which also shows that player's belongings
_SEAT = "@"  # marks a player among the words tapped; no card id begins with it


def seat_word(index: int) -> str:
    """The word for a tapped player."""
    return f"{_SEAT}{index}"


def fitting(table: Table, legal: Sequence[Move], tapped: Sequence[str]) -> list[Move]:
    """The public moves that these taps may mean."""
    first_words = {move.args[:1] for move in legal}
    beyond_doubt = len(first_words) == 1  # an open list of moves that all begin with one card
    return [
        move
        for move in legal
        if move.verb not in ALWAYS_SECRET
        and all(_names(table, move, word) for word in tapped)
        and (beyond_doubt or move.verb not in _OWN_CARD_FIRST or move.args[0] in tapped)
    ]


def find_whole(moves: Iterable[Move], tapped: Sequence[str]) -> list[Move]:
    """Of moves that need a set, those made of exactly these cards."""
    return [move for move in moves if set(move.args) == set(tapped)][:1]


def is_sure(moves: Sequence[Move], tapped: Sequence[str]) -> bool:
    """Whether the one fitting move may be played at once: a player token alone asks first before it
    costs a district or shows a card."""
    return not all(word.startswith(_SEAT) for word in tapped) or not any(
        move.words("D") or move.verb in _ON_PURPOSE for move in moves
    )


def tell_gathered(legal: Iterable[Move], pending: Sequence[str]) -> str:
    """What has been gathered for a move that needs more."""
    sentences = {
        "warrants": _("Warrants so far: {cards}."),
        "threats": _("Threats so far: {cards}."),
    }
    verb = next((move.verb for move in legal if move.verb in SETS), "")
    sentence = sentences.get(verb, _("Face up so far: {cards}."))
    return sentence.format(cards=cards(pending))


def _names(table: Table, move: Move, word: str) -> bool:
    if word.startswith(_SEAT):
        return table.seats[int(word[1:])].name in move.words("P")
    return word in (*move.words("C"), *move.words("D"))
