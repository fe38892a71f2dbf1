"""Marshal, Diplomat, the older Warlord and the Artist; characters by number of players."""

from __future__ import annotations

import pytest

from engine import views
from tests.engine.big_boxes import (
    BIG_BOXES,
    OLD_BOXES,
    SEVEN,
    city,
    gold,
    play,
    table,
    turn_of,
)
from tests.engine.playing import expect_refusal, legal_of, texts


def test_the_marshal_seizes_a_cheap_district_and_pays_for_it() -> None:
    players = {"Anna": {"gold": 4, "city": ["tavern"]}, "Kurt": {
        "city": ["great_wall", "manor", "castle", "tavern", "keep",
                 {"id": "docks", "decorated": True}]}}  # fmt: skip
    referee = turn_of("marshal", "artist", players=players)
    expect_refusal(referee, "seize Kurt castle", "marshal.too_dear")
    expect_refusal(referee, "seize Kurt docks", "marshal.too_dear")
    expect_refusal(referee, "seize Kurt tavern", "marshal.duplicate")
    expect_refusal(referee, "seize Kurt keep", "marshal.proof")
    expect_refusal(referee, "seize Kurt temple", "marshal.no_such_district")
    expect_refusal(referee, "seize Anna tavern", "marshal.own_city")
    assert legal_of(referee, "seize") == ["seize Kurt manor"]
    referee.play("seize Kurt manor")  # 3, and 1 for the wall
    assert (gold(referee)[:2], city(referee)) == ([0, 6], ["tavern", "manor"])
    poor = turn_of("marshal", "artist", players={**players, "Anna": {"gold": 3}})
    assert "4 gold" in expect_refusal(poor, "seize Kurt manor", "marshal.gold").reason


@pytest.mark.parametrize("character", ["marshal", "diplomat", "warlord"])
def test_rank_8_touches_no_complete_city_and_no_living_bishops(character: str) -> None:
    move = {
        "marshal": "seize {} watchtower", "warlord": "destroy {} watchtower",
        "diplomat": "exchange prison {} watchtower",
    }[character]  # fmt: skip
    players = {"Anna": {"city": ["prison"]}, "Kurt": {"city": SEVEN},
               "Ben": {"city": SEVEN[3:]}}  # fmt: skip
    referee = turn_of(character, players=players, revealed={"Ben": ["bishop"]})
    expect_refusal(referee, move.format("Kurt"), f"{character}.complete_city")
    expect_refusal(referee, move.format("Ben"), f"{character}.bishop")


def test_a_killed_bishop_shown_by_the_hospital_protects_nothing() -> None:
    players = {"Kurt": {"city": ["hospital", "temple"]}}
    referee = turn_of("warlord", edition="ffg_2005", players=players, killed="bishop",
                      revealed={"Kurt": ["bishop"], "Ben": ["assassin"]},
                      turn={"gathered": True})  # fmt: skip
    assert "destroy Kurt temple" in texts(referee)


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_diplomat_pays_the_difference_to_the_other_player(edition: str) -> None:
    players = {"Anna": {"gold": 3, "city": ["temple", "market", "keep"]},
               "Kurt": {"city": ["castle", "temple", "keep"]}} if edition in OLD_BOXES else {
               "Anna": {"gold": 3, "city": ["temple", "market"]},
               "Kurt": {"city": ["castle", "temple", "keep"]}}  # fmt: skip
    referee = turn_of("diplomat", edition=edition, players=players, turn={"gathered": True})
    expect_refusal(referee, "exchange temple Kurt keep", "diplomat.proof")
    expect_refusal(referee, "exchange manor Kurt castle", "diplomat.not_yours")
    expect_refusal(referee, "exchange market Anna temple", "diplomat.own_city")
    expect_refusal(referee, "exchange market Kurt temple", "diplomat.duplicate")
    expect_refusal(referee, "exchange temple Kurt castle", "diplomat.duplicate")
    expect_refusal(referee, "exchange market Kurt palace", "diplomat.no_such_district")
    referee.play("exchange market Kurt castle")
    assert gold(referee)[:2] == [1, 4]
    assert "castle" in city(referee)
    assert "market" in city(referee, 1)


