"""The Hospital: what a killed character still does."""

from __future__ import annotations

import pytest

from engine import views
from tests.engine.big_boxes import cast_with, gold
from tests.engine.district_tables import OLDER
from tests.engine.playing import expect_refusal, game, problems_of, texts


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


@pytest.mark.parametrize("edition", OLDER)
def test_who_was_killed_gathers_with_the_hospital_and_that_is_all(edition: str) -> None:
    position = {"players": {"Anna": {"city": ["hospital"], "gold": 0}}, "killed": "merchant",
                "called": 6}  # fmt: skip
    referee = game(edition=edition, position=position)
    assert texts(referee) == ["reveal Anna", "nobody"]
    expect_refusal(referee, "reveal Kurt", "reveal.killed")
    referee.play("reveal Anna")
    assert texts(referee) == ["gold", "cards"]
    referee.play("gold")
    assert texts(referee) == ["end"]
    for move in ("income", "bonus", "build tavern", "use hospital"):
        expect_refusal(referee, move, "hospital.gathers_only")
    referee.play("end")
    assert (referee.table.called, referee.table.seats[0].gold) == (7, 2)


def test_the_hospital_is_offered_whoever_has_the_killed_card() -> None:
    """The offer must reveal nothing: Anna or nobody may answer, whatever was recorded."""
    for choices in ({}, {"Anna": ["merchant"]}, {"Anna": ["king"]}):
        position = {"players": {"Anna": {"city": ["hospital"]}}, "killed": "merchant", "called": 6,
                    "chosen": choices}  # fmt: skip
        table = game(edition="ffg_2005", position=position).table
        assert views.table_json(table)["legal"] == ["reveal Anna", "nobody"]


def test_the_hospital_brings_neither_poor_house_nor_park() -> None:
    city = ["hospital", "poor_house", "park"]
    position = {"players": {"Anna": {"city": city, "gold": 0, "hand": 0}}, "killed": "merchant",
                "called": 6}  # fmt: skip
    referee = game("reveal Anna", "cards", "end", edition="ffg_2005", position=position)
    seat = referee.table.seats[0]
    assert (seat.gold, seat.hand) == (0, 1)


def test_the_hospital_may_be_gone_since_it_showed_the_killed_player() -> None:
    shown = {"killed": "king", "revealed": {"Kurt": ["king"]}}
    assert game(edition="ffg_2005", position={**shown, "called": 8}).table.phase == "calling"
    for moment in ({"called": 4}, {"turn": {"player": "Anna", "character": "magician"}}):
        assert problems_of({**shown, **moment}, edition="ffg_2005")
    assert problems_of({**shown, "called": 8}, edition="classic_2016")  # it has no Hospital


def test_the_tax_is_still_owed_to_a_collector_whom_the_hospital_showed() -> None:
    cast = cast_with("tax_collector_2004")
    position = {"players": {"Kurt": {"city": ["hospital"]}}, "killed": "tax_collector_2004",
                "revealed": {"Kurt": ["tax_collector_2004"], "Anna": ["assassin"]},
                "called": 4, "owes_tax": ["Anna"]}  # fmt: skip
    referee = game(edition="ffg_2005", characters=cast, position=position)
    assert referee.table.marks.owes_tax == {0}
