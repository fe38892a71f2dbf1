"""The scores: districts, bonuses and unique districts, line by line, and who wins.

Sources: the Scoring section of each rulebook; what editions dispute is a switch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from engine import cards

if TYPE_CHECKING:
    from engine.table import Built, Seat, Table

FIVE_TYPES = 3  # points; every edition
FIRST_COMPLETE = 4
OTHER_COMPLETE = 2


class SeatScore(NamedTuple):
    """One player's points; the four parts sum to `total`. `unique` leaves zero lines out."""

    districts: int
    five_types: int
    complete: int
    unique: dict[str, int]
    notes: tuple[tuple[str, str], ...]  # a district, and the type it counts as

    @property
    def total(self) -> int:
        """All points together."""
        return self.districts + self.five_types + self.complete + sum(self.unique.values())


class Standing(NamedTuple):
    """The result: seats best first, the winners, and the tie-break step that decided, if one did."""

    scores: list[SeatScore]
    ranking: list[int]
    winners: list[int]
    tie_break: str | None


class _Counted(NamedTuple):
    """A city as it is counted: each district with the type it counts as."""

    table: Table
    seat_index: int
    types: list[tuple[Built, str]]

    @property
    def seat(self) -> Seat:
        return self.table.seats[self.seat_index]


# What an effect of a unique district adds at the end: points for its number and the city.
_POINTS: dict[str, Callable[[int, _Counted], int]] = {
    "points": lambda points, city: points,
    "points_per_gold": lambda points, city: points * city.seat.gold,
    "points_per_hand_card": lambda points, city: points * city.seat.hand,
}


def standing(t: Table) -> Standing:
    """The scores of the table as it stands, and the ranking they make."""
    scores = [score_of(t, index) for index in t.rules.seats]
    steps = [(step, _STEPS[step]) for step in t.rules.answers["tie_break"]]
    ranking = sorted(
        t.rules.seats,
        key=lambda i: (-scores[i].total, *(-measure(t, scores, i) for _, measure in steps)),
    )
    best = max(score.total for score in scores)
    tied = [i for i in ranking if scores[i].total == best]
    decided = None
    for step, measure in steps:
        if len(tied) == 1:
            break
        top = max(measure(t, scores, i) for i in tied)
        kept = [i for i in tied if measure(t, scores, i) == top]
        if len(kept) < len(tied):
            decided, tied = step, kept
    return Standing(scores, ranking, tied, decided)


def score_of(t: Table, index: int) -> SeatScore:
    """That seat's points, districts that may count as any type placed best for their owner."""
    candidates = (_score(t, index, types) for types in _ways_to_count(t, t.seats[index]))
    return max(candidates, key=lambda score: score.total)  # of equals the first: as printed


def _ways_to_count(t: Table, seat: Seat) -> Iterable[list[tuple[Built, str]]]:
    """Each way to give the city's districts a type: as printed first."""
    printed = [(card, t.rules.districts[card.id].type) for card in seat.city.cards]
    yield printed
    for place, (card, _) in enumerate(printed):
        if _counts_as_any(t, card):
            for type_ in cards.DISTRICT_TYPES:
                yield [*printed[:place], (card, type_), *printed[place + 1 :]]


def _counts_as_any(t: Table, card: Built) -> bool:
    when = t.rules.districts[card.id].effects.get("scores_as_any_type")
    return when == "always" or (when == "not_last_round" and card.built_in_round < t.round)


def _score(t: Table, index: int, types: list[tuple[Built, str]]) -> SeatScore:
    districts = t.rules.districts
    city = _Counted(t, index, types)
    unique = {}
    for card, _ in types:
        for effect, value in districts[card.id].effects.items():
            if effect in _POINTS and (points := _POINTS[effect](value, city)):
                unique[card.id] = points
    return SeatScore(
        districts=sum(districts[card.id].cost + card.decorated for card, _ in types),
        five_types=FIVE_TYPES if len({type_ for _, type_ in types}) == 5 else 0,
        complete=_completion(t, index),
        unique=unique,
        notes=tuple((c.id, type_) for c, type_ in types if type_ != districts[c.id].type),
    )


def _completion(t: Table, index: int) -> int:
    if index in t.first_complete:
        return FIRST_COMPLETE  # kept even if the city was reduced afterwards (rules.md)
    return OTHER_COMPLETE if t.is_complete(t.seats[index]) else 0


def last_rank(seat: Seat) -> int:
    """The highest rank that the player showed in the last round; 0 if none."""
    known = cards.characters()
    shown = [known[character].rank for character in seat.revealed]
    return max([*shown, seat.last_rank or 0])


_STEPS: dict[str, Callable[[Table, list[SeatScore], int], int]] = {
    "highest_rank": lambda t, scores, i: last_rank(t.seats[i]),
    "district_points": lambda t, scores, i: scores[i].districts,
    "gold": lambda t, scores, i: t.seats[i].gold,
}
