"""Positions that only some districts and taxes make possible, and the Quarry's doubles."""

from __future__ import annotations

from typing import Any

from tests.engine.big_boxes import cast_with, gold
from tests.engine.district_tables import (
    GATHERED,
    fourteen,
    set_up_in_edition,
)
from tests.engine.playing import expect_refusal, game, problems_of, texts


def test_taxes_lie_there_before_their_collector_has_a_turn_and_in_his_absence() -> None:
    """Others pay them by building: he may not have been called yet, or be face up."""
    owing = {"owes_tax": ["Ben"], "revealed": {"Ben": ["assassin"]}, "called": 2}
    older: dict[str, Any] = {
        "edition": "ffg_2005",
        "characters": cast_with("tax_collector_2004"),
    }
    assert problems_of(owing, **older) == []
    referee = game("reveal Anna", position=owing, **older)
    assert gold(referee) == [3, 2, 2, 1]
    collected = {
        **owing,
        "revealed": {"Ben": ["assassin"], "Kurt": ["tax_collector_2004"]},
        "called": 3,
    }
    assert problems_of(collected, **older) == [
        "position.owes_tax: “tax_collector_2004” has already been revealed and has "
        "collected the tax"
    ]
    assert problems_of({"owes_tax": ["Ben"]}, **older) == [
        "position.owes_tax: nobody has had a turn this round"
    ]
    assert problems_of({**owing, "owes_tax": ["Ben", "Kurt"]}, **older) == [
        "position.owes_tax: only a player whose turn is before “tax_collector_2004” owes the tax"
    ]
    assert problems_of(owing) == [
        "position.owes_tax: nobody can have done this: “tax_collector_2004” isn't in this game"
    ]
    deluxe = {"edition": "deluxe_2016", "characters": cast_with("tax_collector")}
    lying = {"tax": 2, "faceup": ["tax_collector", "bishop", "merchant"]}
    assert problems_of(lying, **deluxe) == []
    collecting = set_up_in_edition("deluxe_2016", "tax_collector", cast=["tax_collector"], tax=2)
    collecting.play("collect")
    assert gold(collecting) == [4, 2, 2, 2]


def test_several_completed_first_only_by_the_bell_tower() -> None:
    seven = ["manor", "castle", "temple", "church", "tavern", "market", "keep"]
    other = ["palace", "monastery", "cathedral", "docks", "harbor", "prison", "fortress"]
    position = {
        "players": {"Anna": {"city": seven}, "Kurt": {"city": other}},
        "first_complete": ["Anna", "Kurt"],
    }
    assert problems_of(position, edition="ffg_2005") == []
    assert problems_of(position, edition="classic_2016") == [
        "position.first_complete: several players can be first to complete a city only with the "
        "Bell Tower, which isn't in this game"
    ]


def test_the_secret_vault_lies_in_one_hand() -> None:
    districts = ["basilica", "capitol", "haunted_quarter", "imperial_treasury", "laboratory",
                 "library", "map_room", "observatory", "school_of_magic", "secret_vault", "smithy",
                 "stables", "statue", "wishing_well"]  # fmt: skip
    head = {"edition": "deluxe_2016", "districts": districts}
    one = {"players": {"Anna": {"vault": True}}}
    assert problems_of(one, **head) == []
    empty = {"players": {"Anna": {"vault": True, "hand": 0}}}
    assert problems_of(empty, **head) == [
        "position.players.Anna.vault: Anna has no card in hand to be the “secret_vault”"
    ]
    two = {"players": {"Anna": {"vault": True}, "Ben": {"vault": True}}}
    assert problems_of(two, **head) == [
        "position.players.Ben.vault: the “secret_vault” is already in Anna's hand"
    ]


def test_a_double_is_counted_among_the_copies_of_the_game() -> None:
    """The deluxe box has three Temples: when all are built, nobody holds one."""
    players = {"Anna": {"city": ["quarry", "temple"], "gold": 9}, "Kurt": {"city": ["temple"]}}
    referee = set_up_in_edition("deluxe_2016", "architect", players=players, turn=GATHERED)
    referee.play("build temple")
    expect_refusal(referee, "build temple", "build.copies")
    assert "build temple" not in texts(referee)


def test_a_double_that_leaves_may_be_built_again() -> None:
    city = ["quarry", "temple", "temple"]
    players = {"Anna": {"gold": 9}, "Kurt": {"city": city}, "Ben": {"city": ["temple"]}}
    referee = set_up_in_edition("deluxe_2016", "warlord", players=players, turn=GATHERED)
    expect_refusal(referee, "build temple", "build.copies")
    referee.play("destroy Kurt temple")
    referee.play("build temple")


def test_an_exchanged_double_stays_counted_as_it_stands() -> None:
    players = {
        "Anna": {"city": ["manor"], "gold": 9},
        "Kurt": {"city": ["quarry", "cathedral", "cathedral"]},
    }
    referee = set_up_in_edition("deluxe_2016", "diplomat", cast=["diplomat"], players=players,
                         turn=GATHERED)  # fmt: skip
    referee.play("exchange manor Kurt cathedral")
    assert referee.table.exhausted == {"quarry", "cathedral"}


