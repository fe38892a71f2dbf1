"""Districts that are used: gathering, Armory, Museum, Bell Tower, Theater."""

from __future__ import annotations

from typing import Any

import pytest

from engine import own_cards, views
from engine.scoring import score_of, standing
from tests.engine.big_boxes import gold
from tests.engine.boxes import EDITIONS
from tests.engine.district_tables import (
    DELUXE_FIRST,
    GATHERED,
    OLDER,
    VAULTED,
    set_up_in_edition,
)
from tests.engine.playing import expect_refusal, game, legal_of, problems_of, set_up_turn


@pytest.mark.parametrize(
    ("edition", "kept"),
    [(edition, 2 if edition in (*OLDER, "brettspielwelt") else 3) for edition in EDITIONS],
)
def test_library_with_observatory(edition: str, kept: int) -> None:
    districts = [*DELUXE_FIRST[1:], "observatory"] if edition == "deluxe_2016" else None
    players = {"Anna": {"city": ["library", "observatory"], "hand": 0}}
    referee = set_up_in_edition(edition, "merchant", players=players, districts=districts)
    referee.play("cards")
    assert referee.table.seats[0].hand == kept


def test_the_gold_mine_adds_one_to_gathered_gold_only() -> None:
    players = {"Anna": {"city": ["gold_mine"], "gold": 0}}
    referee = set_up_in_edition("deluxe_2016", "merchant", players=players, districts=VAULTED)
    referee.play("bonus")
    referee.play("gold")
    assert gold(referee)[0] == 4


@pytest.mark.parametrize(
    ("edition", "gains", "pays"),
    [
        ("classic_2016", 2, 2),
        ("hobby_world_2022", 2, 2),
        ("accessible_fr", 2, 2),
        ("deluxe_2016", 2, 2),
        ("brettspielwelt", 1, 3),
        ("millennium_3e", 1, 3),
        ("ffg_2005", 1, 2),
    ],
)
def test_laboratory_and_smithy(edition: str, gains: int, pays: int) -> None:
    players = {"Anna": {"city": ["laboratory", "smithy"], "gold": 5, "hand": 2}}
    referee = set_up_in_edition(edition, "merchant", players=players)
    referee.play("use laboratory")
    assert gold(referee)[0] == 5 + gains
    referee.play("use smithy")
    assert (gold(referee)[0], referee.table.seats[0].hand) == (5 + gains - pays, 4)


@pytest.mark.parametrize("edition", OLDER)
def test_the_armory_hits_a_complete_city_and_the_game_ends_all_the_same(edition: str) -> None:
    eight = ["manor", "castle", "temple", "church", "tavern", "market", "keep", "docks"]
    players = {"Anna": {"city": ["armory", "manor"]}, "Kurt": {"city": eight}}
    referee = set_up_in_edition(edition, "warlord", players=players, first_complete="Kurt")
    expect_refusal(referee, "use armory Anna manor", "armory.own_city")
    deck = referee.table.deck
    referee.play("use armory Kurt keep")
    assert referee.table.deck == deck + 2
    expect_refusal(referee, "use armory Kurt manor", "use.not_in_city")
    for move in ("gold", "end"):
        referee.play(move)
    assert referee.table.phase == "over"
    assert standing(referee.table).scores[1].complete == 4


def test_the_deluxe_armory_spares_complete_cities_and_may_hit_its_own() -> None:
    seven = ["manor", "castle", "temple", "church", "tavern", "market", "docks"]
    players = {"Anna": {"city": ["armory", "manor"]}, "Kurt": {"city": seven},
               "Ben": {"city": ["temple"]}}  # fmt: skip
    referee = set_up_in_edition("deluxe_2016", "king", players=players, districts=VAULTED)
    expect_refusal(referee, "use armory Kurt manor", "armory.complete_city")
    expect_refusal(referee, "use armory Anna armory", "armory.itself")
    expect_refusal(referee, "use armory Ben manor", "armory.no_such_district")
    assert legal_of(referee, "use") == ["use armory Anna manor", "use armory Ben temple"]
    referee.play("use armory Anna manor")
    assert referee.table.seats[0].city.cards == ()


def test_an_armory_in_a_complete_city_is_used_only_where_such_a_city_can_be_hit() -> None:
    six = ["manor", "castle", "church", "monastery", "market", "docks"]
    players = {"Anna": {"city": [*six, "armory"]}, "Ben": {"city": ["temple"]}}
    deluxe = set_up_in_edition("deluxe_2016", "king", players=players, districts=VAULTED)
    expect_refusal(deluxe, "use armory Ben temple", "armory.in_complete_city")
    players["Anna"]["city"].append("keep")
    older = set_up_in_edition("ffg_2005", "king", players=players)
    older.play("use armory Ben temple")
    assert older.table.first_complete == (0,)


def test_the_armory_asks_no_graveyard() -> None:
    players = {"Anna": {"city": ["armory"]}, "Kurt": {"city": ["graveyard"]},
               "Ben": {"city": ["manor"]}}  # fmt: skip
    referee = set_up_in_edition("ffg_2005", "king", players=players)
    referee.play("use armory Ben manor")
    assert referee.table.phase == "turn"


