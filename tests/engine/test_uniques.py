"""The fourteen unique districts of the Classic box, each with its timing and its limits."""

from __future__ import annotations

from typing import Any

import pytest

from engine import scoring, views
from tests.engine.playing import expect_refusal, game, legal_of, set_up_turn, texts

GATHERED = {"gathered": True}


def points(city: list[str], **player: object) -> scoring.SeatScore:
    """The score of a city that is not complete."""
    table = game(position={"players": {"Anna": {"city": city, **player}}}).table
    return scoring.score_of(table, 0)


def test_the_keep_cannot_be_destroyed() -> None:
    players: dict[str, Any] = {"Kurt": {"city": ["keep", "temple"]}, "Anna": {"gold": 20}}
    referee = set_up_turn("warlord", players=players)
    expect_refusal(referee, "destroy Kurt keep", "warlord.proof")
    assert legal_of(referee, "destroy") == ["destroy Kurt temple"]


def test_both_keeps_may_stand_but_not_in_one_city() -> None:
    players: dict[str, Any] = {"Kurt": {"city": ["keep"]}, "Anna": {"gold": 9}}
    referee = set_up_turn("king", players=players, turn=GATHERED)
    referee.play("build keep")
    third = set_up_turn("king", players={**players, "Ben": {"city": ["keep"]}}, turn=GATHERED)
    expect_refusal(third, "build keep", "build.copies")


def test_the_laboratory_turns_one_card_into_two_gold_once_a_turn() -> None:
    referee = set_up_turn("king", players={"Anna": {"city": ["laboratory"], "hand": 2}})
    deck = referee.table.deck
    referee.play("use laboratory")
    seat = referee.table.seats[0]
    assert (seat.gold, seat.hand, referee.table.deck) == (4, 1, deck + 1)
    expect_refusal(referee, "use laboratory", "use.done")
    assert legal_of(referee, "use") == []
    empty = set_up_turn("king", players={"Anna": {"city": ["laboratory"], "hand": 0}})
    expect_refusal(empty, "use laboratory", "laboratory.no_card")


def test_the_smithy_turns_two_gold_into_three_cards_once_a_turn() -> None:
    referee = set_up_turn("king", players={"Anna": {"city": ["smithy"]}})
    deck = referee.table.deck
    referee.play("use smithy")
    seat = referee.table.seats[0]
    assert (seat.gold, seat.hand, referee.table.deck) == (0, 7, deck - 3)
    expect_refusal(referee, "use smithy", "use.done")
    poor = set_up_turn("king", players={"Anna": {"city": ["smithy"], "gold": 1}})
    assert "2 gold" in expect_refusal(poor, "use smithy", "smithy.gold").reason
    no_deck = set_up_turn("king", players={"Anna": {"city": ["smithy"], "hand": 55}})
    expect_refusal(no_deck, "use smithy", "smithy.deck_empty")


@pytest.mark.parametrize("form", ["Ben", "Ben manor"])
@pytest.mark.parametrize("district", ["laboratory", "smithy"])
def test_classic_uses_take_no_more_words(district: str, form: str) -> None:
    referee = set_up_turn("king", players={"Anna": {"city": [district]}})
    expect_refusal(referee, f"use {district} {form}", "use.form")


def test_only_a_district_of_ones_own_city_that_has_a_power_is_used() -> None:
    players: dict[str, Any] = {"Kurt": {"city": ["laboratory"]}, "Anna": {"city": ["keep"]}}
    referee = set_up_turn("king", players=players)
    expect_refusal(referee, "use laboratory", "use.not_in_city")
    expect_refusal(referee, "use keep", "use.no_power")
    expect_refusal(referee, "use museum", "use.not_in_city")


def test_uses_are_listed_in_the_same_order_in_every_run() -> None:
    city = ["smithy", "keep", "laboratory"]
    referee = set_up_turn("king", players={"Anna": {"city": city}})
    assert legal_of(referee, "use") == ["use laboratory", "use smithy"]


def test_a_district_just_built_may_be_used_at_once() -> None:
    referee = set_up_turn("king", players={"Anna": {"gold": 5, "hand": 2}}, turn=GATHERED)
    for move in ("build laboratory", "use laboratory", "end"):
        referee.play(move)
    assert referee.table.seats[0].gold == 2


GRAVEYARD = {"Kurt": {"city": ["graveyard", "temple"]}, "Ben": {"city": ["manor"]}}


def test_the_graveyard_takes_a_destroyed_district_into_the_hand_for_one_gold() -> None:
    referee = set_up_turn("warlord", players=GRAVEYARD, turn=GATHERED)
    deck = referee.table.deck
    referee.play("destroy Ben manor")
    table = referee.table
    assert (table.phase, table.deck) == ("answer", deck)
    assert views.table_json(table)["awaiting"] == {"player": "Kurt", "question": "graveyard"}
    assert texts(referee) == ["rescue Kurt", "leave"]
    expect_refusal(referee, "rescue Ben", "graveyard.not_asked")
    assert "Manor" in expect_refusal(referee, "end", "phase.answer").reason
    referee.play("rescue Kurt")
    seat = referee.table.seats[1]
    assert (seat.gold, seat.hand, referee.table.deck) == (1, 5, deck)
    referee.play("end")


