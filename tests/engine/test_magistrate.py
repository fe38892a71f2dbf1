"""The Magistrate: warrants, confiscation and refunds."""

from __future__ import annotations

from typing import Any

from engine import views
from engine.referee import Referee
from tests.engine.big_boxes import DELUXE_UNIQUES, SEVEN, city, gold, hands, play, table, turn_of
from tests.engine.playing import expect_refusal, legal_of, texts

WARRANTS = ["thief", "king", "architect"]


def warranted(character: str = "king", **rest: Any) -> Referee:
    """Anna builds as a character with a warrant; Ben is the Magistrate."""
    rest.setdefault("warrants", WARRANTS)
    after = {"Ben": ["magistrate"]} | rest.pop("revealed", {})
    turn = {"gathered": True} | rest.pop("turn", {})
    others = rest.pop("others", ())
    return turn_of(character, "magistrate", *others, turn=turn, revealed=after, **rest)


def test_the_magistrate_lays_three_warrants_and_may_record_the_signed_one() -> None:
    referee = turn_of("magistrate")
    assert len(legal_of(referee, "warrants")) == 56  # any three of the eight, his own among them
    expect_refusal(referee, "signed king", "magistrate.no_warrants")
    expect_refusal(referee, "warrants king king thief", "magistrate.twice")
    expect_refusal(referee, "warrants king queen thief", "magistrate.not_in_cast")
    referee.play("warrants king thief bishop")
    assert views.table_json(referee.table)["warrants"] == ["thief", "king", "bishop"]
    expect_refusal(referee, "warrants king thief merchant", "power.done")
    expect_refusal(referee, "signed merchant", "magistrate.no_such_warrant")
    referee.play("signed bishop")
    expect_refusal(referee, "signed king", "power.done")


def test_a_district_is_confiscated_and_the_gold_comes_back() -> None:
    referee = warranted(signed="king", players={"Anna": {"gold": 5, "hand": 2}})
    referee.play("build palace")
    assert views.table_json(referee.table)["awaiting"] == {"player": "Ben", "question": "warrant"}
    assert texts(referee) == ["confiscate", "spare"]
    expect_refusal(referee, "end", "phase.answer")
    referee.play("confiscate")
    assert (city(referee), city(referee, 3), gold(referee)) == ([], ["palace"], [5, 2, 2, 2])
    assert hands(referee)[0] == 1
    expect_refusal(referee, "build temple", "build.limit")  # it still counts as built
    assert views.table_json(referee.table)["turn"]["built"] == ["palace"]


def test_without_cities_a_district_is_confiscated_only_if_it_was_paid() -> None:
    light: dict[str, Any] = {"options": {"cities": "untracked"}, "players": {"Anna": {"gold": 5}}}
    free = warranted(**light)
    free.play("build 0")
    assert free.table.phase == "turn"
    new_referee = warranted(**light)
    new_referee.play("build 1")
    assert new_referee.table.phase == "answer"
    new_referee.play("confiscate")
    assert gold(new_referee) == [5, 2, 2, 2]


def test_the_district_is_nobodys_until_the_magistrate_has_answered() -> None:
    six = ["temple", "church", "tavern", "market", "docks", "watchtower"]
    referee = warranted(players={"Anna": {"gold": 9, "city": six}})
    referee.play("build palace")
    state = views.table_json(referee.table)
    assert state["players"]["Anna"]["city"] == six
    assert (state["players"]["Anna"]["complete"], state["first_complete"]) == (False, [])
    referee.play("spare")
    state = views.table_json(referee.table)
    assert (state["players"]["Anna"]["complete"], state["first_complete"]) == (True, ["Anna"])


def test_a_warrant_known_to_be_unsigned_cannot_be_shown() -> None:
    referee = play(warranted(signed="thief"), "build temple")
    expect_refusal(referee, "confiscate", "magistrate.unsigned")
    assert texts(referee) == ["spare"]
    referee.play("spare")
    assert city(referee) == ["temple"]


def test_the_magistrate_is_asked_once_and_after_the_signed_one_nobody_else() -> None:
    new_referee = warranted("architect", players={"Anna": {"gold": 9}})
    play(new_referee, "build temple", "spare", "build tavern")
    assert new_referee.table.phase == "turn"
    assert new_referee.table.marks.settled == {"architect"}
    view = warranted("king", players={"Kurt": {"gold": 9}})
    play(view, "build temple", "confiscate", "end", "nobody", "nobody", "reveal Kurt", "gold")
    assert play(view, "build tavern").table.phase == "turn"


