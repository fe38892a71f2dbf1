"""A game's digest: the figures that history, statistics and records need.

`Counting` takes every move that was not undone, with the table before and after it, and gives a
`Digest`. Only public facts are counted: a recorded choice that was never revealed is in none of the
figures.

`companion.log.ledger` stores it in tables, whose `VERSION` must rise with every change of what is
counted or how; then all are made again.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import scoring

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.moves import Move
    from engine.table import Table

RESULT = "result"
"""The key of a set-up that has the result of a game of which nothing else is known."""

CHOSEN, MURDERED, ROBBED = range(3)
"""Indexes of the counts in `PlayerResult.characters`."""


class PlayerResult(NamedTuple):
    name: str
    place: int
    """From 1; 0 while the game is not over."""

    parts: tuple[int, ...]
    """Points: districts, five types, complete city, unique districts. Zeros before the end. Of a
    game of which only the result is known, the total alone."""

    gold: int
    """Left at the end."""

    city: int
    """Districts in it at the end."""

    last: tuple[str, ...]
    """The characters of the last round that were revealed."""

    characters: dict[str, list[int]]
    """For each character revealed as this player's: rounds, murders, robberies."""

    built: dict[str, int]
    """Districts that came into this city, but from no other."""

    destroyed: dict[str, int]
    """Districts that this player removed from a city, even their own, and into no other."""

    stolen: int
    """Gold taken as the Thief."""

    @property
    def total(self) -> int:
        return sum(self.parts)


class Digest(NamedTuple):
    edition: str
    over: bool
    rounds: int
    """The number of its last or current round; 0 if only the end was noted."""

    moves: int
    """Moves that were not undone."""

    players: tuple[PlayerResult, ...]
    """In seat order."""


def count(
    start: Table, moments: Iterable[tuple[Table, Move, Table]], *, over: bool = False
) -> Digest:
    """The digest of the game that began at `start`, from its moves in order, each with the table
    before and after it. `over` counts the last table as the end of the game, as in a position that
    was noted after it."""
    counting = Counting(start)
    for before, move, after in moments:
        counting.note(before, move, after)
    return counting.digest(over=over)


def read_result(setup: dict[str, Any]) -> Digest:
    """The digest of a game of which only the result is known. Raises ValueError, TypeError and
    KeyError if it is damaged."""
    result = setup[RESULT]
    seats = zip(setup["players"], result["totals"], result["places"], strict=True)
    players = [
        PlayerResult(name, int(place), (int(total),), 0, 0, (), {}, {}, {}, 0)
        for name, total, place in seats
    ]
    return Digest(str(setup["edition"]), True, int(result["rounds"]), 0, tuple(players))


def describe_unplayable(setup: dict[str, Any], moves: int) -> Digest:
    """The digest of a game that can't be replayed: only who was at the table."""
    names = setup.get("players")
    players = [
        PlayerResult(str(name), 0, (0, 0, 0, 0), 0, 0, (), {}, {}, {}, 0)
        for name in (names if isinstance(names, list) else ())
    ]
    return Digest(str(setup.get("edition")), False, 0, moves, tuple(players))


class Counting:
    """Counts a game's figures move by move."""

    def __init__(self, start: Table) -> None:
        self._table = start
        self._moves = 0
        seats = start.rules.seats
        self._characters: list[dict[str, list[int]]] = [{} for _ in seats]
        self._districts: list[Counter[str]] = [Counter() for _ in seats]
        self._losses: list[Counter[str]] = [Counter() for _ in seats]
        self._thefts = [0 for _ in seats]

    def note(self, before: Table, move: Move, after: Table) -> None:
        self._table = after
        self._moves += 1
        if move.verb == "reveal":
            self._show(after.seat_named(move.args[0]), before.rules.by_rank[before.called], before)
        for event in after.events:
            if event.kind == "unmasked":
                self._show(event.seats[0], event.card, before)
            elif event.kind == "robbed" and before.marks.robbed is not None:
                victim, thief = event.seats
                self._thefts[thief] += event.amount
                self._find_counts(victim, before.marks.robbed)[ROBBED] += 1
        cities = compare(before, after)
        for seat, district in cities.built:
            self._districts[seat][district] += 1
        for _seat, district in cities.destroyed:
            self._losses[before.playing.seat][district] += 1

    def _show(self, seat: int, character: str, table: Table) -> None:
        counts = self._find_counts(seat, character)
        counts[CHOSEN] += 1
        counts[MURDERED] += character == table.marks.killed

    def _find_counts(self, seat: int, character: str) -> list[int]:
        return self._characters[seat].setdefault(character, [0, 0, 0])

    def digest(self, *, over: bool = False) -> Digest:
        """The digest so far (`count`)."""
        t = self._table
        over = over or t.stage == "over"
        standing = scoring.standing(t) if over else None
        players = []
        for index, seat in enumerate(t.seats):
            score = standing.scores[index] if standing else scoring.SeatScore(0, 0, 0, {}, ())
            players.append(
                PlayerResult(
                    name=seat.name,
                    place=standing.places[index] if standing else 0,
                    parts=(
                        *(score.districts, score.five_types, score.complete),
                        sum(score.unique.values()),
                    ),
                    gold=seat.gold,
                    city=len(seat.city.cards),
                    last=_last_characters(t, index),
                    characters=self._characters[index],
                    built=dict(self._districts[index]),
                    destroyed=dict(self._losses[index]),
                    stolen=self._thefts[index],
                )
            )
        rounds = 0 if t.rules.only_scores else t.round
        return Digest(t.rules.edition.id, over, rounds, self._moves, tuple(players))


def _last_characters(table: Table, seat: int) -> tuple[str, ...]:
    """The player's revealed characters of this round, a publicly murdered one included."""
    revealed, marks = table.seats[seat].revealed, table.marks
    if marks.unmasked == seat and marks.killed is not None and marks.killed not in revealed:
        return (*revealed, marks.killed)
    return revealed


class Changes(NamedTuple):
    """A move's changes to the cities: seats, each with a district."""

    built: list[tuple[int, str]]
    """Came into that seat's city from no other."""

    destroyed: list[tuple[int, str]]
    """Left that seat's city for no other."""

    changes: list[tuple[int, int, str]]
    """Went from the first seat's city to the second's."""


def compare(before: Table, after: Table) -> Changes:
    """The changes in the cities between two tables."""
    came: list[tuple[int, str]] = []
    went: list[tuple[int, str]] = []
    for seat, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
        if was.city is not now.city:
            had = Counter(card.id for card in was.city.cards)
            has = Counter(card.id for card in now.city.cards)
            came += [(seat, district) for district in (has - had).elements()]
            went += [(seat, district) for district in (had - has).elements()]
    places: list[tuple[int, int, str]] = []
    for seat, district in list(came if went else ()):
        giver = next((other for other, text in went if text == district), None)
        if giver is not None:
            came.remove((seat, district))
            went.remove((giver, district))
            places.append((giver, seat, district))
    return Changes(came, went, places)