def test_the_graveyards_owner_may_leave_the_district() -> None:
    referee = set_up_turn("warlord", players=GRAVEYARD)
    deck = referee.table.deck
    referee.play("destroy Kurt temple")
    referee.play("leave")
    assert (referee.table.deck, referee.table.phase) == (deck + 1, "turn")
    assert referee.table.seats[1].gold == 2


@pytest.mark.parametrize(
    ("players", "move"),
    [
        ({"Kurt": {"city": ["graveyard"]}, "Anna": {"gold": 9}}, "destroy Kurt graveyard"),
        ({**GRAVEYARD, "Kurt": {"city": ["graveyard"], "gold": 0}}, "destroy Ben manor"),
        ({"Anna": {"city": ["graveyard"]}, "Ben": {"city": ["manor"]}}, "destroy Ben manor"),
        ({"Anna": {"city": ["graveyard", "manor"]}}, "destroy Anna manor"),
        ({"Ben": {"city": ["manor"]}}, "destroy Ben manor"),
    ],
    ids=["itself", "no gold", "owner is the Warlord", "the Warlord's own", "no graveyard"],
)
def test_nobody_is_asked(players: dict[str, dict[str, object]], move: str) -> None:
    referee = set_up_turn("warlord", players=players)
    deck = referee.table.deck
    referee.play(move)
    assert (referee.table.phase, referee.table.deck) == ("turn", deck + 1)


@pytest.mark.parametrize(
    ("city", "more"),
    [(["observatory"], 1), (["library"], 2), (["library", "observatory"], 3), (["keep"], 1)],
)
def test_how_many_cards_are_kept(city: list[str], more: int) -> None:
    referee = set_up_turn("king", players={"Anna": {"city": city}})
    deck = referee.table.deck
    referee.play("cards")
    assert (referee.table.seats[0].hand, referee.table.deck) == (4 + more, deck - more)


def test_a_short_deck_gives_what_it_has() -> None:
    players: dict[str, Any] = {"Anna": {"city": ["library", "observatory"]}, "Kurt": {"hand": 52}}
    referee = set_up_turn("king", players=players)
    assert referee.table.deck == 2
    referee.play("cards")
    assert (referee.table.seats[0].hand, referee.table.deck) == (6, 0)


def test_the_great_wall_raises_the_price_of_the_others_only() -> None:
    players: dict[str, Any] = {"Kurt": {"city": ["great_wall", "temple"]}, "Anna": {"gold": 5}}
    referee = set_up_turn("warlord", players=players)
    referee.play("destroy Kurt temple")
    assert referee.table.seats[0].gold == 4
    referee.undo()
    referee.play("destroy Kurt great_wall")
    assert referee.table.seats[0].gold == 0


def test_university_and_dragon_gate_are_worth_two_more_but_cost_five_to_destroy() -> None:
    score = points(["university", "dragon_gate"])
    assert (score.districts, score.unique) == (12, {"university": 2, "dragon_gate": 2})
    players: dict[str, Any] = {"Kurt": {"city": ["university"]}, "Anna": {"gold": 5}}
    referee = set_up_turn("warlord", players=players)
    referee.play("destroy Kurt university")
    assert referee.table.seats[0].gold == 0


def test_treasury_and_map_room_count_gold_and_cards() -> None:
    score = points(["imperial_treasury", "map_room"], gold=7, hand=3)
    assert score.unique == {"imperial_treasury": 7, "map_room": 3}
    assert points(["imperial_treasury", "map_room"], gold=0, hand=0).unique == {}


def test_the_school_of_magic_counts_for_income_only() -> None:
    assert points(["manor", "temple", "tavern", "keep", "school_of_magic"]).five_types == 0


def test_the_haunted_quarter_is_the_missing_type_and_says_so() -> None:
    score = points(["manor", "temple", "prison", "keep", "haunted_quarter"])
    assert (score.five_types, score.notes) == (3, (("haunted_quarter", "trade"),))
    alone = points(["manor", "temple", "tavern", "prison", "haunted_quarter"])
    assert (alone.five_types, alone.notes) == (3, ())
    seat_score = points(["manor", "temple", "tavern", "haunted_quarter"])
    assert (seat_score.five_types, seat_score.notes) == (0, ())
    last = [{"id": "haunted_quarter", "built_last_round": True}]
    fresh = points(["manor", "temple", "tavern", "keep", *last])  # type: ignore[list-item]
    assert fresh.five_types == 3


def test_the_haunted_quarter_pays_no_income() -> None:
    referee = set_up_turn("king", players={"Anna": {"city": ["haunted_quarter"]}})
    referee.play("income")
    assert referee.table.seats[0].gold == 2
