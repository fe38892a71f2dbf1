"""The course of a game: everybody's points and gold after each round, who was whom, and who did
what to whom.

`tell` computes it for a whole game, from the moves that were not undone. It contains public facts
only: a murder appears when its character is called, a robbery when the gold changes hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.log.digest import compare
from engine import scoring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.referee import Referee
    from engine.table import Table

    Moment = tuple[Table, Move, Table]

KILL, ROB, DESTROY, TAKE = "kill", "rob", "destroy", "take"


class RoundEnd(NamedTuple):
    """The standings after a round, in seat order."""

    round: int
    points: tuple[int, ...]
    """As if the game ended here. In light mode, which keeps no cities, empty until they are counted
    at the end."""

    gold: tuple[int, ...]


class Deed(NamedTuple):
    """Something that one player did to another, or the Warlord to their own city."""

    round: int
    kind: str
    """KILL, ROB, DESTROY, or TAKE: a district seized or exchanged into another city."""

    actor: int | None
    """The seat that did it; None for events before a record's position."""

    character: str
    """The character that did it, or the unique district."""

    victim: int | None
    """The seat that it was done to; None if nobody has revealed the murdered character."""

    card: str
    """The character murdered or robbed, the district destroyed or taken."""

    amount: int
    """Gold stolen; points that the victim's city lost; 0 for a murder."""

    def find_names(self, names: Sequence[str]) -> tuple[str, str]:
        """Of the names by seat, who did it, and to whom; "" where no seat is known."""
        return (
            "" if self.actor is None else names[self.actor],
            "" if self.victim is None else names[self.victim],
        )


class Role(NamedTuple):
    """A character that a player showed, at the call or as the murdered one."""

    round: int
    seat: int
    character: str


class Timeline(NamedTuple):
    players: tuple[str, ...]
    rounds: tuple[RoundEnd, ...]
    """The last one is the current state, even in mid-round. None if only the end was noted."""

    deeds: tuple[Deed, ...]
    roles: tuple[Role, ...]
    builders: frozenset[tuple[int, int]]
    """Each round and seat in which a city got a district that came from no other city."""


def tell(referee: Referee) -> Timeline:
    """The course of the game."""
    start = referee.start
    course = _Course(start)
    rounds: list[RoundEnd] = []
    now = start
    for before, move, after in referee.list_latest():
        course.note(before, move, after)
        if after.round != before.round:
            rounds.append(_find_standings(before.round, after))
        now = after
    if not now.rules.only_scores:
        rounds.append(_find_standings(now.round, now))
    return Timeline(
        tuple(start.rules.player_names),
        tuple(rounds),
        tuple(course.deeds),
        tuple(course.roles),
        frozenset(course.builders),
    )


def _find_standings(number: int, table: Table) -> RoundEnd:
    knows = table.rules.tracks_cities or table.stage == "over"
    points = [scoring.score_of(table, seat).total for seat in table.rules.seats] if knows else ()
    return RoundEnd(number, tuple(points), tuple(seat.gold for seat in table.seats))


class _Course:
    def __init__(self, start: Table) -> None:
        self.deeds: list[Deed] = []
        self.roles = [
            Role(start.round, at, character)
            for at, seat in enumerate(start.seats)
            for character in seat.revealed
        ]
        self.builders: set[tuple[int, int]] = set()
        self._doers: dict[str, tuple[int | None, str]] = {KILL: (None, ""), ROB: (None, "")}

    def note(self, before: Table, move: Move, after: Table) -> None:
        turn = before.playing
        if move.verb in self._doers:
            self._doers[move.verb] = (turn.seat, turn.character)
        if move.verb == "reveal":
            seat, character = after.seat_named(move.args[0]), before.rules.by_rank[before.called]
            self.roles.append(Role(before.round, seat, character))
            if character == before.marks.killed:
                self._name_victim(seat)
        for event in after.events:
            if event.kind == "murdered":
                murder = Deed(after.round, KILL, *self._doers[KILL], None, event.card, 0)
                self.deeds.append(murder)
            elif event.kind == "unmasked":
                self._name_victim(event.seats[0])
                self.roles.append(Role(before.round, event.seats[0], event.card))
            elif event.kind == "robbed" and before.marks.robbed is not None:
                (victim, _thief), gold = event.seats, event.amount
                robbed = before.marks.robbed
                robbery = Deed(before.round, ROB, *self._doers[ROB], victim, robbed, gold)
                self.deeds.append(robbery)
        self._note_districts(before, move, after)

    def _name_victim(self, seat: int) -> None:
        """Fill in the victim of this round's murder."""
        kills = [place for place, deed in enumerate(self.deeds) if deed.kind == KILL]
        if kills:  # otherwise the murder was before the record's position
            self.deeds[kills[-1]] = self.deeds[kills[-1]]._replace(victim=seat)

    def _note_districts(self, before: Table, move: Move, after: Table) -> None:
        turn = before.playing
        cities = compare(before, after)
        self.builders |= {(before.round, seat) for seat, _district in cities.built}
        if move.verb == "build" and not before.rules.tracks_cities:
            self.builders.add((before.round, turn.seat))
        departures = [(DESTROY, victim, district) for victim, district in cities.destroyed]
        departures += [
            (TAKE, victim, what) for victim, to, what in cities.changes if to == turn.seat
        ]
        by = move.args[0] if move.verb == "use" else turn.character
        for kind, victim, district in departures:
            if victim == turn.seat and move.verb != "destroy":
                continue  # a price paid: built over, or given up for the Armory
            count = _count_lost(before, after, victim)
            self.deeds.append(Deed(before.round, kind, turn.seat, by, victim, district, count))


def _count_lost(before: Table, after: Table, seat: int) -> int:
    """The points that this seat's city has lost."""
    return scoring.score_of(before, seat).total - scoring.score_of(after, seat).total
