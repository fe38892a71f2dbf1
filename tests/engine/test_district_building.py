"""Districts that change the price, the building limit and what may be built."""

from __future__ import annotations

import pytest

from engine import own_cards
from tests.engine.big_boxes import gold
from tests.engine.district_tables import GATHERED, VAULTED, fourteen, set_up_in_edition
from tests.engine.playing import expect_refusal, legal_of


def test_the_factory_takes_one_off_other_unique_districts_only() -> None:
    players = {"Anna": {"city": ["factory"], "gold": 4, "hand": 9}}
    referee = set_up_in_edition("deluxe_2016", "king", players=players, turn=GATHERED)
    assert {"build laboratory", "build smithy", "build castle"} <= set(legal_of(referee, "build"))
    expect_refusal(referee, "build palace", "build.gold")
    expect_refusal(referee, "build library", "build.gold")
    referee.play("build smithy")
    assert gold(referee)[0] == 0
    plain = set_up_in_edition("deluxe_2016", "king", players={"Anna": {"gold": 4}}, turn=GATHERED)
    expect_refusal(plain, "build factory", "build.gold")  # not for itself


def test_no_price_is_below_zero() -> None:
    """A table's own cards may cost nothing: that pays neither who builds nor who destroys them."""
    own_cards.use({"deluxe_2016": {"laboratory": {"cost": 0}, "temple": {"cost": 0}}})
    players = {"Anna": {"city": ["factory"], "gold": 0}, "Kurt": {"city": ["temple"]}}
    for character, move in (("king", "build laboratory"), ("warlord", "destroy Kurt temple")):
        referee = set_up_in_edition("deluxe_2016", character, players=players, turn=GATHERED)
        referee.play(move)
        assert gold(referee)[0] == 0
    players = {"Anna": {"gold": 0, "city": ["manor"]}, "Kurt": {"city": ["temple"]}}
    for character, move in (("diplomat", "exchange manor Kurt temple"),
                            ("marshal", "seize Kurt temple"),
                            ("wizard", "take Kurt temple")):  # fmt: skip
        referee = set_up_in_edition("deluxe_2016", character, cast=[character], players=players,
                                    turn=GATHERED)  # fmt: skip
        referee.play(move)
        assert gold(referee)[:2] == [0, 2]


def test_the_factory_does_not_change_the_warlords_price() -> None:
    players = {"Anna": {"gold": 3}, "Kurt": {"city": ["factory", "laboratory"]}}
    referee = set_up_in_edition("ffg_2005", "warlord", players=players, turn=GATHERED)
    expect_refusal(referee, "destroy Kurt laboratory", "warlord.gold")


