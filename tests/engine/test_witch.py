"""The Witch: bewitching, resuming the turn, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from engine import views
from tests.engine.big_boxes import (
    BIG_BOXES,
    OLD_BOXES,
    cast_with,
    city,
    gold,
    hands,
    play,
    set_up_bewitched,
    table,
    turn_of,
)
from tests.engine.playing import expect_refusal, legal_of, problems_of, texts


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_witch_gathers_bewitches_and_plays_the_rest_of_that_turn(edition: str) -> None:
    players = {"Anna": {"gold": 6, "city": ["manor"]}, "Kurt": {"city": ["castle", "palace"]}}
    referee = turn_of("witch", edition=edition, faceup=[], players=players)
    assert texts(referee) == ["gold", "cards"]
    expect_refusal(referee, "bewitch king", "witch.gather_first")
    expect_refusal(referee, "build temple", "witch.before_resuming")
    expect_refusal(referee, "end", "end.not_gathered")
    referee.play("gold")
    for move in ("build temple", "income", "use laboratory", "kill king"):
        expect_refusal(referee, move, "witch.before_resuming")
    expect_refusal(referee, "end", "witch.must_name")
    assert {move.partition(" ")[0] for move in texts(referee)} == {"bewitch"}
    expect_refusal(referee, "bewitch witch", "witch.self")
    assert legal_of(referee, "bewitch") == [f"bewitch {c}" for c in referee.table.rules.cast[1:]]
    assert legal_of(referee, "build") == []
    referee.play("bewitch king")
    assert (referee.table.phase, referee.table.called) == ("calling", 2)
    assert views.table_json(referee.table)["bewitched"] == "king"
    play(referee, "nobody", "nobody", "reveal Kurt")
    assert referee.table.crown == 1  # he takes the crown himself
    assert texts(referee) == ["gold", "cards"]
    expect_refusal(referee, "income", "witch.bewitched_gathers")
    expect_refusal(referee, "end", "witch.bewitched_gathers")
    referee.play("cards")
    assert hands(referee)[1] == 5
    turn = views.table_json(referee.table)["turn"]
    assert turn == {
        "player": "Anna", "character": "king", "gathered": True, "income": False, "built": [],
    }  # fmt: skip
    expect_refusal(referee, "gold", "gather.done")
    play(referee, "income", "build temple")
    assert (gold(referee)[0], city(referee)) == (8, ["manor", "temple"])
    referee.play("end")
    assert referee.table.called == 5


def test_the_turn_of_a_witch_whose_victim_is_in_nobodys_hand_is_over() -> None:
    players = {"Anna": {"gold": 0, "hand": 0, "city": ["poor_house", "park"]}}
    referee = turn_of("witch", faceup=[], players=players)
    play(referee, "cards", "bewitch bishop")
    while referee.table.phase == "calling":
        referee.play("nobody")
    assert referee.table.round == 2
    assert (gold(referee)[0], hands(referee)[0]) == (0, 1)  # no Poor House without resuming


def test_poor_house_and_park_serve_the_witch_when_she_resumes() -> None:
    players = {"Anna": {"gold": 0, "hand": 0, "city": ["poor_house", "park"]},
               "Kurt": {"gold": 0, "hand": 0}}  # fmt: skip
    referee = play(set_up_bewitched("merchant", players=players), "reveal Kurt", "gold")
    referee.play("end")
    assert (gold(referee)[:2], hands(referee)[:2]) == ([1, 2], [2, 0])


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_nobody_has_the_powers_of_a_bewitched_character_in_nobodys_hand(edition: str) -> None:
    """Nobody has the Bishop: he does not protect the Witch's city either."""
    players = {"Ben": {"city": ["temple"]}, "Kurt": {"city": ["tavern"]}}
    absent = turn_of("warlord", "witch", edition=edition, players=players, bewitched="bishop",
                     revealed={"Ben": ["witch"]}, turn={"gathered": True})  # fmt: skip
    assert "destroy Ben temple" in texts(absent)
    referee = turn_of("warlord", "witch", edition=edition, players=players, bewitched="bishop",
                   revealed={"Ben": ["witch"], "Kurt": ["bishop"]},
                   turn={"gathered": True})  # fmt: skip
    expect_refusal(referee, "destroy Ben temple", "warlord.bishop")
    assert "destroy Kurt tavern" in texts(referee)