def test_the_bell_tower_announces_only_a_smaller_size() -> None:
    rung = {"players": {"Anna": {"city": [{"id": "bell_tower", "announced": True}]}}}
    for size, problems in ((8, 0), (7, 1), (6, 1)):
        head = {"edition": "ffg_2005", "options": {"city_size": size}}
        assert len(problems_of(rung, **head)) == problems


def test_a_city_that_was_first_may_have_been_reduced_where_something_reduces_it() -> None:
    """An Armory or a fallen Bell Tower opens a complete city, and rank 8 may hit it after that."""
    eight = ["manor", "castle", "temple", "church", "tavern", "market", "prison", "keep"]
    for edition, left, problems in (
        ("ffg_2005", 5, 0), ("ffg_2005", 4, 1), ("brettspielwelt", 8, 0), ("brettspielwelt", 7, 1),
    ):  # fmt: skip
        first = {"players": {"Anna": {"city": eight[:left]}}, "first_complete": "Anna"}
        assert len(problems_of(first, edition=edition)) == problems
    monument = {"edition": "deluxe_2016", "districts": fourteen("monument", "armory")}
    for left, problems in ((4, 0), (3, 1)):  # it counts for two
        first = {"players": {"Anna": {"city": eight[:left]}}, "first_complete": "Anna"}
        assert len(problems_of(first, **monument)) == problems


def test_what_was_built_may_have_been_destroyed_or_given_away_in_the_same_turn() -> None:
    turn = {"player": "Anna", "character": "warlord", "gathered": True, "built": ["manor"]}
    assert problems_of({"turn": turn}) != []
    assert problems_of({"turn": {**turn, "used": ["warlord"]}}) == []
    cast = cast_with("diplomat")
    turn |= {"character": "diplomat", "used": ["diplomat"]}
    options = {"turn": turn, "players": {"Ben": {"city": ["manor"]}}}
    assert problems_of(options, edition="ffg_2005", characters=cast) == []
    assert problems_of({"turn": turn}, edition="ffg_2005", characters=cast) != []


def test_an_older_quarry_has_one_double_at_a_time() -> None:
    cast = {"edition": "ffg_2005", "options": {"quarry_doubles": "one"}}
    one = {"players": {"Anna": {"city": ["quarry", "tavern", "tavern"]}}}
    assert problems_of(one, **cast) == []
    two = {"players": {"Anna": {"city": ["quarry", "tavern", "tavern", "tavern"]}}}
    assert problems_of(two, **cast) == [
        "position.players.Anna.city: Anna's city has “tavern” 3 times"
    ]
    assert problems_of(two, **cast, characters=cast_with("wizard")) == []


def test_nobody_is_killed_at_a_table_without_an_assassin() -> None:
    cast = cast_with("witch")
    killed = {"players": {"Anna": {"last_rank": 3, "killed": True}}}
    assert problems_of(killed, edition="ffg_2005", characters=cast) == [
        "position.players.Anna.killed: nobody can be killed without an “assassin” in the game"
    ]
    assert problems_of(killed) == []


def test_a_king_with_the_crown_was_called_by_whoever_has_the_ball_room() -> None:
    """He has taken the crown since; all others were called by its owner."""
    for crown, character, caller in (
        ("Anna", "king", "Ben"),
        ("Kurt", "king", "Kurt"),
        ("Anna", "bishop", "Anna"),
        ("Ben", "king", "Ben"),
    ):
        referee = set_up_in_edition(
            "ffg_2005", character, crown=crown, players={"Ben": {"city": ["ball_room"]}}
        )
        table = referee.table
        assert table.seats[table.playing.called_by].name == caller


def test_the_limit_of_a_turn_counts_buildings_that_nobody_names() -> None:
    """Where no cities are tracked, a position gives only their number."""
    head: dict[str, Any] = {"options": {"cities": "untracked"}}
    for character, most in (("king", 1), ("architect", 3)):
        turn = {"player": "Anna", "character": character, "gathered": True, "built": [None] * most}
        assert problems_of({"turn": turn}, **head) == []
        too_many = {**turn, "built": [None] * (most + 1)}
        (problem,) = problems_of({"turn": too_many}, **head)
        assert f"the building limit of this turn is {most}, not {most + 1}" in problem


def test_the_hospital_may_be_gone_since_it_showed_the_killed_player() -> None:
    shown = {"killed": "king", "revealed": {"Kurt": ["king"]}}
    assert game(edition="ffg_2005", position={**shown, "called": 8}).table.phase == "calling"
    for moment in ({"called": 4}, {"turn": {"player": "Anna", "character": "magician"}}):
        assert problems_of({**shown, **moment}, edition="ffg_2005")
    assert problems_of({**shown, "called": 8}, edition="classic_2016")  # it has no Hospital


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
