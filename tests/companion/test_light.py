"""Light mode by typed lines, taps and commands: gold by its amount, cities counted at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.companion.listening import NAMES, Listener, companion, complaints

pytestmark = pytest.mark.outer

ROUND = ("faceup bishop merchant", "call", "reveal Anna", "kill architect", "gold")
TO_THE_END = ("complete Anna", "end", *["nobody"] * 7)


@pytest.fixture
def light(home: Path) -> Listener:
    return Listener("--light", reader="simulated")


def test_a_turn_asks_amounts_and_nothing_about_cities(light: Listener) -> None:
    with light as caller:
        caller.hear()
        caller.tell_all(*ROUND)
        assert caller.tell("build 3")[0] == "Anna builds a district for 3 gold."
        assert caller.tell("gain 2")[0] == "Anna gains 2 gold."
        assert caller.tell("pay to Ben 1")[0] == "Anna pays 1 gold to Ben."
        assert caller.tell("pay Kurt 1")[0] == "Kurt pays 1 gold."
        assert caller.tell("status")[:4] == [
            "Anna: 2 gold.", "Kurt: 1 gold.", "Ashley: 2 gold.", "Ben: 3 gold.",
        ]  # fmt: skip
        assert caller.tell("city Ben")[0] == "Ben's city is counted after the last round."
        assert "There are no scores until" in caller.tell("score")[1]
        names = caller.tell("moves")
        assert any(line.endswith(": Pay gold") for line in names), names
        assert complaints(caller.transcript) == []
        assert caller.leave() == 0


def test_an_income_is_asked_for_in_gold_alone(light: Listener) -> None:
    with light as caller:
        caller.hear()
        caller.tell_all("faceup bishop merchant", "call", *["nobody"] * 3, "reveal Ben")
        assert "8: Take the income" in caller.tell("moves")
        assert caller.tell("8")[-1] == "Ben. How much gold do you take as income?"
        assert caller.tell("3")[0] == "Ben takes the income: 3 gold."
        assert caller.leave() == 0


def test_a_district_that_is_tapped_or_named_is_built_for_its_price(light: Listener) -> None:
    with light as caller:
        caller.hear()
        caller.tell_all(*ROUND)
        assert caller.tell("tap manor")[0] == "Anna builds a district for 3 gold."
        caller.tell("undo")
        assert caller.tell("b tavern")[0] == "Anna builds a district for 1 gold."
        text = caller.tell("build temple")[0]
        assert text.startswith("Refused: Anna has already built 1")
        assert any("(build.limit)" in line for line in caller.tell("why"))
        caller.leave()
    assert "- build 1" in companion("record").stdout


def test_what_needs_a_city_is_refused_with_what_to_say_instead(light: Listener) -> None:
    with light as caller:
        caller.hear()
        caller.tell_all("faceup bishop merchant", "call", *["nobody"] * 7, "reveal Ben", "gold")
        text = caller.tell("destroy Anna temple")[0]
        assert "say only what is paid or gained." in text
        caller.leave()


def test_the_cities_are_typed_and_tapped_and_then_scored(light: Listener) -> None:
    with light as caller:
        caller.hear()
        lines = caller.tell_all(*ROUND, *TO_THE_END)
        assert "The last round is over. Now the cities are counted." in lines
        assert lines[-1].startswith("Kurt. Which districts are in your city?")
        assert caller.tell("tap temple")[0] == "Kurt's city: Temple; 1 district so far."
        assert caller.tell("tap manor")[0] == "Kurt's city: Manor; 2 districts so far."
        assert caller.tell("city Kurt temple")[0].startswith("Refused: No city in this game")
        assert caller.tell("undo")[0].startswith("Undone: Kurt's city: Manor")
        assert caller.tell("counted")[0] == "Kurt's city is counted."
        caller.tell("city Anna keep tavern market trading_post docks harbor town_hall")
        assert caller.tell("city Anna")[0] == "Anna's city: 7 of 7 districts."
        caller.tell_all("counted", "counted")
        over = caller.tell("counted")
        assert over[-1] == "The game is over."
        assert "Anna: 24 points." in over
        assert complaints(caller.transcript) == []
        assert caller.leave() == 0
    score = json.loads(companion("score", "--json").stdout)
    assert score["final"]
    assert score["winners"] == ["Anna"]
    assert score["players"]["Anna"]["complete"] == 4
    assert score["players"]["Kurt"]["total"] == 1


def test_what_a_score_depends_on_is_asked(home: Path) -> None:
    """Whether a first city lost districts, and when a Haunted Quarter was built."""
    options = ("--edition", "ffg_2005", "--option", "city_size=6")
    with Listener("--light", *options, reader="simulated") as caller:
        caller.hear()
        caller.tell_all("faceup bishop merchant", "call", *["nobody"] * 7, "reveal Anna", "gold")
        caller.tell_all("complete Anna", "end", "city Anna temple tavern keep watchtower")
        while "Anna" not in (line := caller.tell("status")[-1]):
            caller.tell("counted")
        assert line == "Anna. Which districts are in your city?"
        assert caller.tell("counted") == [
            "Anna's city: 4 districts.",
            "Anna. Your city was complete first, but has 4 districts. Right?",
        ]
        assert caller.tell("5")[0] == "Anna names more districts."
        assert caller.tell("tap market")[0].startswith("Anna's city: Market")
        caller.tell("tap haunted_quarter")
        question = "Anna. Was your Haunted City built in the last round?"
        assert caller.tell("counted") == ["Anna's city is counted.", question]
        assert caller.tell("5")[0] == "Anna's Haunted City was built before the last round."
        assert caller.tell("undo")[-1] == question
        assert caller.tell("late")[0] == "Anna's Haunted City was built in the last round."
        assert complaints(caller.transcript) == []
        caller.leave()


def test_a_tie_is_broken_by_any_rank_of_the_box(home: Path) -> None:
    with Listener("--edition", "deluxe_2016", "--option", "cities=counted") as caller:
        caller.hear()
        caller.tell_all("counted", "counted", "counted")
        assert caller.tell("counted")[-1] == "Anna. A tie! Who was your last character?"
        assert caller.tell("count 9")[0] == "Anna: Queen, Artist or Tax Collector."
        caller.leave()


def test_it_is_chosen_by_a_word_at_the_set_up(home: Path) -> None:
    result = companion("play", "--plain", "--reader", "none", stdin=f"light\n{NAMES}\n\n\nrules\n")
    assert (
        "Light: you enter each amount of gold, and the cities are counted at the end."
        in result.stdout
    )
    assert "What does the companion keep track of? Gold only" in result.stdout
    assert result.returncode == 0
