"""Seasons: points by place over any number of games.

The places of a game are worth points: by default one for each player behind, or the numbers that
the table has set, such as 10 6 3 1. Players who share a place share the points of the places that
they fill, so that the points of a game always have the same sum. A missed game gives none.

Nothing here reads a file: games come as `Play`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from companion.settings.checks import BEATEN
from engine.moves import fold


class Finish(NamedTuple):
    name: str | None
    """The current name; None for somebody who is forgotten, who takes a place but gets no row."""

    place: int
    """From 1; players who share a place have the same."""

    total: int
    """The points of the city."""


class Play(NamedTuple):
    game: str
    ended: str
    """ISO 8601 in UTC."""

    finishes: tuple[Finish, ...]
    """In seat order."""


class SeasonRow(NamedTuple):
    name: str
    rank: int
    """From 1; players whom nothing separates share it."""

    points: Fraction
    games: int
    places: tuple[int, ...]
    """How often first, second and so on, up to the last place reached; a shared place counts as
    that place for all who share it."""

    total: int
    """The points of all cities."""

    byes: int = 0
    bye_points: Fraction = Fraction()
    """What the rounds without a seat gave (only in a club); part of `points`."""

    @property
    def wins(self) -> int:
        """Games won or shared."""
        return self.places[0] if self.places else 0

    @property
    def played_points(self) -> Fraction:
        """The points of games alone."""
        return self.points - self.bye_points


def list_points(scheme: Sequence[int], players: int) -> list[int]:
    """What each place is worth in a game of that many players. The scheme has the points of the
    first place, the second and so on; later places get none. `BEATEN` gives one point for each
    player behind."""
    if tuple(scheme) == BEATEN:
        return list(range(players - 1, -1, -1))
    return [*scheme, *[0] * players][:players]


def share_points(scheme: Sequence[int], places: Sequence[int]) -> list[Fraction]:
    """The points for these places, which are those of one game. Whoever shares a place shares the
    points of the places that are filled together: two second players those of second and third."""
    worth = list_points(scheme, len(places))
    shares: dict[int, Fraction] = {}
    begin = 0
    for place, number in sorted(Counter(places).items()):
        shares[place] = Fraction(sum(worth[begin : begin + number]), number)
        begin += number
    return [shares[place] for place in places]


class Bye(NamedTuple):
    """Rounds without a seat, through no fault of the player."""

    rounds: int
    points: int | None
    """For each of them; None for the player's own average."""


class _Sums:
    """One player's games so far."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.points: list[Fraction] = []  # of each game
        self.places: Counter[int] = Counter()
        self.total = 0

    def list_places(self) -> tuple[int, ...]:
        return tuple(self.places[place] for place in range(1, max(self.places, default=0) + 1))


def rank(
    plays: Iterable[Play],
    scheme: Sequence[int],
    *,
    byes: Mapping[str, Bye] | None = None,
) -> list[SeasonRow]:
    """The players in order of their points (`share_points`); `byes` go by name.

    Equal points are separated by more wins, then by more second places and so on, then by more
    points in all cities together; who is equal in all that shares a rank.
    """
    totals: dict[str, _Sums] = {}
    keys: dict[str, str] = {}
    for play in sorted(plays, key=lambda play: (play.ended, play.game)):
        points = share_points(scheme, [finish.place for finish in play.finishes])
        for finish, share in zip(play.finishes, points, strict=True):
            if finish.name is None:
                continue
            key = keys.get(finish.name) or keys.setdefault(finish.name, fold(finish.name))
            sums = totals.get(key) or totals.setdefault(key, _Sums())
            sums.name = finish.name
            sums.points.append(share)
            sums.places[finish.place] += 1
            sums.total += finish.total
    idle = {fold(name): bye for name, bye in (byes or {}).items()}
    for name in byes or ():
        totals.setdefault(fold(name), _Sums(name))
    rows = [_make_row(totals[key], idle.get(key)) for key in totals]
    rows.sort(key=lambda row: (*_strength(row), fold(row.name)))
    ranking: list[SeasonRow] = []
    for number, row in enumerate(rows, 1):
        is_equal = ranking and _strength(row) == _strength(ranking[-1])
        ranking.append(row._replace(rank=ranking[-1].rank if is_equal else number))
    return ranking


def _make_row(sums: _Sums, bye: Bye | None) -> SeasonRow:
    points, games = sum(sums.points, Fraction()), len(sums.points)
    bye = bye or Bye(0, 0)
    each = points / games if bye.points is None and games else Fraction(bye.points or 0)
    return SeasonRow(
        name=sums.name,
        rank=0,
        points=points + bye.rounds * each,
        games=games,
        places=sums.list_places(),
        total=sums.total,
        byes=bye.rounds,
        bye_points=bye.rounds * each,
    )


LAST_PLACE = 8
"""The last place that can separate two players with equal points."""


def _strength(row: SeasonRow) -> tuple[Fraction, ...]:
    """What a row is ordered by, the strongest first."""
    places = [*row.places, *[0] * LAST_PLACE][:LAST_PLACE]
    return (-row.points, *(Fraction(-number) for number in places), Fraction(-row.total))


class Tie(NamedTuple):
    """Two neighbours in the ranking with equal points."""

    ahead: str
    behind: str
    place: int | None
    """The place that the first has reached more often; None if the cities' points decided."""

    numbers: tuple[int, int]
    """How often, or the points of all cities: of the first and of the second."""


def find_ties(rows: Sequence[SeasonRow]) -> list[Tie]:
    """What separates each two neighbours with equal points; nothing for those who share a rank."""
    ties: list[Tie] = []
    for one, other in pairwise(rows):
        if one.points != other.points or one.rank == other.rank:
            continue
        pairs = [[*row.places, *[0] * LAST_PLACE] for row in (one, other)]
        place = next((at for at in range(LAST_PLACE) if pairs[0][at] != pairs[1][at]), None)
        numbers = (one.total, other.total) if place is None else (pairs[0][place], pairs[1][place])
        ties.append(Tie(one.name, other.name, None if place is None else place + 1, numbers))
    return ties


def data(row: SeasonRow) -> dict[str, Any]:
    """The row as JSON; points as numbers with at most two decimals."""
    return {
        "rank": row.rank,
        "player": row.name,
        "points": round_points(row.points),
        "games": row.games,
        "wins": row.wins,
        "places": list(row.places),
        "per_game": round_points(row.played_points / row.games) if row.games else None,
        "total": row.total,
        "byes": row.byes,
        "bye_points": round_points(row.bye_points),
    }


def round_points(points: Fraction) -> int | float:
    """Points for showing: at most two decimals."""
    return int(points) if points.denominator == 1 else round(float(points), 2)
