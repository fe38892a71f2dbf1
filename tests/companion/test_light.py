"""Light mode in lines: what is named or tapped is built for its price; the word that chooses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.companion.listening import NAMES, Listener, companion

pytestmark = pytest.mark.outer

ROUND = ("faceup bishop merchant", "call", "reveal Anna", "kill architect", "gold")


def test_a_district_that_is_tapped_or_named_is_built_for_its_price(home: Path) -> None:
    with Listener("--light", reader="simulated") as caller:
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
