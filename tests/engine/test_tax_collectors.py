"""The Tax Collectors of the older boxes and of the deluxe box."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.big_boxes import OLD_BOXES, gold, play, set_up_bewitched, table, turn_of
from tests.engine.playing import expect_refusal, texts


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_older_tax_collector_is_paid_by_whoever_built(edition: str) -> None:
    referee = turn_of("assassin", "tax_collector_2004", edition=edition, faceup=[],
                      turn={"gathered": True}, players={"Anna": {"gold": 4}})  # fmt: skip
    play(referee, "build temple", "end")
    assert referee.table.marks.owes_tax == {0}
    referee.play("reveal Ben")
    assert (gold(referee), referee.table.marks.owes_tax) == ([2, 2, 2, 3], frozenset())
    play(referee, "gold", "build manor", "end")  # pays nobody himself
    assert gold(referee)[3] == 2
    play(referee, "reveal Kurt", "gold", "build harbor", "end")  # nothing left to give
    assert gold(referee) == [2, 0, 2, 2]
    play(referee, "reveal Ashley", "gold", "end")  # has not built
    assert gold(referee) == [2, 0, 4, 2]


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_a_position_in_which_the_older_tax_is_owed(edition: str) -> None:
    for faceup in ([], ["bishop"]):
        referee = table("tax_collector_2004", edition=edition, called=2, owes_tax=["Anna"],
                        revealed={"Anna": ["assassin"]}, faceup=faceup)  # fmt: skip
        assert gold(play(referee, "reveal Ben")) == [1, 2, 2, 3]
    later = table("tax_collector_2004", edition=edition, called=8, owes_tax=["Anna"])
    assert later.table.marks.owes_tax == {0}


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


def test_the_deluxe_tax_collector_gathers_one_gold_for_each_district_built() -> None:
    referee = turn_of("architect", "tax_collector", faceup=[], turn={"gathered": True},
                      players={"Anna": {"gold": 4}}, tax=2)  # fmt: skip
    play(referee, "build temple", "build tavern")
    assert (gold(referee)[0], referee.table.tax) == (0, 4)
    play(referee, "end", "nobody", "reveal Ben")
    assert "collect" in texts(referee)
    play(referee, "gold", "collect", "build watchtower")
    assert (gold(referee)[3], referee.table.tax) == (7, 0)  # pays no tax himself
    expect_refusal(referee, "collect", "power.done")


def test_a_district_bought_with_the_last_coin_leaves_no_tax() -> None:
    referee = turn_of("king", "tax_collector", turn={"gathered": True})
    assert play(referee, "build church").table.tax == 0


def test_the_tax_of_a_killed_collector_lies_until_another_round() -> None:
    referee = turn_of("king", "tax_collector", killed="tax_collector", crown="Anna", tax=1,
                      revealed={"Ben": ["assassin"]}, turn={"gathered": True})  # fmt: skip
    play(referee, "build temple", "end", *["nobody"] * 5)
    assert (referee.table.round, referee.table.tax) == (2, 2)


def test_a_position_with_gold_on_the_deluxe_tax_collector() -> None:
    acting = turn_of("tax_collector", tax=3)
    assert "collect" in texts(acting)
    assert gold(play(acting, "collect"))[0] == 5
    empty = turn_of("tax_collector")
    expect_refusal(empty, "collect", "tax_collector.nothing")
    face_up = table("tax_collector", tax=2, called=3, faceup=["tax_collector", "thief", "bishop"])
    assert face_up.table.tax == 2
    referee = turn_of("tax_collector", tax=3, turn={"used": ["collect"]})
    expect_refusal(referee, "collect", "power.done")


def test_the_witch_taxes_and_collects_for_a_bewitched_deluxe_collector() -> None:
    referee = play(set_up_bewitched("tax_collector", tax=2), "reveal Kurt", "gold", "collect")
    play(referee, "build temple")
    assert (gold(referee)[:2], referee.table.tax) == ([3, 4], 0)
