"""Calling: the ranks are called in order, and the called character is shown or nobody answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import Action, Words

if TYPE_CHECKING:
    from engine.table import Table


def recorded_holder(t: Table, character: str) -> int | None:
    """The seat whose secretly recorded choice this character is, or None."""
    for index, seat in enumerate(t.seats):
        if character in seat.chosen:
            return index
    return None


def contradicts_record(t: Table, index: int, character: str) -> bool:
    """Whether that seat's holding the character contradicts what was recorded this round."""
    holder = recorded_holder(t, character)
    if holder is not None:
        return holder != index
    seat = t.seats[index]
    unrecorded = sum(shown not in seat.chosen for shown in seat.revealed)
    return len(seat.chosen) + unrecorded >= t.rules.picks


class Reveal(Action):
    """`reveal P`: the called character is P's, whose turn begins."""

    verb = "reveal"
    players = (0,)

    def closed(self, t: Table) -> str | None:
        character = t.rules.by_rank[t.called]
        if character == t.killed and not t.rules.having("gathers_when_killed"):
            return "reveal.killed"
        return "reveal.face_up" if t.faceup and character in t.faceup else None

    def objection(self, t: Table, *words: str) -> str | None:
        index = t.seat_named(words[0])
        character = t.rules.by_rank[t.called]
        # offered to the Hospital's owner whoever has the card: the offer must tell nothing
        if character == t.killed and "gathers_when_killed" not in t.seats[index].city.effects:
            return "reveal.killed"
        if len(t.seats[index].revealed) >= t.rules.picks:
            return "reveal.already"
        return (
            "reveal.recorded" if contradicts_record(t, index, t.rules.by_rank[t.called]) else None
        )

    def options(self, t: Table) -> Iterable[Words]:
        holder = recorded_holder(t, t.rules.by_rank[t.called])
        names = t.rules.player_names
        return [(name,) for name in (names if holder is None else (names[holder],))]

    def apply(self, t: Table, *words: str) -> None:
        turns.begin(t, t.seat_named(words[0]), t.rules.by_rank[t.called])


class Nobody(Action):
    """`nobody`: nobody answers; the next rank is called."""

    verb = "nobody"

    def closed(self, t: Table) -> str | None:
        character = t.rules.by_rank[t.called]
        if character == t.killed:
            return None
        return "nobody.recorded" if recorded_holder(t, character) is not None else None

    def apply(self, t: Table, *words: str) -> None:
        turns.advance(t)


CALLING: tuple[Action, ...] = (Reveal(), Nobody())
