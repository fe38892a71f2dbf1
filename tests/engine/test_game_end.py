"""The end of the game: completion, the last round, the scores, the tie-break."""

from __future__ import annotations

import pytest

from engine import views
from engine.scoring import standing
from tests.engine.district_tables import set_up_in_edition
from tests.engine.playing import game, set_up_turn

SIX = ["manor", "castle", "temple", "church", "tavern", "market"]


def test_first_complete_is_whom_the_position_names() -> None:
    seven = [*SIX, "keep"]
    alone = {"players": {"Anna": {"city": seven}}}
    assert game(position=alone).table.first_complete == (0,)
    both = {"players": {"Anna": {"city": seven}, "Kurt": {"city": [*SIX, "prison"]}}}
    assert game(position={**both, "first_complete": "kurt"}).table.first_complete == (1,)


def test_the_last_round_is_told_where_it_is_not_the_first_complete_city() -> None:
    """The Bell Tower that had completed Kurt's has fallen, and the game went on."""
    players = {"Anna": {"gold": 9, "city": [*SIX, "keep"]}, "Kurt": {"city": [*SIX, "prison"]}}
    referee = set_up_in_edition(
        "ffg_2005",
        "king",
        players=players,
        first_complete=["Kurt"],
        last_round=False,
        turn={"gathered": True},
    )
    referee.play("build harbor")
    assert [event.kind for event in referee.table.events] == ["last_round"]


def test_a_city_that_the_table_calls_complete_is_told_to_be_the_first() -> None:
    referee = set_up_turn("king", options={"cities": "untracked"})
    referee.play("complete Kurt")
    assert [event.kind for event in referee.table.events] == ["completed_first"]


# -- ties ---------------------------------------------------------------------------------------


def test_a_rank_that_decides_nothing_shares_the_victory() -> None:
    table = game(position={}).table
    result = standing(table)
    assert (result.winners, result.tie_break) == ([0, 1, 2, 3], None)


def test_the_higher_of_two_characters_counts() -> None:
    position = {
        "players": {"Anna": {"city": ["manor"]}, "Kurt": {"city": ["manor"]}},
        "revealed": {"Anna": ["thief", "architect"], "Kurt": ["bishop", "merchant"]},
        "called": 8,
    }
    score = views.score_json(game(position=position, players=2).table, final=False)
    assert score["winners"] == ["Anna"]


def test_a_rank_of_the_position_is_forgotten_in_the_next_round() -> None:
    position = {"players": {"Anna": {"last_rank": 8}}, "called": 8}
    referee = game("nobody", position=position)
    assert referee.table.seats[0].last_rank is None
    view = game("reveal Anna", position={"players": {"Anna": {"last_rank": 3}}, "called": 8})
    assert standing(view.table).winners == [0]


SEVEN = ["temple", "church", "tavern", "market", "trading_post", "watchtower", "prison"]
THREE = ["fortress", "palace", "cathedral"]  # 15 points, as the seven with the four for them


@pytest.mark.parametrize(
    ("killed", "revealed", "city"),
    [
        ("thief", {"Anna": ["bishop"], "Kurt": ["merchant"]}, THREE),  # both have shown theirs
        ("architect", {"Anna": ["bishop"], "Kurt": ["merchant"]}, THREE),
        ("magician", {"Kurt": ["merchant"], "Anna": ["architect"]}, THREE),
        ("architect", {}, [*THREE, "tavern"]),  # no tie
    ],
)
def test_a_tie_that_the_killed_cannot_break_asks_nothing(
    killed: str, revealed: dict[str, list[str]], city: list[str]
) -> None:
    position = {
        "players": {"Anna": {"city": SEVEN}, "Kurt": {"city": city}},
        "first_complete": ["Anna"],
        "called": 8,
        "killed": killed,
        "revealed": revealed,
    }
    referee = game("nobody", edition="hobby_world_2022", position=position)
    assert referee.table.phase == "over"
