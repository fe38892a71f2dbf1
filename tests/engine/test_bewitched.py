"""The Witch's and the Tax Collector's rulings that the books leave open, and no record shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.big_boxes import (
    OLD_BOXES,
    cast_with,
    gold,
    play,
    set_up_bewitched,
    table,
)
from tests.engine.playing import game


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_a_bewitched_tax_collector_pays_the_witch_and_she_pays_nobody(edition: str) -> None:
    referee = play(
        set_up_bewitched("tax_collector_2004", edition=edition, faceup=[]), "reveal Kurt", "gold"
    )
    play(referee, "build temple", "end", "nobody", "reveal Ben", "gold", "build tavern", "end")
    assert gold(referee) == [2, 4, 2, 2]


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_witch_pays_the_tax_of_the_turn_she_plays(edition: str) -> None:
    referee = set_up_bewitched(
        "king", edition=edition, others=("tax_collector_2004",), faceup=[],
        revealed={"Ben": ["tax_collector_2004"]},
    )  # fmt: skip
    play(referee, "reveal Kurt", "gold", "build temple", "end")
    assert gold(referee) == [0, 4, 2, 3]


def test_a_bewitched_queen_pays_the_witch_for_her_own_seat() -> None:
    """Anna the Witch sits beside Kurt the King; Ben, the bewitched Queen, does not."""
    referee = table("witch", "queen", size=6, bewitched="queen", called=9,
                    revealed={"Anna": ["witch"], "Kurt": ["king"]})  # fmt: skip
    play(referee, "reveal Ben", "gold")
    assert gold(referee)[:4] == [5, 2, 2, 4]


def test_a_position_may_leave_out_who_has_bewitched() -> None:
    """Nobody resumes: the turn of the bewitched is over when he has gathered."""
    referee = table("witch", called=4, bewitched="king")
    play(referee, "reveal Kurt", "gold")
    assert (referee.table.phase, referee.table.called) == ("calling", 5)


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_a_killed_older_tax_collector_gets_nothing_this_round(edition: str) -> None:
    hospital = {"Ben": {"city": ["hospital"]}}
    position: dict[str, Any] = {
        "edition": edition, "killed": "tax_collector_2004", "called": 2, "faceup": [],
        "owes_tax": ["Anna"], "revealed": {"Anna": ["assassin"]}, "players": hospital,
    }  # fmt: skip
    for moves in (["nobody"], ["reveal Ben", "gold", "end"]):
        referee = play(table("tax_collector_2004", **position), *moves)
        before = gold(referee)[3]
        play(referee, "reveal Kurt", "gold", "build temple", "end")
        assert gold(referee) == [2, 3, 2, before]


def test_a_killed_tax_collector_with_the_hospital_is_paid_nothing_this_round() -> None:
    """A killed older Tax Collector gets nothing this round."""
    position = {
        "players": {"Anna": {"city": ["hospital"], "gold": 0}, "Kurt": {"gold": 9}},
        "killed": "tax_collector_2004",
        "revealed": {"Ben": ["assassin"]},
        "owes_tax": ["Ben"],
        "called": 2,
    }
    cast = cast_with("tax_collector_2004")
    referee = game("reveal Anna", "gold", "end", edition="ffg_2005", characters=cast,
                   position=position)  # fmt: skip
    assert gold(referee) == [2, 9, 2, 2]
    for move in ("reveal Kurt", "gold", "build manor", "end"):
        referee.play(move)
    assert gold(referee) == [2, 8, 2, 2]
