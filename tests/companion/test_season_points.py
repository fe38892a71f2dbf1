"""Points by place, their order, and ratings: what holds for any games."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.history import season
from companion.history.season import Bye, Finish, Play
from companion.settings.checks import BEATEN, points, read_points

SCHEMES = st.one_of(
    st.just(BEATEN),
    st.lists(st.integers(0, 20), min_size=1, max_size=8).map(
        lambda numbers: tuple(sorted(numbers, reverse=True))
    ),
)
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil")


@st.composite
def plays(draw: st.DrawFn) -> list[Play]:
    """Games of two to seven, with ties."""
    played = []
    for number in range(draw(st.integers(1, 8))):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
        totals = [draw(st.integers(10, 14)) for _name in names]
        places = [1 + sum(other > total for other in totals) for total in totals]
        finishes = tuple(map(Finish, names, places, totals))
        played.append(Play(f"game {number}", f"2026-11-{number + 1:02}", finishes))
    return played


@given(plays(), SCHEMES)
def test_a_game_is_worth_the_same_whoever_shares_a_place(
    games: list[Play], scheme: tuple[int, ...]
) -> None:
    for play in games:
        places = [finish.place for finish in play.finishes]
        shares = season.share_points(scheme, places)
        assert sum(shares) == sum(season.list_points(scheme, len(places)))
        for place, share in zip(places, shares, strict=True):
            assert {share} == {s for p, s in zip(places, shares, strict=True) if p == place}
        in_order = [share for _place, share in sorted(zip(places, shares, strict=True))]
        assert in_order == sorted(shares, reverse=True)


@given(plays(), SCHEMES)
def test_the_ranking_follows_from_the_games_in_any_order(
    games: list[Play], scheme: tuple[int, ...]
) -> None:
    rows = season.rank(games, scheme)
    assert rows == season.rank(games[::-1], scheme)
    assert sum(row.points for row in rows) == sum(
        sum(season.list_points(scheme, len(play.finishes))) for play in games
    )
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    assert rows[0].rank == 1
    assert all(sum(row.places) == row.games for row in rows)


def test_two_winners_share_the_points_of_first_and_second() -> None:
    assert season.share_points((10, 6, 3, 1), [1, 1, 3, 4]) == [8, 8, 3, 1]
    assert season.share_points((10, 6, 3, 1), [4, 2, 1, 2]) == [
        1,
        Fraction(9, 2),
        10,
        Fraction(9, 2),
    ]
    assert season.share_points((3, 1), [1, 2, 3, 4, 5]) == [3, 1, 0, 0, 0]
    assert season.share_points(BEATEN, [1, 2, 2, 4]) == [3, Fraction(3, 2), Fraction(3, 2), 0]


def make_play(day: int, *names: str) -> Play:
    """A game that these have finished in this order."""
    finishes = (Finish(name, place, 30 - place) for place, name in enumerate(names, 1))
    return Play(f"game {day}", f"2026-11-{day:02}", tuple(finishes))


def test_equal_points_are_separated_by_wins_then_by_cities_or_not_at_all() -> None:
    games = [make_play(1, "Anna", "Ben", "Cleo"), make_play(2, "Cleo", "Ben", "Anna")]
    rows = season.rank(games, (2, 2, 2))
    assert [(row.name, row.rank) for row in rows] == [("Anna", 1), ("Cleo", 1), ("Ben", 3)]
    assert season.find_ties(rows) == [season.Tie("Cleo", "Ben", 1, (1, 0))]
    higher = Play("3", "2026-11-03", (Finish("Anna", 1, 40), Finish("Dan", 2, 9)))
    lower = Play("4", "2026-11-04", (Finish("Cleo", 1, 20), Finish("Dan", 2, 9)))
    ties = season.find_ties(season.rank([*games, higher, lower], BEATEN))
    assert ties == [season.Tie("Anna", "Cleo", None, (96, 76))]


def test_a_missed_game_gives_nothing_and_a_bye_what_the_club_says() -> None:
    games = [make_play(1, "Anna", "Ben", "Cleo", "Dan"), make_play(2, "Anna", "Ben", "Dan")]
    assert {row.name: row.points for row in season.rank(games, BEATEN)}["Cleo"] == 1
    byes = {"Cleo": Bye(2, None), "Dan": Bye(1, 5), "Eve": Bye(1, 3)}
    rows = {row.name: row for row in season.rank(games, BEATEN, byes=byes)}
    assert (rows["Cleo"].points, rows["Cleo"].bye_points, rows["Cleo"].games) == (3, 2, 1)
    assert (rows["Dan"].points, rows["Dan"].played_points) == (5, 0)
    assert (rows["Eve"].points, rows["Eve"].games) == (3, 0)


def test_somebody_forgotten_takes_a_place_but_has_no_row() -> None:
    play = Play("1", "2026-11-01", (Finish(None, 1, 9), Finish("Ben", 2, 8), Finish("Dan", 3, 7)))
    assert [(row.name, row.points) for row in season.rank([play], BEATEN)] == [
        ("Ben", 1),
        ("Dan", 0),
    ]


@pytest.mark.parametrize("value", ["10 6 3 1", "10,6, 3,1", [10, 6, 3, 1]])
def test_points_are_written_as_words_or_as_a_list(value: object) -> None:
    assert points(value) is None
    assert read_points(value) == (10, 6, 3, 1)


@pytest.mark.parametrize(
    "value",
    ["", "best", "1 2", "-1", "1.5", "²", "10 6 x", [], [1] * 9, [True], ["9" * 9], None, 3, {}],
)
def test_other_points_are_refused(value: object) -> None:
    assert "10 6 3 1" in str(points(value))
