"""The scores: districts, bonuses and unique districts, line by line, and who wins.

Sources: the Scoring section of each rulebook; where editions disagree there is a switch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
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
        return self.districts + self.five_types + self.complete + sum(self.unique.values())


class Tie(NamedTuple):
    """Seats with equal points of which `ahead` stand before the others by that step of the
    tie-break."""

    ahead: list[int]
    step: str


class Standing(NamedTuple):
    """The result: seats best first, the winners, the ties that a step decided, best first."""

    scores: list[SeatScore]
    ranking: list[int]
    winners: list[int]
    ties: list[Tie]
    places: list[int]
    """Each seat's place, from 1; players still tied after every tie-break share one."""

    @property
    def tie_break(self) -> str | None:
        """The step that decided who wins, if one did."""
        return next((tie.step for tie in self.ties if tie.ahead == self.winners), None)


class _ScoredCity(NamedTuple):
    """A city for scoring: each district with the type it counts as."""

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


def _uniques(city: _ScoredCity) -> int:
    return sum(type_ == "unique" for _, type_ in city.types)


def _uniques_for_wishing_well(city: _ScoredCity) -> int:
    """The unique districts of the city; the Wishing Well included only if it counts itself."""
    return _uniques(city) - (not city.table.rules.answers["wishing_well_counts_itself"])


def _most_alike(city: _ScoredCity) -> int:
    types = [type_ for _, type_ in city.types]
    return max(map(types.count, types), default=0)


def _has_crown(city: _ScoredCity) -> bool:
    return city.table.crown == city.seat_index


# Final points of each effect of a unique district, from its value, the city and the district.
_POINTS: dict[str, Callable[[int, _ScoredCity, Built], int]] = {
    "points": lambda points, city, card: points,
    "points_per_gold": lambda points, city, card: points * city.seat.gold,
    "points_per_hand_card": lambda points, city, card: points * city.seat.hand,
    "points_per_card_under": lambda points, city, card: points * card.under,
    "points_per_unique": lambda points, city, card: points * _uniques_for_wishing_well(city),
    "points_per_odd_cost": lambda points, city, card: points * sum(c % 2 for c in city.costs()),
    "points_for_three_alike": lambda points, city, card: points if _most_alike(city) >= 3 else 0,
    "points_if_only_unique": lambda points, city, card: points if _uniques(city) == 1 else 0,
    "points_with_crown": lambda points, city, card: points if _has_crown(city) else 0,
}


def standing(table: Table) -> Standing:
    scores = [score_of(table, index) for index in table.rules.seats]
    steps = table.rules.answers["tie_break"]
    groups = _rank(table, scores, steps)
    ties = [
        Tie(ahead, next(step for step, a, b in zip(steps, key, below, strict=True) if a != b))
        for ((points, *key), ahead), ((points_below, *below), _seats) in pairwise(groups)
        if points == points_below
    ]
    ranking = [index for _key, seats in groups for index in seats]
    places = {index: 1 + ranking.index(seats[0]) for _key, seats in groups for index in seats}
    return Standing(scores, ranking, groups[0][1], ties, [places[i] for i in table.rules.seats])


def find_leaders(table: Table, tie_break: Iterable[str]) -> list[int]:
    """Who would win if only these steps broke a tie, in seat order."""
    scores = [score_of(table, index) for index in table.rules.seats]
    return _rank(table, scores, tie_break)[0][1]


def _rank(
    table: Table, scores: list[SeatScore], tie_break: Iterable[str]
) -> list[tuple[list[int], list[int]]]:
    """The seats that nothing tells apart, best first, with their points and what each step
    measures."""
    measures = [_STEPS[step] for step in tie_break]
    groups: dict[tuple[int, ...], list[int]] = {}
    for index in table.rules.seats:
        key = scores[index].total, *(measure(table, scores, index) for measure in measures)
        groups.setdefault(key, []).append(index)
    return [([*key], groups[key]) for key in sorted(groups, reverse=True)]


def score_of(table: Table, index: int) -> SeatScore:
    """That seat's points, with districts of any type assigned to maximize them."""
    candidates = (
        _score(table, index, types) for types in _ways_to_count(table, table.seats[index])
    )
    return max(candidates, key=lambda score: score.total)  # on a tie the first, as printed


def _ways_to_count(table: Table, seat: Seat) -> Iterable[list[tuple[Built, str]]]:
    """Each way to give the city's districts a type: as printed first."""
    as_printed = [(card, table.rules.districts[card.id].type) for card in seat.city.cards]
    yield as_printed
    for place, (card, _) in enumerate(as_printed):
        if _counts_as_any(table, card):
            for type_ in cards.DISTRICT_TYPES:
                yield [*as_printed[:place], (card, type_), *as_printed[place + 1 :]]


def _counts_as_any(table: Table, card: Built) -> bool:
    if "scores_as_any_type" not in table.rules.districts[card.id].effects:
        return False
    return table.rules.answers["haunted_quarter_last_round"] or card.built_in_round < table.round


def _score(table: Table, index: int, types: list[tuple[Built, str]]) -> SeatScore:
    districts = table.rules.districts
    city = _ScoredCity(table, index, types)
    unique: dict[str, int] = {}
    for card, _ in types:
        for effect, value in districts[card.id].effects.items():
            if effect in _POINTS and (points := _POINTS[effect](value, city, card)):
                unique[card.id] = unique.get(card.id, 0) + points
    if city.seat.vault:
        for vault in table.rules.cards_with("points_from_hand"):
            unique[vault] = districts[vault].effects["points_from_hand"]
    return SeatScore(
        districts=sum(city.costs()),
        five_types=FIVE_TYPES if len({type_ for _, type_ in types}) == 5 else 0,
        complete=_completion(table, index),
        unique=unique,
        notes=tuple((c.id, type_) for c, type_ in types if type_ != districts[c.id].type),
    )


def _completion(table: Table, index: int) -> int:
    if index in table.first_complete:
        return FIRST_COMPLETE  # kept even if the city was reduced afterwards
    return OTHER_COMPLETE if table.is_complete(table.seats[index]) else 0


def last_rank(table: Table, index: int) -> int:
    """The highest rank of the player in the last round that counts in the tie-break; 0 if none."""
    seat = table.seats[index]
    counted = list(seat.revealed)
    marks = table.marks
    if table.rules.answers["highest_rank"] == "chosen" and marks.unmasked == index and marks.killed:
        counted.append(marks.killed)  # asked at the end of the last round if it matters
    characters = cards.characters()
    return max([*(characters[character].rank for character in counted), seat.last_rank or 0])


def _points_of_districts(table: Table, score: SeatScore) -> int:
    """The points that break ties: what the districts cost, or all that they score."""
    counts_points = table.rules.answers["points_of_districts"] == "scored"
    return score.districts + (sum(score.unique.values()) if counts_points else 0)


_STEPS: dict[str, Callable[[Table, list[SeatScore], int], int]] = {
    "highest_rank": lambda t, scores, i: last_rank(t, i),
    "district_points": lambda t, scores, i: _points_of_districts(t, scores[i]),
    "gold": lambda t, scores, i: t.seats[i].gold,
}
