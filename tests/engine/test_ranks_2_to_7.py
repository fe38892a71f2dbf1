"""Spy, Wizard, Seer, Abbot, Cardinal, Alchemist, Trader, Navigator and Scholar."""

from __future__ import annotations

import pytest

from tests.engine.big_boxes import BIG_BOXES, OLD_BOXES, city, gold, hands, play, turn_of
from tests.engine.playing import NAMES, expect_refusal, legal_of, texts


def test_the_spy_takes_a_gold_and_a_card_for_each_matching_card() -> None:
    referee = turn_of("spy", players={"Kurt": {"gold": 1, "hand": 3}})
    expect_refusal(referee, "spy Anna trade 1", "spy.self")
    expect_refusal(referee, "spy Kurt trade 4", "spy.hand")
    deck = referee.table.deck
    referee.play("spy Kurt trade 2")
    assert (gold(referee)[:2], hands(referee)[:2]) == ([3, 0], [6, 3])
    assert referee.table.deck == deck - 2
    expect_refusal(referee, "spy Ben noble 0", "power.done")


def test_the_wizard_builds_a_taken_card_outside_the_limit() -> None:
    referee = turn_of("wizard", players={"Anna": {"gold": 9}, "Ben": {"hand": 0}})
    expect_refusal(referee, "take Anna", "wizard.self")
    expect_refusal(referee, "take Ben", "wizard.no_card")
    expect_refusal(referee, "take Kurt temple", "build.not_gathered")
    play(referee, "gold", "build tavern", "take Kurt temple")
    assert (hands(referee)[:2], gold(referee)[0]) == ([3, 3], 9)
    expect_refusal(referee, "build market", "build.limit")
    first = play(turn_of("wizard"), "gold", "take Kurt temple", "build tavern")
    assert city(first) == ["temple", "tavern"]
    record = play(turn_of("wizard"), "take Kurt")
    assert hands(record)[:2] == [5, 3]
    expect_refusal(record, "take Ben", "power.done")


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_which_doubles_the_wizard_may_build(edition: str) -> None:
    players = {"Anna": {"gold": 9, "city": ["temple", "tavern"]}}
    referee = turn_of("wizard", edition=edition, players=players, turn={"gathered": True})
    play(referee, "build tavern", "take Kurt temple")
    assert city(referee).count("temple") == city(referee).count("tavern") == 2
    house = turn_of("wizard", edition=edition, players=players, turn={"gathered": True},
                    options={"wizard_doubles": "taken"})  # fmt: skip
    expect_refusal(house, "build tavern", "build.duplicate")
    assert city(play(house, "take Kurt temple")).count("temple") == 2


def test_the_wizard_pays_for_what_he_builds_and_needs_a_copy_that_can_be_there() -> None:
    players = {"Ben": {"city": ["laboratory"]}, "Anna": {"gold": 4}}
    referee = turn_of("wizard", players=players, turn={"gathered": True})
    expect_refusal(referee, "take Kurt palace", "build.gold")
    expect_refusal(referee, "take Kurt laboratory", "build.copies")
    expect_refusal(referee, "take Kurt university", "build.not_in_game")


def test_the_seer_leaves_every_hand_as_large_and_builds_two() -> None:
    referee = turn_of("seer", players={"Anna": {"gold": 9}}, turn={"gathered": True})
    before = hands(referee)
    referee.play("divine")
    assert hands(referee) == before
    expect_refusal(referee, "divine", "power.done")
    play(referee, "build temple", "build tavern")
    expect_refusal(referee, "build market", "build.limit")
    empty = {name: {"hand": 0} for name in NAMES[1:4]}
    expect_refusal(turn_of("seer", players=empty), "divine", "seer.no_cards")


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_older_abbot_takes_from_the_one_richest(edition: str) -> None:
    players = {"Anna": {"city": ["temple", "church"]}, "Kurt": {"gold": 5}, "Ben": {"gold": 4}}
    referee = turn_of("abbot", edition=edition, players=players)
    expect_refusal(referee, "tithe Ben", "abbot.not_richest")
    play(referee, "tithe", "income")
    assert gold(referee) == [5, 4, 2, 4]
    expect_refusal(referee, "tithe", "power.done")
    for anna, kurt, ben in ((2, 5, 5), (5, 5, 2), (6, 5, 2)):
        rich = {"Anna": {"gold": anna}, "Kurt": {"gold": kurt}, "Ben": {"gold": ben}}
        expect_refusal(turn_of("abbot", edition=edition, players=rich), "tithe", "abbot.nobody")


def test_the_deluxe_abbot_mixes_his_income_and_chooses_among_the_richest() -> None:
    players = {"Anna": {"city": ["temple", "school_of_magic"]}, "Kurt": {"gold": 5},
               "Ben": {"gold": 5}}  # fmt: skip
    referee = turn_of("abbot", players=players)
    assert legal_of(referee, "tithe") == ["tithe Kurt", "tithe Ben"]
    expect_refusal(referee, "tithe", "abbot.choose")
    expect_refusal(referee, "tithe Ashley", "abbot.not_richest")
    expect_refusal(referee, "income", "income.form")
    expect_refusal(referee, "income gold 1 cards 0", "income.split")
    play(referee, "tithe Ben", "income gold 1 cards 1")
    assert (gold(referee), hands(referee)[0]) == ([4, 5, 2, 4], 5)
    expect_refusal(referee, "income gold 2 cards 0", "income.done")
    equal = {"Anna": {"gold": 5}, "Kurt": {"gold": 5}}
    expect_refusal(turn_of("abbot", players=equal), "tithe Kurt", "abbot.nobody")