def test_the_cards_under_a_museum_go_with_it() -> None:
    museum = {"id": "museum", "under": 3}
    players = {"Anna": {"gold": 9}, "Kurt": {"city": [museum]}}
    falls = set_up_in_edition("millennium_3e", "warlord", players=players, turn=GATHERED)
    deck = falls.table.deck
    falls.play("destroy Kurt museum")
    assert falls.table.seats[0].gold == 6  # its price is that of the card alone
    assert falls.table.deck == deck + 4
    players = {"Anna": {"gold": 9, "city": ["manor"]}, "Kurt": {"city": [museum]}}
    travels = set_up_in_edition("millennium_3e", "diplomat", cast=["diplomat"], players=players)
    deck = travels.table.deck
    travels.play("exchange manor Kurt museum")
    assert score_of(travels.table, 0).unique == {"museum": 3}
    assert travels.table.deck == deck


@pytest.mark.parametrize("edition", OLDER)
def test_everybody_with_seven_when_the_bell_tower_rings_is_first(edition: str) -> None:
    six = ["manor", "castle", "temple", "church", "tavern", "market"]
    seven = ["manor", "castle", "temple", "church", "docks", "harbor", "keep"]
    players = {
        "Anna": {"city": six, "gold": 9},
        "Kurt": {"city": seven},
        "Ben": {"city": ["palace", "monastery", "cathedral", "barracks", "fortress", "prison"],
                "gold": 9},
    }  # fmt: skip
    referee = set_up_in_edition(edition, "king", players=players, turn=GATHERED)
    expect_refusal(referee, "use bell_tower", "use.not_in_city")
    referee.play("build bell_tower")
    assert referee.table.first_complete == ()
    assert views.table_json(referee.table)["city_size"] == 8
    referee.play("use bell_tower")
    assert referee.table.first_complete == (0, 1)
    assert views.table_json(referee.table)["city_size"] == 7
    for move in ("end", "nobody", "reveal Ben", "gold", "build trading_post", "end", "nobody",
                 "nobody"):  # fmt: skip
        referee.play(move)
    assert referee.table.phase == "over"
    assert [score.complete for score in standing(referee.table).scores] == [4, 4, 0, 2]


def test_who_completed_eight_before_the_bell_tower_stays_first_alone() -> None:
    eight = ["manor", "castle", "temple", "church", "docks", "harbor", "keep", "prison"]
    players = {"Anna": {"city": ["palace", *eight[:5]], "gold": 9}, "Kurt": {"city": eight}}
    referee = set_up_in_edition("ffg_2005", "king", players=players, turn=GATHERED)
    referee.play("build bell_tower")
    referee.play("use bell_tower")
    assert referee.table.first_complete == (1,)
    assert score_of(referee.table, 0).complete == 2


def test_a_fallen_bell_tower_takes_its_size_along_but_not_the_first() -> None:
    tower = {"id": "bell_tower", "announced": True}
    six = ["manor", "castle", "temple", "church", "tavern", "market"]
    players = {"Anna": {"city": ["armory"]}, "Kurt": {"city": [tower, *six]},
               "Ben": {"city": [*six, "prison"]}}  # fmt: skip
    referee = set_up_in_edition("millennium_3e", "king", players=players, first_complete=["Kurt"])
    assert referee.table.city_size == 7
    referee.play("use armory Kurt bell_tower")
    assert (referee.table.city_size, referee.table.first_complete) == (8, (1,))
    assert [score.complete for score in standing(referee.table).scores] == [0, 4, 0, 0]


@pytest.mark.parametrize("by", ["armory", "warlord"])
def test_without_its_bell_tower_the_game_of_ffg_ends_as_usual(by: str) -> None:
    """Whatever removes it: who was first stays first, and a city of eight ends the game."""
    tower = {"id": "bell_tower", "announced": True}
    seven = ["manor", "castle", "temple", "church", "docks", "market", "prison"]
    players = {
        "Anna": {"city": ["armory"], "gold": 9},
        "Kurt": {"city": seven, "gold": 9},
        "Ben": {"city": [tower, "tavern"]},
    }
    head: dict[str, Any] = {"players": players, "first_complete": ["Kurt"], "turn": GATHERED}
    move = "use armory Ben bell_tower" if by == "armory" else "destroy Ben bell_tower"
    referee = set_up_in_edition("ffg_2005", "warlord", **head)
    referee.play(move)
    assert (referee.table.city_size, referee.table.first_complete) == (8, (1,))
    assert referee.table.events[-1].kind == "goes_on"
    referee.play("end")
    assert (referee.table.phase, referee.table.round) == ("selection", 2)
    for move in ("faceup thief bishop", "call", *["nobody"] * 3, "reveal Kurt", "gold",
                 "build tavern"):  # fmt: skip
        referee.play(move)
    assert referee.table.events[-1].kind == "last_round"
    for move in ("end", *["nobody"] * 4):
        referee.play(move)
    assert referee.table.phase == "over"
    assert score_of(referee.table, 1).complete == 4