def test_the_diplomat_may_give_a_keep_but_no_name_for_the_same_name() -> None:
    players = {"Anna": {"city": ["keep", "tavern"]}, "Kurt": {"city": ["tavern", "docks"]}}
    referee = turn_of("diplomat", players=players)
    expect_refusal(referee, "exchange tavern Kurt tavern", "diplomat.duplicate")
    expect_refusal(referee, "exchange keep Kurt tavern", "diplomat.duplicate")
    assert legal_of(referee, "exchange") == ["exchange keep Kurt docks"]
    referee.play("exchange keep Kurt docks")
    assert (city(referee), city(referee, 1)) == (["tavern", "docks"], ["tavern", "keep"])


def test_the_wall_and_the_artists_gold_count_in_what_the_diplomat_takes() -> None:
    players = {"Anna": {"gold": 1, "city": ["palace", "tavern"]}, "Kurt": {
        "city": ["great_wall", {"id": "docks", "decorated": True}, "prison"]}}  # fmt: skip
    referee = turn_of("diplomat", "artist", players=players)
    assert "4 gold" in expect_refusal(referee, "exchange tavern Kurt docks", "diplomat.gold").reason
    referee.play("exchange palace Kurt docks")  # never less than nothing
    assert gold(referee)[:2] == [1, 2]
    assert referee.table.seats[0].city.cards[-1].decorated


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_when_the_older_warlord_strikes_and_the_diplomat_exchanges(edition: str) -> None:
    players = {"Anna": {"gold": 9, "city": ["prison"]}, "Kurt": {"city": ["temple"]}}
    referee = turn_of("warlord", edition=edition, players=players)
    expect_refusal(referee, "destroy Kurt temple", "warlord.gather_first")
    play(referee, "gold", "destroy Kurt temple")
    assert texts(referee) == ["end"]
    expect_refusal(referee, "income", "warlord.last_thing")
    there = turn_of("warlord", edition=edition, players=players,
                    turn={"gathered": True, "used": ["destroy"]})  # fmt: skip
    assert texts(there) == ["end"]
    diplomat = turn_of("diplomat", edition=edition, players=players)
    if edition == "millennium_3e":
        assert "exchange prison Kurt temple" in texts(diplomat)
        return
    expect_refusal(diplomat, "exchange prison Kurt temple", "diplomat.gather_first")
    play(diplomat, "gold", "exchange prison Kurt temple")
    assert texts(diplomat) == ["end"]
    expect_refusal(diplomat, "income", "diplomat.last_thing")


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_artist_decorates_two_districts_once_each(edition: str) -> None:
    players = {"Anna": {"gold": 2, "city": [
        "temple", "tavern", {"id": "manor", "decorated": True}, "market"]}}  # fmt: skip
    referee = turn_of("artist", edition=edition, players=players)
    assert len(legal_of(referee, "decorate")) == 6
    expect_refusal(referee, "decorate manor", "artist.decorated")
    expect_refusal(referee, "decorate palace", "artist.not_yours")
    expect_refusal(referee, "decorate temple temple", "artist.decorated")
    expect_refusal(referee, "decorate temple tavern market", "artist.too_many")
    referee.play("decorate tavern temple")
    anna = views.table_json(referee.table)["players"]["Anna"]
    assert (anna["gold"], anna["decorated"]) == (0, ["temple", "tavern", "manor"])
    expect_refusal(referee, "decorate market", "power.done")
    poor = turn_of("artist", edition=edition, players={"Anna": {**players["Anna"], "gold": 1}})
    expect_refusal(poor, "decorate temple tavern", "artist.gold")
    striking = turn_of("warlord", "artist", edition=edition, turn={"gathered": True},
                       players={"Anna": {"gold": 2}, "Kurt": {
                           "city": [{"id": "manor", "decorated": True}]}})  # fmt: skip
    assert "3 gold" in expect_refusal(striking, "destroy Kurt manor", "warlord.gold").reason


def test_a_district_is_named_as_decorated_only_once() -> None:
    referee = table("artist", options={"cities": "untracked"}, called=9, first_complete=["Ben"])
    play(referee, "nobody", "city Anna temple")
    expect_refusal(referee, "decorate temple temple", "city.decorated")
    referee.play("decorate temple")
