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
    """The result: seats best first, the winners, the tie-break step that decided, if one did."""

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

    def costs(self) -> list[int]:
        """What each district cost, in gold, with the Artist's gold on it."""
        districts = self.table.rules.districts
        return [districts[card.id].cost + card.decorated for card, _ in self.types]


def _uniques(city: _Counted) -> int:
    return sum(type_ == "unique" for _, type_ in city.types)


def _uniques_for_wishing_well(city: _Counted) -> int:
    """The unique districts of the city; the Wishing Well itself only where it counts itself."""
    return _uniques(city) - (not city.table.rules.answers["wishing_well_counts_itself"])


def _most_alike(city: _Counted) -> int:
    types = [type_ for _, type_ in city.types]
    return max(map(types.count, types), default=0)


# What an effect of a unique district adds at the end: points for its number and the city.
_POINTS: dict[str, Callable[[int, _Counted], int]] = {
    "points": lambda points, city: points,
    "points_per_gold": lambda points, city: points * city.seat.gold,
    "points_per_hand_card": lambda points, city: points * city.seat.hand,
    "points_per_card_under": lambda points, city: points * sum(c.under for c, _ in city.types),
    "points_per_unique": lambda points, city: points * _uniques_for_wishing_well(city),
    "points_per_odd_cost": lambda points, city: points * sum(c % 2 for c in city.costs()),
    "points_for_three_alike": lambda points, city: points if _most_alike(city) >= 3 else 0,
    "points_if_only_unique": lambda points, city: points if _uniques(city) == 1 else 0,
    "points_with_crown": lambda points, city: points if city.table.crown == city.seat_index else 0,
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
    if "scores_as_any_type" not in t.rules.districts[card.id].effects:
        return False
    return t.rules.answers["haunted_quarter_last_round"] or card.built_in_round < t.round


def _score(t: Table, index: int, types: list[tuple[Built, str]]) -> SeatScore:
    districts = t.rules.districts
    city = _Counted(t, index, types)
    unique: dict[str, int] = {}
    for card, _ in types:
        for effect, value in districts[card.id].effects.items():
            if effect in _POINTS and (points := _POINTS[effect](value, city)):
                unique[card.id] = unique.get(card.id, 0) + points
    if city.seat.vault:
        for vault in t.rules.having("points_from_hand"):
            unique[vault] = districts[vault].effects["points_from_hand"]
    return SeatScore(
        districts=sum(city.costs()),
        five_types=FIVE_TYPES if len({type_ for _, type_ in types}) == 5 else 0,
        complete=_completion(t, index),
        unique=unique,
        notes=tuple((c.id, type_) for c, type_ in types if type_ != districts[c.id].type),
    )


def _completion(t: Table, index: int) -> int:
    if index in t.first_complete:
        return FIRST_COMPLETE  # kept even if the city was reduced afterwards
    return OTHER_COMPLETE if t.is_complete(t.seats[index]) else 0


def last_rank(t: Table, index: int) -> int:
    """The highest rank of the player in the last round that counts in the tie-break; 0 if none."""
    seat = t.seats[index]
    counted = list(seat.revealed)
    if t.rules.answers["highest_rank"] == "chosen" and t.unmasked == index and t.killed:
        counted.append(t.killed)  # asked for at the end of the last round where it matters
    known = cards.characters()
    return max([*(known[character].rank for character in counted), seat.last_rank or 0])


def _points_of_districts(t: Table, score: SeatScore) -> int:
    """The points that decide between equal totals: what the districts cost, or all they score."""
    scored = t.rules.answers["points_of_districts"] == "scored"
    return score.districts + (sum(score.unique.values()) if scored else 0)


_STEPS: dict[str, Callable[[Table, list[SeatScore], int], int]] = {
    "highest_rank": lambda t, scores, i: last_rank(t, i),
    "district_points": lambda t, scores, i: _points_of_districts(t, scores[i]),
    "gold": lambda t, scores, i: t.seats[i].gold,
}