def test_a_bewitched_tax_collector_in_nobodys_hand_taxes_for_nobody() -> None:
    referee = turn_of("king", "witch", "tax_collector_2004", edition="ffg_2005",
                      bewitched="tax_collector_2004", revealed={"Ben": ["witch"]},
                      players={"Anna": {"city": ["manor"]}},
                      turn={"gathered": True, "built": ["manor"]})  # fmt: skip
    referee.play("end")
    assert gold(referee) == [2, 2, 2, 2]


def test_the_witch_plays_with_her_own_hand_gold_and_city() -> None:
    players = {"Anna": {"gold": 1, "hand": 1, "city": ["temple", "church"]},
               "Kurt": {"gold": 9, "hand": 9, "city": ["monastery"]}}  # fmt: skip
    referee = play(set_up_bewitched("abbot", players=players, faceup=[]), "reveal Kurt", "gold")
    assert legal_of(referee, "income") == [
        "income gold 2 cards 0", "income gold 1 cards 1", "income gold 0 cards 2",
    ]  # fmt: skip
    play(referee, "income gold 2 cards 0", "tithe")  # the bewitched is the richest
    assert gold(referee)[:2] == [4, 10]
    expect_refusal(referee, "build temple", "build.duplicate")
    referee.play("build monastery")
    assert hands(referee)[:2] == [0, 9]


def test_the_witch_chooses_and_takes_the_emperors_payment() -> None:
    players = {"Ashley": {"gold": 3}}
    referee = play(set_up_bewitched("emperor", players=players, crown="Ben"), "reveal Kurt", "gold")
    assert referee.table.crown == 3
    expect_refusal(referee, "crown Anna nothing", "emperor.self")
    expect_refusal(referee, "crown Ben gold", "emperor.holder")
    referee.play("crown Ashley gold")
    assert (gold(referee), referee.table.crown) == ([3, 4, 2, 2], 2)


def test_the_witch_gives_the_crown_of_a_bewitched_emperor_before_she_ends() -> None:
    referee = play(set_up_bewitched("emperor", crown="Ben"), "reveal Kurt", "gold")
    expect_refusal(referee, "end", "emperor.must_give")
    play(referee, "crown Kurt gold", "end")


def test_the_loot_of_a_bewitched_thief_is_the_witchs() -> None:
    players = {"Ben": {"gold": 7}}
    referee = play(set_up_bewitched("thief", players=players), "reveal Kurt", "gold")
    assert "rob witch" not in texts(referee)
    expect_refusal(referee, "rob witch", "thief.rank_1")
    expect_refusal(referee, "rob thief", "thief.self")
    play(referee, "rob king", "end", "nobody", "reveal Ben")
    assert gold(referee) == [9, 4, 2, 0]


def test_the_thief_can_rob_neither_the_witch_nor_the_bewitched() -> None:
    referee = turn_of("thief", "witch", bewitched="king", revealed={"Ben": ["witch"]})
    expect_refusal(referee, "rob king", "thief.bewitched")
    expect_refusal(referee, "rob witch", "thief.rank_1")


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_a_bewitched_tax_collector_pays_the_witch_and_she_pays_nobody(edition: str) -> None:
    referee = play(
        set_up_bewitched("tax_collector_2004", edition=edition, faceup=[]), "reveal Kurt", "gold"
    )
    play(referee, "build temple", "end", "nobody", "reveal Ben", "gold", "build tavern", "end")
    assert gold(referee) == [2, 4, 2, 2]
    # 2 less the temple, and one from Ben's 2 + 2 - 1


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


