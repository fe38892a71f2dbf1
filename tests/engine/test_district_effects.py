"""Districts' automatic effects: at the end of a turn, on prices, on attackers."""

from __future__ import annotations

import pytest

from tests.engine.big_boxes import gold
from tests.engine.district_tables import GATHERED, OLDER, VAULTED, fourteen, set_up_in_edition
from tests.engine.playing import expect_refusal, game, texts


@pytest.mark.parametrize("edition", [*OLDER, "deluxe_2016"])
def test_poor_house_and_park_at_the_end_of_the_turn(edition: str) -> None:
    players = {"Anna": {"city": ["poor_house", "park"], "gold": 0, "hand": 1},
               "Kurt": {"city": ["manor"], "gold": 0}}  # fmt: skip
    districts = VAULTED if edition == "deluxe_2016" else None
    referee = set_up_in_edition(edition, "king", players=players, districts=districts)
    for move in ("gold", "build market", "end"):
        referee.play(move)
    seat = referee.table.seats[0]
    assert (seat.gold, seat.hand) == (1, 2)
    record = set_up_in_edition(edition, "king", players=players, districts=districts)
    for move in ("gold", "end"):
        record.play(move)
    seat = record.table.seats[0]
    assert (seat.gold, seat.hand) == (2, 1)


def test_the_park_tells_how_many_cards_the_deck_gave() -> None:
    players = {"Anna": {"city": ["park"], "hand": 1}, "Kurt": {"hand": 80 - 1 - 1 - 8 - 1}}
    referee = set_up_in_edition("ffg_2005", "king", players=players, turn=GATHERED)
    assert referee.table.deck == 1
    referee.play("build temple")
    referee.play("end")
    event = next(event for event in referee.table.events if event.kind == "park")
    assert (event.amount, referee.table.seats[0].hand) == (1, 1)


def test_the_throne_room_is_paid_when_the_crown_changes_hands_and_only_then() -> None:
    position = {"players": {"Anna": {"city": ["throne_room"], "gold": 0}}, "called": 4}
    referee = game("reveal Ben", crown="Kurt", edition="ffg_2005", position=position)
    assert (referee.table.crown, gold(referee)[0]) == (3, 1)
    record = game("reveal Kurt", crown="Kurt", edition="ffg_2005", position=position)
    assert (record.table.crown, gold(record)[0]) == (1, 0)
    heir = game("nobody", "unmask Ben", crown="Kurt", edition="ffg_2005",
                position={**position, "called": 8, "killed": "king"})  # fmt: skip
    assert (heir.table.crown, gold(heir)[0]) == (3, 1)


@pytest.mark.parametrize("edition", OLDER)
def test_a_forgotten_courtesy_costs_the_turn(edition: str) -> None:
    position = {"players": {"Anna": {"city": ["ball_room"]}, "Ben": {"gold": 0}}, "called": 6}
    referee = game("reveal Ben", crown="Anna", edition=edition, position=position)
    assert "forfeit" in texts(referee)
    referee.play("income")
    expect_refusal(referee, "forfeit", "ball_room.begun")
    referee.undo()
    referee.play("forfeit")
    assert (referee.table.called, gold(referee)[3]) == (7, 0)
    referee.play("reveal Anna")
    expect_refusal(referee, "forfeit", "ball_room.not_here")  # not owed to oneself
    elsewhere = game("reveal Ben", crown="Kurt", edition=edition, position=position)
    expect_refusal(elsewhere, "forfeit", "ball_room.not_here")
    assert "forfeit" not in texts(elsewhere)


def test_the_great_wall_leaves_its_own_price_alone() -> None:
    players = {"Anna": {"gold": 9, "city": ["tavern"]}, "Kurt": {"city": ["great_wall", "docks"]}}
    for edition in (*OLDER, "classic_2016"):
        referee = set_up_in_edition(edition, "warlord", players=players, turn=GATHERED)
        referee.play("destroy Kurt docks")
        assert gold(referee)[0] == 6
        referee.undo()
        referee.play("destroy Kurt great_wall")
        assert gold(referee)[0] == 4
    diplomat = set_up_in_edition(
        "ffg_2005", "diplomat", cast=["diplomat"], players=players, turn=GATHERED
    )
    diplomat.play("exchange tavern Kurt docks")
    assert gold(diplomat)[:2] == [6, 5]


def test_a_great_wall_makes_the_marshal_pay_one_more_but_not_stop_at_three() -> None:
    players = {"Anna": {"gold": 9}, "Kurt": {"city": ["great_wall", "docks"]}}
    districts = fourteen("great_wall")
    referee = set_up_in_edition("deluxe_2016", "marshal", cast=["marshal"], players=players,
                         turn=GATHERED, districts=districts)  # fmt: skip
    expect_refusal(referee, "seize Kurt great_wall", "marshal.too_dear")
    referee.play("seize Kurt docks")
    assert gold(referee)[:2] == [5, 6]


@pytest.mark.parametrize(
    ("edition", "move"),
    [
        ("ffg_2005", "destroy Kurt keep"),
        ("millennium_3e", "exchange manor Kurt keep"),
        ("deluxe_2016", "seize Kurt keep"),
        ("deluxe_2016", "exchange manor Kurt keep"),
    ],
)
def test_the_keep_is_proof_against_every_rank_8(edition: str, move: str) -> None:
    character = {"destroy": "warlord", "exchange": "diplomat", "seize": "marshal"}[move.split()[0]]
    players = {"Anna": {"gold": 9, "city": ["manor"]}, "Kurt": {"city": ["keep", "temple"]}}
    referee = set_up_in_edition(
        edition, character, cast=[character], players=players, turn=GATHERED
    )
    expect_refusal(referee, move, f"{character}.proof")
    assert move.replace("keep", "temple") in texts(referee)
