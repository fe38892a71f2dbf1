"""Rows that make several moves with one key."""

from __future__ import annotations

import pytest

from companion.game.shortcuts import END_ANYWAY, SEVERAL
from tests.companion.talking import Begin, Talk

CALLED = "faceup thief bishop; call"


def list_shortcuts(talk: Talk) -> dict[str, str]:
    return {row.key: row.label for row in talk.offer.rows if row.word.startswith(SEVERAL)}


def test_no_key_goes_on_with_the_turn_of_another_player(begin: Begin) -> None:
    cast = ("witch", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
    moves = "reveal Kurt; gold; bewitch king; nobody; nobody; reveal Anna"
    talk = begin(f"{CALLED}; {moves}", edition="deluxe_2016", characters=cast)
    assert list_shortcuts(talk) == {}
    talk.keys("g")
    assert talk.session.view.acting.name == "Kurt"


def test_the_start_of_a_label_means_the_gathering_alone(begin: Begin) -> None:
    talk = begin(AT_ANNA)
    talk.line("take 2")
    assert talk.moves()[-1] == "gold"


@pytest.mark.parametrize("line", [f"{SEVERAL} gold; end", END_ANYWAY])
def test_nobody_can_type_what_a_row_does(begin: Begin, line: str) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna")
    before = talk.moves()
    assert talk.line(line)[0] == f"I don't understand “{line}”."
    assert talk.moves() == before


AT_ANNA = f"{CALLED}; nobody; nobody; nobody; reveal Anna"


def test_a_number_that_no_row_has_is_refused_as_a_whole(begin: Begin) -> None:
    talk = begin(f"{AT_ANNA}; gold")
    assert talk.keys("19") == ["There is no choice 19 now."]


def test_the_second_digit_of_a_district_is_no_other_answer(begin: Begin) -> None:
    talk = begin(AT_ANNA)
    before = talk.moves()
    assert talk.keys("3 1") == ["Anna must take gold or cards first.", "There is no choice 31 now."]
    assert talk.moves() == before
    talk.keys("1 1 1")
    assert talk.moves()[-2:] == ["gold", "build manor"]
    before = talk.moves()
    talk.keys("3 9")
    assert talk.moves() == before
    talk.keys("3")
    talk.conversation.press("escape")
    talk.keys("8")
    assert "income" in talk.moves()


def test_a_program_names_the_gathering_itself(begin: Begin) -> None:
    talk = begin(AT_ANNA, people=False)
    for line in ("manor", "42"):
        talk.line(line)
    assert talk.moves()[-1] == "reveal Anna"