def test_the_framework_pays_for_anything_and_leaves_first() -> None:
    city = ["framework", "manor", "temple", "tavern", "prison"]
    players = {"Anna": {"city": city, "gold": 0}}
    districts = fourteen("framework", "monument")
    referee = set_up_in_edition("deluxe_2016", "architect", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    expect_refusal(referee, "build monument", "build.city_full")
    expect_refusal(referee, "build manor over framework", "build.duplicate")
    expect_refusal(referee, "build palace over manor", "build.form")
    expect_refusal(referee, "build palace over docks", "build.over_missing")
    deck = referee.table.deck
    referee.play("build monument over framework")
    assert (gold(referee)[0], referee.table.deck) == (0, deck + 1)
    assert referee.table.seats[0].city.size == 6


def test_the_necropolis_may_be_built_over_any_district_or_paid() -> None:
    players = {"Anna": {"city": [{"id": "museum", "under": 2}, "manor"], "gold": 5}}
    referee = set_up_in_edition("deluxe_2016", "architect", players=players, turn=GATHERED,
                         districts=VAULTED)  # fmt: skip
    assert legal_of(referee, "build")[-2:] == [
        "build necropolis over museum", "build necropolis over manor",
    ]  # fmt: skip
    assert "build necropolis" in legal_of(referee, "build")
    deck = referee.table.deck
    referee.play("build necropolis over museum")
    assert (gold(referee)[0], referee.table.deck) == (5, deck + 3)


def test_a_sacrifice_uses_the_building_limit() -> None:
    players = {"Anna": {"city": ["framework", "manor"], "gold": 5}}
    districts = fourteen("framework", "monument")
    referee = set_up_in_edition("deluxe_2016", "king", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    referee.play("build palace over framework")
    expect_refusal(referee, "build temple", "build.limit")


@pytest.mark.parametrize(("held", "coins", "able"), [(9, 0, [6]), (4, 3, [3]), (3, 9, [1, 2])])
def test_any_part_of_the_den_is_paid_with_cards(held: int, coins: int, able: list[int]) -> None:
    players = {"Anna": {"hand": held, "gold": coins}}
    referee = set_up_in_edition("deluxe_2016", "king", players=players, turn=GATHERED)
    names = [move for move in legal_of(referee, "build") if " cards " in move]
    assert names == [f"build thieves_den cards {number}" for number in able]
    expect_refusal(referee, "build thieves_den cards 0", "build.form")
    expect_refusal(referee, "build palace cards 1", "build.form")
    expect_refusal(referee, f"build thieves_den cards {max(able) + 1}", "thieves_den.cards")
    before = referee.table.deck
    referee.play(f"build thieves_den cards {able[-1]}")
    seat = referee.table.seats[0]
    assert (seat.hand, seat.gold) == (held - 1 - able[-1], coins - (6 - able[-1]))
    assert referee.table.deck == before + able[-1]


def test_the_monument_counts_as_two_and_comes_early() -> None:
    four = ["manor", "temple", "tavern", "prison"]
    players = {"Anna": {"city": four, "gold": 9}, "Kurt": {"gold": 9}}
    referee = set_up_in_edition("deluxe_2016", "architect", players=players, turn=GATHERED,
                         districts=VAULTED)  # fmt: skip
    referee.play("build monument")
    assert referee.table.first_complete == ()
    referee.play("build market")
    assert referee.table.first_complete == (0,)
    five = {"Anna": {"city": [*four, "market"], "gold": 9}}
    late = set_up_in_edition(
        "deluxe_2016", "architect", players=five, turn=GATHERED, districts=VAULTED
    )
    expect_refusal(late, "build monument", "build.city_full")


def test_the_stables_are_outside_the_limit_but_not_for_a_navigator() -> None:
    districts = fourteen("stables")
    players = {"Anna": {"gold": 9, "hand": 5}}
    referee = set_up_in_edition("deluxe_2016", "king", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    referee.play("build manor")
    assert legal_of(referee, "build") == ["build stables"]
    referee.play("build stables")
    assert legal_of(referee, "build") == []
    navigator = set_up_in_edition("deluxe_2016", "navigator", cast=["navigator"], players=players,
                           turn=GATHERED, districts=districts)  # fmt: skip
    expect_refusal(navigator, "build stables", "build.limit")


def test_the_secret_vault_is_never_built() -> None:
    players = {"Anna": {"gold": 9, "city": ["framework"]}}
    districts = fourteen("framework", "secret_vault")
    referee = set_up_in_edition("deluxe_2016", "king", players=players, turn=GATHERED,
                         districts=districts)  # fmt: skip
    expect_refusal(referee, "build secret_vault", "build.never")
    expect_refusal(referee, "build secret_vault over framework", "build.never")
    expect_refusal(referee, "vault Anna", "phase.turn")


def test_the_lighthouse_brings_a_card_when_it_is_built() -> None:
    referee = set_up_in_edition("ffg_2005", "king", players={"Anna": {"gold": 3, "hand": 1}},
                         turn=GATHERED)  # fmt: skip
    deck = referee.table.deck
    referee.play("build lighthouse")
    assert (referee.table.seats[0].hand, referee.table.deck) == (1, deck - 1)
    last = {"Anna": {"gold": 3, "hand": 1}, "Kurt": {"hand": 80 - 1 - 8}}
    empty = set_up_in_edition("ffg_2005", "king", players=last, turn=GATHERED)
    assert empty.table.deck == 0
    empty.play("build lighthouse")
    assert empty.table.seats[0].hand == 0
