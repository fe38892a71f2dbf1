"""Calling: the ranks are called in order, and a player shows the called character or nobody
answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules import choices, turns
from engine.rules.base import Action, Words

if TYPE_CHECKING:
    from engine.table import Seat, Table


def find_no_answer(table: Table) -> str:
    """Why nobody can answer the call of this rank, as far as the table shows it: `murdered`,
    `faceup`; "" if somebody may."""
    character = table.rules.by_rank.get(table.called)
    if character is not None and character == table.killed:
        return "murdered"
    return "faceup" if character in (table.faceup or ()) else ""


class Reveal(Action):
    """`reveal P`: P has the called character and begins a turn."""

    verb = "reveal"
    players = (0,)
    exact = True

    def closed(self, table: Table) -> str | None:
        character = table.rules.by_rank[table.called]
        if character == table.killed and not table.rules.cards_with("gathers_when_killed"):
            return "reveal.killed"
        return "reveal.face_up" if table.faceup and character in table.faceup else None

    def objection(self, table: Table, *words: str) -> str | None:
        seat = table.seats[table.seat_named(words[0])]
        if seat not in self._list_answering(table):
            return "reveal.killed"
        return "reveal.already" if len(seat.revealed) >= table.rules.picks else None

    def _list_answering(self, table: Table) -> list[Seat]:
        """The seats that may answer the call: a killed character's, only those with the Hospital,
        whoever has the card, so that the offer reveals nothing."""
        if table.rules.by_rank[table.called] != table.killed:
            return table.seats
        return [seat for seat in table.seats if "gathers_when_killed" in seat.city.effects]

    def options(self, table: Table) -> Iterable[Words]:
        picks = table.rules.picks
        return [(seat.name,) for seat in self._list_answering(table) if len(seat.revealed) < picks]

    def apply(self, table: Table, *words: str) -> None:
        index, character = table.seat_named(words[0]), table.rules.by_rank[table.called]
        choices.settle(table, index, character)
        turns.begin(table, index, character)


class Nobody(Action):
    """`nobody`: nobody answers; the next rank is called."""

    verb = "nobody"

    def apply(self, table: Table, *words: str) -> None:
        character = table.rules.by_rank[table.called]
        if character != table.killed:
            choices.rule_out(table, character)
        turns.advance(table)


CALLING: tuple[Action, ...] = (Reveal(), Nobody())