def test_a_city_of_eight_ends_the_game_of_ffg_without_the_bell_tower_too() -> None:
    tower = {"id": "bell_tower", "announced": True}
    eight = ["manor", "castle", "temple", "church", "docks", "market", "prison", "keep"]
    players = {"Anna": {"city": ["armory"]}, "Kurt": {"city": eight}, "Ben": {"city": [tower]}}
    referee = set_up_in_edition("ffg_2005", "warlord", players=players, turn=GATHERED)
    referee.play("use armory Ben bell_tower")
    referee.play("end")
    assert referee.table.phase == "over"


def test_a_position_says_that_the_game_goes_on_without_its_bell_tower() -> None:
    position = {"players": {"Kurt": {"city": ["manor"]}}, "first_complete": "Kurt"}
    few = "position.first_complete: Kurt's city has too few districts to have been complete"
    assert problems_of(position, edition="ffg_2005") == [f"{few} (at least 5)"]
    goes_on: dict[str, Any] = {**position, "last_round": False}
    assert problems_of(goes_on, edition="ffg_2005") == []
    last = ["position.last_round: a city was completed, so this is the last round"]
    assert problems_of(goes_on, edition="millennium_3e")[:1] == last
    eight = ["manor", "castle", "temple", "church", "docks", "market", "prison", "keep"]
    goes_on["players"]["Ben"] = {"city": eight}
    assert problems_of(goes_on, edition="ffg_2005") == last


def test_the_bell_tower_need_not_be_announced_and_cannot_be_later() -> None:
    referee = set_up_in_edition("ffg_2005", "king", players={"Anna": {"gold": 9}}, turn=GATHERED)
    referee.play("build bell_tower")
    referee.play("end")
    assert referee.table.city_size == 8
    later = set_up_in_edition("ffg_2005", "king", players={"Anna": {"city": ["bell_tower"]}})
    expect_refusal(later, "use bell_tower", "bell_tower.when_built")
    small = set_up_in_edition("ffg_2005", "king", players={"Anna": {"gold": 9}}, turn=GATHERED,
                       options={"city_size": 7})  # fmt: skip
    small.play("build bell_tower")
    expect_refusal(small, "use bell_tower", "bell_tower.size")


@pytest.mark.parametrize("edition", OLDER)
def test_a_position_knows_whether_the_bell_tower_may_still_ring(edition: str) -> None:
    city = {"Anna": {"city": ["temple", "bell_tower"]}}
    turn: dict[str, Any] = {**GATHERED, "built": ["temple", "bell_tower"]}
    referee = set_up_in_edition(edition, "architect", players=city, turn=turn)
    referee.play("use bell_tower")
    assert referee.table.city_size == 7
    turn["built"] = ["bell_tower", "temple"]
    late = set_up_in_edition(edition, "architect", players=city, turn=turn)
    expect_refusal(late, "use bell_tower", "bell_tower.when_built")


def test_the_theater_swaps_characters_at_the_end_of_the_selection() -> None:
    position = {"players": {"Kurt": {"city": ["theater"]}}, "faceup": ["bishop", "merchant"]}
    head: dict[str, Any] = {"edition": "deluxe_2016", "districts": VAULTED}
    referee = game("choose Anna king", "choose Kurt thief", position=position, **head)
    expect_refusal(referee, "use theater Kurt", "theater.self")
    expect_refusal(referee, "use theater", "use.form")
    expect_refusal(referee, "use laboratory", "use.not_now")
    referee.play("use theater Anna")
    assert [seat.chosen for seat in referee.table.seats[:2]] == [("thief",), ("king",)]
    expect_refusal(referee, "use theater Ben", "theater.done")
    referee.play("call")
    expect_refusal(referee, "use theater Ben", "phase.calling")
    for move in ("nobody", "reveal Anna", "gold", "end", "nobody", "reveal Kurt"):
        referee.play(move)
    assert referee.table.crown == 1


def test_which_of_two_cards_went_the_theater_does_not_tell() -> None:
    districts = VAULTED
    position = {"players": {"Anna": {"city": ["theater"]}},
                "chosen": {"Anna": ["king", "thief"], "Kurt": ["bishop", "merchant"]}}  # fmt: skip
    referee = game("use theater Kurt", players=2, edition="deluxe_2016", districts=districts,
                   position=position)  # fmt: skip
    assert [seat.chosen for seat in referee.table.seats] == [(), ()]


def test_of_two_graveyards_each_is_asked_clockwise_from_the_warlord() -> None:
    own_cards.use({"classic_2016": {"graveyard": {"copies": 2}}})
    cities: dict[str, Any] = {name: {"city": ["graveyard"]} for name in ("Kurt", "Ben")}
    cities |= {"Anna": {"gold": 5}, "Ashley": {"city": ["temple"]}}
    referee = set_up_turn("warlord", players=cities)
    deck = referee.table.deck
    referee.play("destroy Ashley temple")
    assert legal_of(referee, "rescue") == ["rescue Kurt"]
    referee.play("leave")
    assert legal_of(referee, "rescue") == ["rescue Ben"]
    referee.play("leave")
    assert not referee.table.questions
    assert referee.table.deck == deck + 1
