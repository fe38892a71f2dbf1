"""The end of the game: completion, the last round, the scores, the tie-break."""

from __future__ import annotations

import pytest

from engine import views
from engine.scoring import standing
from tests.engine.playing import NAMES, game, set_up_turn, texts

SIX = ["manor", "castle", "temple", "church", "tavern", "market"]


@pytest.mark.parametrize(("size", "at"), [(2, 8), (3, 8), (4, 7), (5, 7), (6, 7), (7, 7)])
def test_the_size_of_a_complete_city(size: int, at: int) -> None:
    city = ["keep", *SIX][: at - 1]
    players = {"Anna": {"gold": 9, "city": city}}
    referee = set_up_turn("king", players=players, size=size, turn={"gathered": True})
    assert referee.table.city_size == at
    assert views.table_json(referee.table)["city_size"] == at
    assert referee.table.first_complete == ()
    referee.play("build prison")
    assert referee.table.first_complete == (0,)
    assert [e.kind for e in referee.table.events] == ["completed_first"]


@pytest.mark.parametrize("at", [6, 7, 8])
def test_a_table_may_choose_the_size(at: int) -> None:
    city = ["keep", *SIX][: at - 1]
    for size in (2, 4, 7):
        referee = set_up_turn("king", players={"Anna": {"gold": 9, "city": city}}, size=size,
                          turn={"gathered": True}, options={"city_size": at})  # fmt: skip
        referee.play("build prison")
        assert views.table_json(referee.table)["players"]["Anna"]["complete"] is True
        assert referee.table.first_complete == (0,)


def test_the_round_is_played_to_its_end_and_the_second_gets_two() -> None:
    players = {name: {"gold": 9, "city": SIX} for name in ("Anna", "Kurt")}
    referee = set_up_turn("bishop", players=players, turn={"gathered": True})
    for move in ("build prison", "end", "reveal Kurt", "gold", "build keep", "end"):
        referee.play(move)
    assert referee.table.phase == "calling"
    for move in ("nobody", "reveal Ben", "gold", "end"):
        referee.play(move)
    table = referee.table
    assert (table.phase, texts(referee)) == ("over", [])
    assert [e.kind for e in table.events] == ["game_over"]
    data = views.table_json(table)
    assert data["awaiting"] is None
    assert data["turn"] is None
    assert [data["score"]["players"][name]["complete"] for name in NAMES[:4]] == [4, 2, 0, 0]
    assert data["score"]["ranking"][0] == "Anna"


def test_a_city_may_grow_past_its_size() -> None:
    players = {"Anna": {"gold": 30, "hand": 5, "city": SIX}}
    referee = set_up_turn("architect", players=players, turn={"gathered": True})
    for district in ("keep", "prison", "fortress"):
        referee.play(f"build {district}")
    assert len(referee.table.seats[0].city.cards) == 9
    assert referee.table.first_complete == (0,)


def test_a_killed_king_is_unmasked_even_in_the_last_round() -> None:
    players = {"Anna": {"gold": 9, "city": SIX}}
    referee = set_up_turn("warlord", players=players, turn={"gathered": True}, killed="king")
    for move in ("build keep", "end", "unmask Ben"):
        referee.play(move)
    assert (referee.table.phase, referee.table.crown) == ("over", 3)


def test_first_complete_is_whom_the_position_names() -> None:
    seven = [*SIX, "keep"]
    alone = {"players": {"Anna": {"city": seven}}}
    assert game(position=alone).table.first_complete == (0,)
    both = {"players": {"Anna": {"city": seven}, "Kurt": {"city": [*SIX, "prison"]}}}
    assert game(position={**both, "first_complete": "kurt"}).table.first_complete == (1,)


# -- ties ---------------------------------------------------------------------------------------


def tied(ranks: dict[str, int], **head: object) -> dict[str, object]:
    """The score of two equal cities whose players showed these ranks."""
    players = {name: {"city": ["manor"], "last_rank": rank} for name, rank in ranks.items()}
    table = game(position={"players": players}, **head).table  # type: ignore[arg-type]
    return views.score_json(table, final=True)


def test_the_highest_rank_revealed_breaks_a_tie() -> None:
    score = tied({"Anna": 3, "Kurt": 7})
    assert (score["winners"], score["tie_break"]) == (["Kurt"], "highest_rank")
    assert score["ranking"] == ["Kurt", "Anna", "Ashley", "Ben"]


def test_a_rank_that_decides_nothing_shares_the_victory() -> None:
    table = game(position={}).table
    result = standing(table)
    assert (result.winners, result.tie_break) == ([0, 1, 2, 3], None)


def test_no_tie_break_is_named_where_there_is_no_tie() -> None:
    position = {"players": {"Ben": {"city": ["palace"], "last_rank": 1}}}
    score = views.score_json(game(position=position).table, final=True)
    assert (score["winners"], score["tie_break"]) == (["Ben"], None)


def test_the_higher_of_two_characters_counts() -> None:
    position = {
        "players": {"Anna": {"city": ["manor"]}, "Kurt": {"city": ["manor"]}},
        "revealed": {"Anna": ["thief", "architect"], "Kurt": ["bishop", "merchant"]},
        "called": 8,
    }
    score = views.score_json(game(position=position, players=2).table, final=False)
    assert score["winners"] == ["Anna"]


def test_a_killed_character_was_not_revealed() -> None:
    players = {"Anna": {"city": ["manor"], "last_rank": 8, "killed": True},
               "Kurt": {"city": ["manor"], "last_rank": 2}}  # fmt: skip
    score = views.score_json(game(position={"players": players}).table, final=True)
    assert score["winners"] == ["Kurt"]


def test_a_table_may_break_ties_otherwise() -> None:
    players = {
        "Anna": {"city": ["manor", "tavern"], "gold": 1, "last_rank": 8},
        "Kurt": {"city": ["castle"], "gold": 5},
    }
    steps = ["district_points", "gold"]
    table = game(position={"players": players}, options={"tie_break": steps}).table
    score = views.score_json(table, final=True)
    assert (score["winners"], score["tie_break"]) == (["Kurt"], "gold")
    none = game(position={"players": players}, options={"tie_break": []}).table
    assert standing(none).winners == [0, 1]


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