def test_the_cardinal_takes_the_exact_gold_that_is_missing() -> None:
    players = {"Anna": {"gold": 1, "hand": 3, "city": ["temple"]}, "Kurt": {"gold": 3},
               "Ben": {"gold": 1}}  # fmt: skip
    referee = turn_of("cardinal", players=players, turn={"gathered": True})
    expect_refusal(referee, "build tavern from Kurt", "cardinal.no_need")
    expect_refusal(referee, "build manor from Anna", "cardinal.self")
    expect_refusal(referee, "build manor from Ben", "cardinal.gold")
    expect_refusal(referee, "build castle from Kurt", "cardinal.cards")
    expect_refusal(referee, "build temple from Kurt", "cardinal.no_need")
    play(referee, "income", "build manor from Kurt")
    assert (gold(referee)[:2], hands(referee)[:2]) == ([0, 1], [1, 6])
    expect_refusal(turn_of("king", "cardinal", turn={"gathered": True}), "build manor from Kurt",
            "build.form")  # fmt: skip


def test_the_alchemist_of_millennium_has_the_gold_back_at_once() -> None:
    players = {"Anna": {"gold": 5, "hand": 4, "city": ["smithy"]}}
    referee = turn_of("alchemist", edition="millennium_3e", players=players,
                      turn={"gathered": True})  # fmt: skip
    referee.play("build palace")
    assert gold(referee)[0] == 5
    play(referee, "use smithy", "end")  # only the cost of building is refunded
    assert gold(referee)[0] == 5 - 3


@pytest.mark.parametrize("edition", ["ffg_2005", "deluxe_2016"])
def test_other_alchemists_have_it_back_at_the_end_after_the_poor_house(edition: str) -> None:
    players = {"Anna": {"gold": 5, "city": ["poor_house", "smithy"]}}
    referee = turn_of("alchemist", edition=edition, players=players, turn={"gathered": True})
    referee.play("build palace")
    assert gold(referee)[0] == 0
    expect_refusal(referee, "use smithy", "smithy.gold")
    referee.play("end")
    assert gold(referee)[0] == 6
    events = [event.kind for event in referee.table.events]
    assert events == ["poor_house", "refunded"]


def test_a_position_knows_what_the_alchemist_has_spent() -> None:
    turn = {"gathered": True, "built": ["manor"], "spent": 3}
    referee = turn_of("alchemist", players={"Anna": {"city": ["manor"]}}, turn=turn)
    assert gold(play(referee, "end"))[0] == 5


def test_trade_districts_do_not_use_up_the_traders_limit() -> None:
    referee = turn_of("trader", players={"Anna": {"gold": 20, "hand": 9, "city": ["docks"]}},
                      turn={"gathered": True})  # fmt: skip
    play(referee, "income", "build tavern", "build temple", "build market")
    expect_refusal(referee, "build manor", "build.limit")
    play(referee, "build harbor")
    assert legal_of(referee, "build") == ["build trading_post", "build town_hall"]


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_navigator_gets_four_and_builds_nothing(edition: str) -> None:
    referee = turn_of("navigator", edition=edition)
    expect_refusal(referee, "build temple", "build.not_gathered")
    play(referee, "gold")
    expect_refusal(referee, "build temple", "build.limit")
    play(referee, "navigate cards")
    assert hands(referee)[0] == 8
    assert gold(play(turn_of("navigator", edition=edition), "gold", "navigate gold"))[0] == 8
    if edition == "deluxe_2016":
        expect_refusal(referee, "navigate gold", "power.done")
        expect_refusal(referee, "build temple", "build.limit")
        assert gold(play(turn_of("navigator", edition=edition), "navigate gold"))[0] == 6
        return
    expect_refusal(turn_of("navigator", edition=edition), "navigate gold", "navigator.gather_first")
    if edition == "ffg_2005":
        players = {"Anna": {"gold": 0, "city": ["laboratory", "smithy"]}}
        referee = turn_of("navigator", edition=edition, players=players)
        play(referee, "gold", "navigate gold", "use smithy", "use laboratory", "end")
        assert gold(referee)[0] == 2 + 4 - 2 + 1
        there = turn_of("navigator", edition=edition, players=players, turn={"used": ["navigate"]})
        assert "gold" not in texts(there)
        assert "use laboratory" in texts(there)
        return
    for move in ("navigate gold", "build temple", "use laboratory"):
        expect_refusal(referee, move, "navigator.last_thing")
    assert texts(referee) == ["end"]


def test_the_scholar_keeps_one_of_seven_and_builds_two() -> None:
    referee = turn_of("scholar", players={"Anna": {"gold": 9}}, turn={"gathered": True})
    deck = referee.table.deck
    referee.play("study")
    assert (hands(referee)[0], referee.table.deck) == (5, deck - 1)
    expect_refusal(referee, "study", "power.done")
    play(referee, "build temple", "build tavern")
    expect_refusal(referee, "build market", "build.limit")
