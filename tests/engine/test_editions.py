"""What each box plays: its cards, tables, casts, sizes, and how it breaks ties."""

from __future__ import annotations

from typing import Any

import pytest

from engine.referee import Referee
from tests.engine.playing import game

LAST_ROUND: dict[str, Any] = {"round": 9, "first_complete": ["Anna"], "called": 8}
EVEN = {"Anna": {"city": ["manor"]}, "Kurt": {"city": ["barracks"]}}


def tied_last_round(
    edition: str, *, killed: str | None = None, revealed: dict[str, list[str]], **players: Any
) -> Referee:
    """The end of a last round in which Anna (with her +4) and Kurt have as many points."""
    cities = {"Anna": {"city": ["temple"]}, "Kurt": {"city": ["fortress"]}, **players}
    position = {**LAST_ROUND, "players": cities, "revealed": revealed}
    if killed:
        position["killed"] = killed
    return game("nobody", edition=edition, position=position)


# -- ties: the killed character counts where the chosen rank does ---------------------------------


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
    """Both of the tied have shown what they had."""
    referee = tied_last_round("hobby_world_2022", killed=killed, revealed=revealed)
    assert referee.table.phase == "over"


def test_without_a_tie_nobody_is_unmasked() -> None:
    richer = {"city": ["fortress", "tavern"]}
    referee = tied_last_round("hobby_world_2022", killed="architect", revealed={}, Kurt=richer)
    assert referee.table.phase == "over"


def test_where_the_revealed_rank_counts_the_killed_one_does_not() -> None:
    referee = tied_last_round("classic_2016", killed="architect", revealed={"Kurt": ["thief"]})
    assert referee.table.phase == "over"
    assert game_score(referee)["winners"] == ["Kurt"]


def game_score(referee: Referee) -> dict[str, Any]:
    """The score of a game that is over."""
    from engine import views

    score: dict[str, Any] = views.table_json(referee.table)["score"]
    return score
