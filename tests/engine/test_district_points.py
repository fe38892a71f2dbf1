"""Districts' points at the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from engine import own_cards, views
from engine.scoring import SeatScore, score_of
from tests.engine import boxes
from tests.engine.big_boxes import cast_with, gold
from tests.engine.boxes import EDITIONS
from tests.engine.district_tables import (
    GATHERED,
    OLDER,
    VAULTED,
    fourteen,
    set_up_in_edition,
)
from tests.engine.playing import expect_refusal, game, texts


def points(edition: str, city: list[Any], **more: Any) -> SeatScore:
    """The score of Anna's city in that edition, with exactly its unique districts if need be."""
    head: dict[str, Any] = {"edition": edition}
    if edition == "deluxe_2016":
        ids = [item["id"] if isinstance(item, dict) else item for item in city]
        uniques = [id_ for id_ in boxes.uniques(edition) if id_ in ids]
        head["districts"] = fourteen(*uniques, "secret_vault")
        head["characters"] = cast_with(*more.pop("cast", ()))
    crown = more.pop("crown", "Kurt")
    size = more.pop("size", 4)
    position = {"round": 9, "players": {"Anna": {"city": city, **more}}}
    return score_of(game(players=size, crown=crown, position=position, **head).table, 0)


def test_each_of_two_museums_scores_its_own_cards() -> None:
    own_cards.use({"ffg_2005": {"museum": {"copies": 2}}})
    city = [{"id": "museum", "under": 3}, {"id": "museum", "under": 1}, "quarry"]
    assert points("ffg_2005", city).unique == {"museum": 4}


@pytest.mark.parametrize(("edition", "extra"), [("deluxe_2016", 3), ("ffg_2005", 2),
                                                ("millennium_3e", 2)])  # fmt: skip
def test_the_wishing_well_counts_itself_in_deluxe_only(edition: str, extra: int) -> None:
    assert points(edition, ["wishing_well", "keep", "library", "manor"]).unique == {
        "wishing_well": extra
    }


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_haunted_quarter_of_the_last_round(edition: str) -> None:
    fresh = {"id": "haunted_quarter", "built_last_round": True}
    city = ["manor", "temple", "prison", "keep"]
    counts = edition not in OLDER
    assert points(edition, [*city, fresh]).five_types == (3 if counts else 0)
    assert points(edition, [*city, fresh]).notes == (
        (("haunted_quarter", "trade"),) if counts else ()
    )
    assert points(edition, [*city, "haunted_quarter"]).five_types == 3


def test_a_haunted_quarter_takes_the_type_that_is_best_for_its_owner() -> None:
    """As the missing type +3; left unique it would only be +1 for the Wishing Well."""
    score = points("ffg_2005", ["haunted_quarter", "wishing_well", "manor", "temple", "tavern"])
    assert (score.five_types, score.unique, score.notes) == (
        3, {}, (("haunted_quarter", "military"),),
    )  # fmt: skip
    alone = points("deluxe_2016", ["haunted_quarter", "ivory_tower", "manor"])
    assert (alone.unique, len(alone.notes)) == ({"ivory_tower": 5}, 1)
    third = points("deluxe_2016", ["haunted_quarter", "capitol", "manor", "castle"])
    assert third.unique == {"capitol": 3}
    useful = points("deluxe_2016", ["haunted_quarter", "wishing_well", "manor"])
    assert (useful.unique, useful.notes) == ({"wishing_well": 2}, ())


def test_scoring_districts_of_deluxe() -> None:
    odd = points("deluxe_2016", ["basilica", "manor", "castle", "palace", "temple"])
    assert odd.unique == {"basilica": 3}
    assert points("deluxe_2016", ["capitol", "manor", "castle"]).unique == {}
    assert points("deluxe_2016", ["capitol", "keep", "library"]).unique == {"capitol": 3}
    assert points("deluxe_2016", ["ivory_tower", "manor"]).unique == {"ivory_tower": 5}
    assert points("deluxe_2016", ["ivory_tower", "keep"]).unique == {}
    assert points("deluxe_2016", ["statue"], crown="Anna").unique == {"statue": 5}
    assert points("deluxe_2016", ["statue"]).unique == {}
    assert points("deluxe_2016", ["manor"], vault=True).unique == {"secret_vault": 3}
    assert points("deluxe_2016", ["imperial_treasury", "map_room"], gold=4, hand=1).unique == {
        "imperial_treasury": 4, "map_room": 1,
    }  # fmt: skip
    castle = {"id": "castle", "decorated": True}
    seat_score = points("deluxe_2016", ["basilica", castle], cast=["artist"])
    assert (seat_score.districts, seat_score.unique) == (9, {"basilica": 1})


def test_the_vault_is_shown_after_the_game_once() -> None:
    seven = ["manor", "castle", "temple", "church", "tavern", "market", "keep"]
    position = {"players": {"Anna": {"hand": 0}, "Kurt": {"city": seven}}, "called": 8}
    head: dict[str, Any] = {"edition": "deluxe_2016", "districts": VAULTED}
    referee = game("nobody", position=position, **head)
    assert texts(referee) == ["vault Kurt", "vault Ashley", "vault Ben"]
    expect_refusal(referee, "vault Anna", "vault.no_card")
    referee.play("vault Ben")
    assert views.table_json(referee.table)["score"]["players"]["Ben"]["unique"] == {
        "secret_vault": 3
    }
    assert texts(referee) == []
    expect_refusal(referee, "vault Kurt", "vault.shown")
    without = game("nobody", position=position, edition="deluxe_2016")
    expect_refusal(without, "vault Kurt", "vault.not_in_game")


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_unique_district_stands_in_the_city_of_its_box(edition: str) -> None:
    """All of them can be built with enough gold, except the Secret Vault."""
    for district in boxes.uniques(EDITIONS[edition].printing):
        others = [d for d in boxes.uniques(EDITIONS[edition].printing) if d != district]
        districts = [district, *others[:13]] if edition == "deluxe_2016" else None
        players = {"Anna": {"gold": 9}}
        referee = set_up_in_edition(edition, "merchant", players=players, turn=GATHERED,
                             districts=districts)  # fmt: skip
        if district == "secret_vault":
            expect_refusal(referee, f"build {district}", "build.never")
            continue
        referee.play(f"build {district}")
        cost = boxes.districts(EDITIONS[edition].printing)[district].cost
        assert gold(referee)[0] == 9 - cost
        assert referee.table.seats[0].city.ids == {district}