def test_a_district_that_the_magistrate_has_cannot_be_confiscated() -> None:
    referee = play(warranted(players={"Ben": {"city": ["temple"]}}), "build temple")
    expect_refusal(referee, "confiscate", "magistrate.duplicate")
    referee.play("spare")


def test_the_magistrate_cannot_confiscate_what_he_could_not_build() -> None:
    five = ["temple", "church", "tavern", "market", "docks"]
    districts = ["monument", *DELUXE_UNIQUES[:-1]]
    players = {"Anna": {"gold": 9}, "Ben": {"city": five}}
    referee = play(warranted(players=players, districts=districts), "build monument")
    expect_refusal(referee, "confiscate", "magistrate.city_full")
    assert texts(referee) == ["spare"]


def test_what_all_can_see_refuses_before_the_secret_does() -> None:
    players = {"Ben": {"city": ["temple"]}}
    for signature in ("king", "thief"):
        referee = play(warranted(signed=signature, players=players), "build temple")
        expect_refusal(referee, "confiscate", "magistrate.duplicate")


def test_only_what_is_paid_for_can_be_confiscated() -> None:
    players = {"Anna": {"gold": 9, "city": ["framework", "tavern"]}}
    for build in ("build palace over framework", "build necropolis over tavern"):
        referee = warranted("architect", players=players)
        assert play(referee, build).table.phase == "turn"
        assert play(referee, "build temple").table.phase == "answer"


def test_a_confiscated_den_gives_back_only_the_gold() -> None:
    districts = ["thieves_den", *DELUXE_UNIQUES[:-1]]
    referee = warranted(players={"Anna": {"gold": 4, "hand": 4}}, districts=districts)
    play(referee, "build thieves_den cards 2", "confiscate")
    assert (gold(referee)[0], hands(referee)[0]) == (4, 1)


def test_the_magistrate_is_not_asked_about_his_own_second_character() -> None:
    referee = table("magistrate", size=2, warrants=WARRANTS, revealed={"Anna": ["magistrate"]},
                    turn={"player": "Anna", "character": "king", "gathered": True})  # fmt: skip
    assert play(referee, "build temple").table.phase == "turn"


def test_the_magistrate_pays_the_tax_of_what_he_takes() -> None:
    part = warranted(others=("tax_collector",))
    play(part, "build temple", "confiscate")
    assert (gold(part), part.table.tax) == ([2, 2, 2, 1], 1)
    left = warranted(others=("tax_collector",))
    play(left, "build temple", "spare")
    assert (gold(left), left.table.tax) == ([0, 2, 2, 2], 1)


def test_the_magistrate_takes_what_the_wizard_builds_at_once() -> None:
    referee = warranted("wizard", warrants=["thief", "wizard", "king"])
    play(referee, "take Kurt temple", "confiscate")
    assert (hands(referee)[:2], gold(referee)[0], city(referee, 3)) == ([4, 3], 2, ["temple"])
    assert play(referee, "build tavern").table.phase == "turn"


def test_the_alchemist_is_not_refunded_twice_for_what_was_confiscated() -> None:
    referee = warranted("alchemist", warrants=["king", "alchemist", "thief"],
                        players={"Anna": {"gold": 5}})  # fmt: skip
    play(referee, "build palace", "confiscate", "end")
    assert gold(referee)[0] == 5


def test_a_confiscated_district_may_complete_the_magistrates_city() -> None:
    players = {"Ben": {"city": SEVEN[:6]}, "Anna": {"gold": 5}}
    referee = play(warranted(players=players), "build palace", "confiscate")
    assert referee.table.first_complete == (3,)


def test_a_position_after_a_warrant_was_answered() -> None:
    ways = [{"Anna": {"city": ["manor"]}}, {"Ben": {"city": ["manor"]}}]  # spared, confiscated
    for players in ways:
        referee = warranted(
            "architect", players=players, settled=["architect"], turn={"built": ["manor"]}
        )
        assert play(referee, "build temple").table.phase == "turn"


def test_a_position_in_the_turn_of_who_laid_markers_knows_that_they_lie() -> None:
    referee = turn_of("magistrate", warrants=WARRANTS, signed="king", turn={"gathered": True})
    assert texts(referee) == ["build temple", "build church", "build tavern", "build market",
                              "build trading_post", "build watchtower", "build prison",
                              "build haunted_quarter", "end"]  # fmt: skip
    expect_refusal(referee, "signed thief", "power.done")
