"""Seating: what holds for every draw, and how good draws are."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.extensions.club.seating import Entrant, draw, plan_sizes


@st.composite
def evenings(draw: st.DrawFn) -> tuple[list[Entrant], list[int], dict[frozenset[str], int]]:
    """Players with a past, tables for them, and who has met whom."""
    names = [f"p{number}" for number in range(draw(st.integers(4, 24)))]
    few = st.integers(0, 3)
    players = [Entrant(name, draw(few), draw(few), draw(few)) for name in names]
    meetings = {frozenset(pair): draw(few) for pair in combinations(names, 2)}
    size, tables = draw(st.integers(4, 7)), draw(st.one_of(st.none(), st.integers(1, 6)))
    return players, plan_sizes(len(names), size, tables), meetings


@given(evenings(), st.text(max_size=5))
def test_everybody_has_one_seat_or_a_bye_and_a_draw_can_be_repeated(
    evening: tuple[list[Entrant], list[int], dict[frozenset[str], int]], seed: str
) -> None:
    players, sizes, meetings = evening
    picture = draw(players, sizes, meetings, seed)
    everybody = [*(name for table in picture.tables for name in table), *picture.byes]
    assert sorted(everybody) == sorted(player.name for player in players)
    assert [len(table) for table in picture.tables] == sizes
    starts = {player.name: player.starts for player in players}
    for table in picture.tables:
        assert starts[table[0]] == min(starts[name] for name in table)
    byes = {player.name: player.byes for player in players}
    seats = [byes[name] for table in picture.tables for name in table]
    assert max((byes[name] for name in picture.byes), default=0) <= min(seats) or not picture.byes
    again = dict(reversed(meetings.items()))
    assert draw(players[::-1], sizes, again, seed) == picture


@given(st.integers(4, 300), st.integers(4, 7), st.one_of(st.none(), st.integers(1, 50)))
def test_tables_have_four_to_seven_players_and_hardly_differ(
    players: int, size: int, most: int | None
) -> None:
    sizes = plan_sizes(players, size, most)
    assert set(sizes) <= {4, 5, 6, 7}
    assert max(sizes) - min(sizes) <= 1
    assert most is None or len(sizes) <= most
    assert sum(sizes) == players or sizes == [7] * (most or 0)


@pytest.mark.parametrize(
    ("players", "size", "sizes"),
    [
        (4, 5, [4]),
        (7, 5, [7]),
        (8, 7, [4, 4]),
        (11, 5, [6, 5]),
        (12, 4, [4, 4, 4]),
        (12, 6, [6, 6]),
        (20, 5, [5, 5, 5, 5]),
        (23, 5, [5, 5, 5, 4, 4]),
    ],
)
def test_sizes_are_near_the_one_asked_for(players: int, size: int, sizes: list[int]) -> None:
    assert plan_sizes(players, size) == sizes


@pytest.mark.parametrize(("players", "tables"), [(0, None), (3, None), (9, 0)])
def test_too_few_players_or_tables_are_refused(players: int, tables: int | None) -> None:
    with pytest.raises(ValueError, match=str(players)):
        plan_sizes(players, 5, tables)


@st.composite
def pasts(draw: st.DrawFn) -> dict[frozenset[str], int]:
    """Who of eight players has met whom."""
    pairs = combinations("abcdefgh", 2)
    return {frozenset(pair): draw(st.integers(0, 2)) for pair in pairs}


def count_repeats(tables: object, meetings: dict[frozenset[str], int]) -> int:
    """What the meetings at these tables cost: 1, 3, 6 for the second, third, fourth of two."""
    times = [meetings[frozenset(pair)] for table in tables for pair in combinations(table, 2)]  # type: ignore[attr-defined]
    return sum(number * (number + 1) // 2 for number in times)


def count_avoidable(meetings: dict[frozenset[str], int]) -> int:
    """The repeats of a draw for two tables of equals beyond those of the best."""
    drawn = draw([Entrant(name) for name in "abcdefgh"], [4, 4], meetings, "")
    everybody = set("abcdefgh")
    best = min(
        count_repeats((one, everybody - {*one}), meetings) for one in combinations("abcdefgh", 4)
    )
    return count_repeats(drawn.tables, meetings) - best


@given(pasts())
def test_two_tables_of_equals_repeat_hardly_more_meetings_than_they_must(
    met: dict[frozenset[str], int],
) -> None:
    assert count_avoidable(met) <= 1  # the search tries a few orders


def test_two_tables_of_equals_repeat_as_few_meetings_as_any() -> None:
    chance = Random(30)
    pairs = [frozenset(pair) for pair in combinations("abcdefgh", 2)]
    for _ in range(50):
        assert count_avoidable({pair: int(3 * chance.random()) for pair in pairs}) == 0


def test_who_has_more_points_sits_higher() -> None:
    players = [Entrant(str(number), number) for number in range(20)]
    tables = draw(players, [5, 5, 5, 5], {}, "").tables
    assert [{*map(int, table)} for table in tables] == [
        {*range(begin, begin + 5)} for begin in (15, 10, 5, 0)
    ]


def test_every_table_has_somebody_who_has_not_begun_a_game_if_enough_have_not() -> None:
    players = [Entrant(name, starts=int(name not in "ab")) for name in "abcdefgh"]
    for seed in "0123456789":
        tables = draw(players, [4, 4], {}, seed).tables
        assert {table[0] for table in tables} == {"a", "b"}


@pytest.mark.outer
def test_another_process_draws_the_same() -> None:
    code = (
        "from companion.extensions.club.seating import *; from itertools import combinations\n"
        "names = [f'p{n}' for n in range(23)]\n"
        "met = {frozenset(p): len(p[0] + p[1]) % 3 for p in combinations(names, 2)}\n"
        "print(draw([Entrant(n, len(n), 0) for n in names], plan_sizes(23), met, 'x'))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert "tables=" in runs[0]
