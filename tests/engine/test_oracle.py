"""Test oracles: naive implementations of rules, compared with the engine at random moments.

Independent of the engine's data: costs, copies and types are in `classic_box.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import scoring
from engine.referee import Referee
from engine.table import Table
from tests.engine import classic_box
from tests.engine.classic_box import COPIES, COST, DECK, KINDS, PAYS
from tests.engine.playing import NAMES, SIZES, game, legal_of, positions, set_up_turn

LIMITS = {"architect": 3}


def moments(phase: str) -> Iterator[Referee]:
    """Moments of random games that are in that phase."""
    for referee in positions(SIZES, range(6)):
        if referee.table.phase == phase:
            yield referee


# -- building -----------------------------------------------------------------------------------


def buildable(table: Table) -> list[str]:
    """The districts that may be built now, by the rulebook."""
    turn = table.turn
    assert turn is not None
    me = table.seats[turn.seat]
    everywhere = [d for seat in range(len(table.seats)) for d in classic_box.city(table, seat)]
    if not turn.gathered or len(turn.built) >= LIMITS.get(turn.character, 1) or me.hand == 0:
        return []
    return [
        f"build {district}"
        for district in COST
        if COST[district] <= me.gold
        and district not in classic_box.city(table, turn.seat)
        and everywhere.count(district) < COPIES[district]
    ]


def test_the_districts_that_may_be_built() -> None:
    count = 0
    for referee in moments("turn"):
        assert sorted(legal_of(referee, "build")) == sorted(buildable(referee.table))
        count += len(legal_of(referee, "build"))
    assert count > 1000


# -- the Warlord --------------------------------------------------------------------------------


def destroyable(table: Table) -> list[str]:
    """The districts that the Warlord may destroy now, by the rulebook."""
    turn = table.turn
    assert turn is not None
    if turn.character != "warlord" or "warlord" in turn.used:
        return []
    size = 8 if len(table.seats) <= 3 else 7
    moves = []
    for index, seat in enumerate(table.seats):
        city = classic_box.city(table, index)
        if len(city) >= size or "bishop" in seat.revealed:
            continue
        for district in city:
            price = classic_box.striking_price(city, district)
            if district != "keep" and price <= table.seats[turn.seat].gold:
                moves.append(f"destroy {NAMES_QUOTED[index]} {district}")
    return moves


NAMES_QUOTED = [f'"{name}"' if " " in name else name for name in NAMES]


def test_the_districts_that_the_warlord_may_destroy() -> None:
    count = 0
    for referee in moments("turn"):
        assert sorted(legal_of(referee, "destroy")) == sorted(destroyable(referee.table))
        count += len(legal_of(referee, "destroy"))
    assert count > 300


CITIES = st.lists(st.sampled_from(sorted(COST)), unique=True, max_size=9)


def whole(cities: list[list[str]]) -> bool:
    """Whether the box has enough cards for these cities and the four hands."""
    everywhere = [district for city in cities for district in city]
    return all(everywhere.count(d) <= COPIES[d] for d in everywhere) and len(everywhere) < DECK - 16


@settings(max_examples=150, deadline=None)
@given(
    st.lists(CITIES, min_size=4, max_size=4).filter(whole),
    st.integers(0, 7),
    st.sampled_from([None, *NAMES[1:4]]),
)
def test_the_warlord_in_any_position(
    cities: list[list[str]], gold: int, bishop: str | None
) -> None:
    players: dict[str, Any] = {
        name: {"city": city} for name, city in zip(NAMES, cities, strict=False)
    }
    players["Anna"]["gold"] = gold
    entries = {bishop: ["bishop"]} if bishop else {}
    complete = [name for name, city in zip(NAMES, cities, strict=False) if len(city) >= 7]
    referee = set_up_turn(
        "warlord",
        players=players,
        revealed=entries,
        turn={"gathered": True},
        **({"first_complete": complete[0]} if complete else {}),
    )
    assert sorted(legal_of(referee, "destroy")) == sorted(destroyable(referee.table))
    assert sorted(legal_of(referee, "build")) == sorted(buildable(referee.table))
    for text in legal_of(referee, "destroy"):
        name, district = text.split()[1:]
        referee.play(text)
        count = classic_box.striking_price(cities[NAMES.index(name)], district)
        assert referee.table.seats[0].gold == gold - count
        assert district not in classic_box.city(referee.table, NAMES.index(name))
        referee.undo()


# -- income -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(CITIES, st.sampled_from(sorted(PAYS)))
def test_income_in_any_city(city: list[str], character: str) -> None:
    referee = set_up_turn(character, players={"Anna": {"city": city, "gold": 3}})
    referee.play("income")
    count = sum(d in PAYS[character] or d == "school_of_magic" for d in city)
    assert referee.table.seats[0].gold == 3 + count


# -- scoring ------------------------------------------------------------------------------------


def brute_force_total(city: list[str], gold: int, hand: int, completion: int) -> int:
    """The most points for any type of the Haunted Quarter."""
    kinds = [
        list(KINDS) if d == "haunted_quarter" else [k for k, cards in KINDS.items() if d in cards]
        for d in city
    ]
    count = sum(COST[d] for d in city) + completion
    count += 2 * ("university" in city) + 2 * ("dragon_gate" in city)
    count += gold * ("imperial_treasury" in city) + hand * ("map_room" in city)
    return max(count + (3 if len(set(reading)) == 5 else 0) for reading in product(*kinds))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(CITIES, min_size=2, max_size=2).filter(whole),
    st.lists(st.integers(0, 12), min_size=4, max_size=4),
    st.booleans(),
    st.sampled_from([[], ["Anna"], ["Kurt"]]),
)
def test_the_score_of_any_city(
    cities: list[list[str]], numbers: list[int], last_round: bool, first: list[str]
) -> None:
    players = {
        name: {
            "gold": gold,
            "hand": hand,
            "city": [{"id": d, "built_last_round": last_round} for d in city],
        }
        for name, city, gold, hand in zip(NAMES, cities, numbers[::2], numbers[1::2], strict=False)
    }
    complete = [name for name, city in zip(NAMES, cities, strict=False) if len(city) >= 7]
    first = [name for name in first if name in complete] or complete[:1]
    table = game(position={"players": players, "first_complete": first}).table
    for index, city in enumerate(cities):
        bonus = 4 if NAMES[index] in first else 2 if len(city) >= 7 else 0
        score = scoring.score_of(table, index)
        count = brute_force_total(city, numbers[2 * index], numbers[2 * index + 1], bonus)
        assert score.total == count
        assert score.complete == bonus
        assert score.districts == sum(COST[d] for d in city)
        assert 0 not in score.unique.values()
        assert (score.notes != ()) <= ("haunted_quarter" in city and score.five_types == 3)


def test_the_score_of_every_random_game() -> None:
    for referee in positions(SIZES, range(5)):
        table = referee.table
        if table.phase != "over":
            continue
        totals = [scoring.score_of(table, i).total for i in table.rules.seats]
        for index, seat in enumerate(table.seats):
            city = classic_box.city(table, index)
            size = 8 if len(table.seats) <= 3 else 7
            bonus = 4 if index in table.first_complete else 2 if len(city) >= size else 0
            assert totals[index] == brute_force_total(city, seat.gold, seat.hand, bonus)
        result = scoring.standing(table)
        assert len(table.first_complete) == 1
        assert {totals[i] for i in result.winners} == {max(totals)}
        assert [totals[i] for i in result.ranking] == sorted(totals, reverse=True)
