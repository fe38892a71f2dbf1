"""Calling: the ranks are called in order, and the called character is shown or nobody answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules import choices, turns
from engine.rules.base import Action, Words

if TYPE_CHECKING:
    from engine.table import Seat, Table


class Reveal(Action):
    """`reveal P`: the called character is P's, whose turn begins."""

    verb = "reveal"
    players = (0,)
    exact = True

    def closed(self, t: Table) -> str | None:
        character = t.rules.by_rank[t.called]
        if character == t.killed and not t.rules.having("gathers_when_killed"):
            return "reveal.killed"
        return "reveal.face_up" if t.faceup and character in t.faceup else None

    def objection(self, t: Table, *words: str) -> str | None:
        return self._unable(t, t.seats[t.seat_named(words[0])])

    def _unable(self, t: Table, seat: Seat) -> str | None:
        # offered to the Hospital's owner whoever has the card: the offer must tell nothing
        killed = t.rules.by_rank[t.called] == t.killed
        if killed and "gathers_when_killed" not in seat.city.effects:
            return "reveal.killed"
        return "reveal.already" if len(seat.revealed) >= t.rules.picks else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(seat.name,) for seat in t.seats if self._unable(t, seat) is None]

    def apply(self, t: Table, *words: str) -> None:
        index, character = t.seat_named(words[0]), t.rules.by_rank[t.called]
        choices.has(t, index, character)
        turns.begin(t, index, character)


class Nobody(Action):
    """`nobody`: nobody answers; the next rank is called."""

    verb = "nobody"

    def apply(self, t: Table, *words: str) -> None:
        character = t.rules.by_rank[t.called]
        if character != t.killed:
            choices.nobody_has(t, character)
        turns.advance(t)


CALLING: tuple[Action, ...] = (Reveal(), Nobody())
