"""The scores: districts, bonuses and unique districts, line by line, and who wins.

Sources: the Scoring section of each rulebook; where editions disagree there is a switch.
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
    places: list[int]
    """Each seat's place, from 1; players still tied after every tie-break share one."""


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
    """The current scores of the table and the resulting ranking."""
    scores = [score_of(table, index) for index in table.rules.seats]
    steps = [(step, _STEPS[step]) for step in table.rules.answers["tie_break"]]
    keys = [
        (-scores[i].total, *(-measure(table, scores, i) for _, measure in steps))
        for i in table.rules.seats
    ]
    ranking = sorted(table.rules.seats, key=keys.__getitem__)
    order = sorted(keys)
    places = [1 + order.index(key) for key in keys]
    leaders, reason = _lead(table, scores, table.rules.answers["tie_break"])
    return Standing(scores, ranking, [i for i in ranking if i in leaders], reason, places)


def find_leaders(table: Table, tie_break: Iterable[str]) -> list[int]:
    """Who would win if only these steps broke a tie, in seat order."""
    return _lead(table, [score_of(table, index) for index in table.rules.seats], tie_break)[0]


def _lead(
    table: Table, scores: list[SeatScore], tie_break: Iterable[str]
) -> tuple[list[int], str | None]:
    """Who leads, and the step that decided, if one did."""
    best = max(score.total for score in scores)
    leaders = [index for index, score in enumerate(scores) if score.total == best]
    reason = None
    for step in tie_break:
        if len(leaders) == 1:
            break
        measures = [_STEPS[step](table, scores, index) for index in leaders]
        tied = [i for i, n in zip(leaders, measures, strict=True) if n == max(measures)]
        if len(tied) < len(leaders):
            reason, leaders = step, tied
    return leaders, reason


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
