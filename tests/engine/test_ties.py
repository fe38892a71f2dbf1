"""How each edition breaks a tie, and when a killed character counts in it."""

from __future__ import annotations

from typing import Any

import pytest

from engine import views
from engine.referee import Referee
from tests.engine.playing import game


def tie(edition: str, **options: Any) -> tuple[list[str], str | None]:
    """Winners and deciding step if Anna showed a higher rank, Kurt has more expensive districts,
    Ashley more gold, and all have ten points."""
    players = {
        "Anna": {"city": ["town_hall", "palace"], "last_rank": 8, "gold": 0},
        "Kurt": {"city": ["town_hall", "fortress"], "last_rank": 2, "gold": 0},
        "Ashley": {"city": ["harbor", "castle", "market"], "last_rank": 1, "gold": 5},
        "Ben": {"gold": 9, "last_rank": 3},
    }
    options = {"options": options} if options else {}
    score = views.score_json(
        game(edition=edition, position={"players": players}, **options).table, final=True
    )
    return score["winners"], score["tie_break"]


@pytest.mark.parametrize(
    ("edition", "winners", "step"),
    [
        ("classic_2016", ["Anna"], "highest_rank"),
        ("hobby_world_2022", ["Anna"], "highest_rank"),
        ("accessible_fr", ["Anna"], "highest_rank"),
        ("brettspielwelt", ["Ashley", "Anna", "Kurt"], None),
        ("millennium_3e", ["Anna", "Kurt", "Ashley"], None),
        ("ffg_2005", ["Ashley"], "gold"),
        ("deluxe_2016", ["Anna"], "highest_rank"),
    ],
)
def test_how_each_edition_breaks_a_tie(edition: str, winners: list[str], step: str | None) -> None:
    best, by = tie(edition)
    assert (sorted(best), by) == (sorted(winners), step)
    richest, decision = tie(edition, tie_break=["gold", "highest_rank"])
    assert (richest, decision) == (["Ashley"], "gold")


def test_most_points_from_districts_come_first_where_they_decide() -> None:
    """Kurt's districts cost twelve; two of Anna's twelve points are what the University adds.

    Where that counts as eight, as its card says, they are tied in this as well.
    """
    players = {
        "Anna": {"city": ["university", "castle"]},
        "Kurt": {"city": ["library", "docks", "manor"]},
    }
    for edition, winners, decision in (
        ("brettspielwelt", ["Anna", "Kurt"], None), ("ffg_2005", ["Kurt"], "district_points"),
    ):  # fmt: skip
        score = views.score_json(
            game(edition=edition, position={"players": players}).table, final=True
        )
        assert (score["winners"], score["tie_break"]) == (winners, decision)


SEVEN = ["temple", "church", "tavern", "market", "trading_post", "watchtower", "prison"]
THREE = ["fortress", "palace", "cathedral"]  # 15 points, as the seven with the four for them
LAST_ROUND: dict[str, Any] = {"round": 9, "first_complete": ["Anna"], "called": 8}


def tied_last_round(
    edition: str, *, killed: str | None = None, revealed: dict[str, list[str]], **players: Any
) -> Referee:
    """The end of a last round in which Anna (with her +4) and Kurt have as many points."""
    cities = {"Anna": {"city": SEVEN}, "Kurt": {"city": THREE}, **players}
    position = {**LAST_ROUND, "players": cities, "revealed": revealed}
    if killed:
        position["killed"] = killed
    return game("nobody", edition=edition, position=position)


# -- ties: the killed character counts where the chosen rank does -------------------------------


def test_a_tie_that_the_killed_rank_may_break_asks_whose_it_was() -> None:
    referee = tied_last_round(
        "hobby_world_2022", killed="architect", revealed={"Kurt": ["merchant"]}
    )
    assert referee.table.phase == "unmask"
    referee.play("unmask Anna")
    score = game_score(referee)
    assert (score["winners"], score["tie_break"]) == (["Anna"], "highest_rank")
    referee.undo()
    referee.play("unmask nobody")
    assert game_score(referee)["winners"] == ["Kurt"]


@pytest.mark.parametrize(
    ("killed", "revealed"),
    [
        ("thief", {"Anna": ["bishop"], "Kurt": ["merchant"]}),
        ("architect", {"Anna": ["bishop"], "Kurt": ["merchant"]}),
        ("magician", {"Kurt": ["merchant"], "Anna": ["architect"]}),
    ],
)
def test_a_tie_that_it_cannot_break_asks_nothing(
    killed: str, revealed: dict[str, list[str]]
) -> None:
    """Both tied players have shown their characters."""
    referee = tied_last_round("hobby_world_2022", killed=killed, revealed=revealed)
    assert referee.table.phase == "over"


def test_without_a_tie_nobody_is_unmasked() -> None:
    richer = {"city": [*THREE, "tavern"]}
    referee = tied_last_round("hobby_world_2022", killed="architect", revealed={}, Kurt=richer)
    assert referee.table.phase == "over"


def test_where_the_revealed_rank_counts_the_killed_one_does_not() -> None:
    referee = tied_last_round("classic_2016", killed="architect", revealed={"Kurt": ["thief"]})
    assert referee.table.phase == "over"
    assert game_score(referee)["winners"] == ["Kurt"]


def game_score(referee: Referee) -> dict[str, Any]:
    """The score of a game that is over."""
    score: dict[str, Any] = views.table_json(referee.table)["score"]
    return score
