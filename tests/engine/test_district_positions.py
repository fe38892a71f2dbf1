"""Positions that only some districts and taxes make possible, and the Quarry's doubles."""

from __future__ import annotations

from tests.engine.district_tables import (
    GATHERED,
    gold,
    in_edition,
    with_characters,
)
from tests.engine.playing import game, problems_of, refused, texts


def test_taxes_lie_there_before_their_collector_has_a_turn_and_in_his_absence() -> None:
    """Others leave them by building: he may not have been called yet, or lie face up."""
    owed = {"owes_tax": ["Ben"], "revealed": {"Ben": ["assassin"]}, "called": 2}
    older = {"edition": "ffg_2005", "characters": with_characters("tax_collector_2004")}
    assert problems_of(owed, **older) == []
    referee = game("reveal Anna", position=owed, **older)
    assert gold(referee.table) == [3, 2, 2, 1]
    assert problems_of(owed) == [
        "position.owes_tax: nobody can have done this: “tax_collector_2004” is not in this game"
    ]
    deluxe = {"edition": "deluxe_2016", "characters": with_characters("tax_collector")}
    lying = {"tax": 2, "faceup": ["tax_collector", "bishop", "merchant"]}
    assert problems_of(lying, **deluxe) == []
    collecting = in_edition("deluxe_2016", "tax_collector", cast=["tax_collector"], tax=2)
    collecting.play("collect")
    assert gold(collecting.table) == [4, 2, 2, 2]


def test_several_completed_first_only_by_the_bell_tower() -> None:
    seven = ["manor", "castle", "temple", "church", "tavern", "market", "keep"]
    other = ["palace", "monastery", "cathedral", "docks", "harbor", "prison", "fortress"]
    position = {
        "players": {"Anna": {"city": seven}, "Kurt": {"city": other}},
        "first_complete": ["Anna", "Kurt"],
    }
    assert problems_of(position, edition="ffg_2005") == []
    assert problems_of(position, edition="classic_2016") == [
        "position.first_complete: several complete a city first only by the Bell Tower, "
        "which is not in this game"
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
        "position.players.Ben.vault: the “secret_vault” is in the hand of Anna already"
    ]


def test_a_double_is_counted_among_the_copies_of_the_game() -> None:
    """The deluxe box has three Temples: when all stand, nobody holds one."""
    players = {"Anna": {"city": ["quarry", "temple"], "gold": 9}, "Kurt": {"city": ["temple"]}}
    referee = in_edition("deluxe_2016", "architect", players=players, turn=GATHERED)
    referee.play("build temple")
    refused(referee, "build temple", "build.copies")
    assert "build temple" not in texts(referee)


def test_a_double_that_leaves_may_be_built_again() -> None:
    city = ["quarry", "temple", "temple"]
    players = {"Anna": {"gold": 9}, "Kurt": {"city": city}, "Ben": {"city": ["temple"]}}
    referee = in_edition("deluxe_2016", "warlord", players=players, turn=GATHERED)
    refused(referee, "build temple", "build.copies")
    referee.play("destroy Kurt temple")
    referee.play("build temple")


def test_an_exchanged_double_stays_counted_as_it_stands() -> None:
    players = {
        "Anna": {"city": ["manor"], "gold": 9},
        "Kurt": {"city": ["quarry", "cathedral", "cathedral"]},
    }
    referee = in_edition("deluxe_2016", "diplomat", cast=["diplomat"], players=players,
                         turn=GATHERED)  # fmt: skip
    referee.play("exchange manor Kurt cathedral")
    assert referee.table.exhausted == {"quarry", "cathedral"}