def test_the_witch_is_refunded_what_she_built_as_the_alchemist() -> None:
    players = {"Anna": {"gold": 5}}
    referee = play(set_up_bewitched("alchemist", players=players), "reveal Kurt", "gold")
    referee.play("build palace")
    assert gold(referee)[0] == 0
    referee.play("end")
    assert gold(referee)[0] == 5


def test_the_navigator_is_a_restriction_for_the_witch_too() -> None:
    referee = play(set_up_bewitched("navigator", faceup=[]), "reveal Kurt", "gold", "navigate gold")
    assert gold(referee)[0] == 6
    expect_refusal(referee, "build temple", "build.limit")


def test_the_districts_of_the_witch_serve_her_only_once_she_resumes() -> None:
    players = {"Anna": {"hand": 3, "city": ["laboratory"]}}
    referee = turn_of("witch", faceup=[], players=players)
    for move in ("gold", "bewitch thief"):
        expect_refusal(referee, "use laboratory", "witch.before_resuming")
        play(referee, move)
    play(referee, "reveal Kurt")
    expect_refusal(referee, "use laboratory", "witch.bewitched_gathers")
    play(referee, "gold", "use laboratory")


def test_no_position_lets_the_witch_go_on_before_she_resumes() -> None:
    place = {"player": "Anna", "character": "witch", "gathered": True}
    head = {"characters": cast_with("witch"), "edition": "deluxe_2016"}
    position = {"turn": place, "bewitched": "king"}
    assert problems_of(position, **head) == [
        "position.turn: the turn of “witch” ended when she bewitched"
    ]
    city = {"Anna": {"city": ["temple"]}}
    assert problems_of({"players": city, "turn": {**place, "built": ["temple"]}}, **head) == [
        "position.turn: the Witch can only gather before naming a character"
    ]


def test_a_position_in_the_turn_that_the_witch_plays_on() -> None:
    referee = table("witch", bewitched="king", crown="Kurt",
                    players={"Anna": {"city": ["manor"], "hand": 2}},
                    revealed={"Anna": ["witch"], "Kurt": ["king"]},
                    turn={"player": "Anna", "character": "king"})  # fmt: skip
    assert "income" in texts(referee)
    expect_refusal(referee, "gold", "gather.done")
    after = table("witch", bewitched="king", revealed={"Anna": ["witch"], "Kurt": ["king"]},
                  players={"Anna": {"city": ["temple"]}},
                  turn={"player": "Anna", "character": "king", "built": ["temple"]})  # fmt: skip
    expect_refusal(after, "build tavern", "build.limit")
    gathering = table("witch", bewitched="king", revealed={"Anna": ["witch"]},
                      turn={"player": "Kurt", "character": "king"})  # fmt: skip
    assert texts(gathering) == ["gold", "cards"]


def test_a_witch_may_bewitch_her_own_second_character() -> None:
    """With two characters each, she gathers as the bewitched and plays on herself."""
    referee = table("witch", size=2, bewitched="king", called=4, revealed={"Anna": ["witch"]})
    play(referee, "reveal Anna")
    assert texts(referee) == ["gold", "cards"]
    referee.play("gold")
    assert gold(referee) == [4, 2]
    assert "end" in texts(referee)
    place = {"player": "Anna", "character": "king"}
    position: dict[str, Any] = {"bewitched": "king", "revealed": {"Anna": ["witch"]}}
    same = table("witch", size=2, turn=place, **position)
    assert texts(same) == ["gold", "cards"]
    later = table("witch", size=2, turn={**place, "gathered": True}, **position)
    assert "end" in texts(later)


def test_a_position_may_leave_out_who_has_bewitched() -> None:
    """Nobody resumes: the turn of the bewitched is over when he has gathered."""
    referee = table("witch", called=4, bewitched="king")
    play(referee, "reveal Kurt", "gold")
    assert (referee.table.phase, referee.table.called) == ("calling", 5)
