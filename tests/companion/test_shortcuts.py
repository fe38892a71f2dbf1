"""Rows that make several moves with one key, and answers that make the call before them."""

from __future__ import annotations

import pytest

from companion.game.shortcuts import END_ANYWAY, SEVERAL
from tests.companion.talking import Begin, Talk

CALLED = "faceup thief bishop; call"
CHOSEN = "faceup bishop merchant"


def list_shortcuts(talk: Talk) -> dict[str, str]:
    return {row.key: row.label for row in talk.offer.rows if row.word.startswith(SEVERAL)}


def test_gathering_and_the_end_is_one_key(begin: Begin) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna")
    assert list_shortcuts(talk) == {
        "e": "Take 2 gold, then end the turn",
        "d": "Draw 2 cards, keep 1, then end the turn",
    }
    talk.keys("e")
    assert talk.moves()[-3:] == ["gold", "end", "nobody"]


def test_the_income_and_the_bonus_come_with_the_gathering(begin: Begin) -> None:
    ranks = "; ".join(["nobody"] * 5)
    first = (
        f"{CALLED}; {ranks}; reveal Kurt; gold; build tavern; income; bonus; end; nobody; nobody"
    )
    talk = begin(f"{first}; faceup thief bishop; call; {ranks}; reveal Kurt")
    assert list_shortcuts(talk)["f"] == "Take 2 gold, and the rest: 2 gold"
    assert list_shortcuts(talk)["d"] == (
        "Draw 2 cards, keep 1, and the rest: 2 gold, then end the turn"
    )
    talk.keys("f")
    assert talk.moves()[-3:] == ["gold", "income", "bonus"]
    assert talk.session.view.turn is not None
    for undone in ("bonus", "income", "gold"):
        assert talk.moves()[-1] == undone
        talk.line("undo")
    talk.line("92")
    assert talk.moves()[-4:] == ["cards", "income", "bonus", "end"]


@pytest.mark.parametrize("moves", ["reveal Kurt", "nobody; reveal Kurt"])
def test_no_key_ends_a_turn_whose_power_would_be_lost(begin: Begin, moves: str) -> None:
    talk = begin(f"{CHOSEN}; call; {moves}")
    assert list_shortcuts(talk) == {}
    assert talk.keys("e") == ["Kurt must take gold or cards before ending the turn."]


def test_a_program_is_offered_single_moves(begin: Begin) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna", people=False)
    assert list_shortcuts(talk) == {}


def test_who_answers_makes_the_call(begin: Begin) -> None:
    talk = begin(CHOSEN)
    talk.keys("3")
    assert talk.moves()[-2:] == ["call", "reveal Ashley"]
    talk.line("undo")
    talk.line("undo")
    talk.keys("n")
    assert talk.moves()[-2:] == ["call", "nobody"]


def test_the_answer_is_about_the_first_rank_that_can_be_answered(begin: Begin) -> None:
    talk = begin("faceup assassin merchant")
    talk.keys("2")
    assert talk.moves()[-3:] == ["call", "nobody", "reveal Kurt"]
    assert talk.session.view.playing.character == "thief"


def test_no_call_is_answered_before_the_cards_lie_face_up(begin: Begin) -> None:
    talk = begin("")
    talk.keys("n")
    talk.keys("1 9")
    assert "call" not in talk.moves()


def test_a_seat_that_nobody_has_makes_no_call(begin: Begin) -> None:
    talk = begin(CHOSEN)
    assert talk.keys("5") == ["There is no choice 5 now."]
    assert talk.moves() == [CHOSEN]


def test_no_key_goes_on_with_the_turn_of_another_player(begin: Begin) -> None:
    cast = ("witch", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
    moves = "reveal Kurt; gold; bewitch king; nobody; nobody; reveal Anna"
    talk = begin(f"{CALLED}; {moves}", edition="deluxe_2016", characters=cast)
    assert list_shortcuts(talk) == {}
    talk.keys("g")
    assert talk.session.view.acting.name == "Kurt"


def test_an_answer_does_not_make_the_steps_that_are_asked_for(begin: Begin) -> None:
    talk = begin("faceup assassin merchant", forced=False)
    assert talk.keys("2") == ["There is no choice 2 now."]
    talk.keys("n")
    assert talk.moves()[-2:] == ["call", "nobody"]


def test_a_number_that_is_begun_and_no_choice_is_refused(begin: Begin) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna")
    assert talk.keys("9 enter") == ["There is no choice 9 now."]


def test_the_start_of_a_label_means_the_gathering_alone(begin: Begin) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna")
    talk.line("take 2")
    assert talk.moves()[-1] == "gold"
    talk.line("undo")
    talk.line("take 2 gold, then end the turn")
    assert talk.moves()[-3:] == ["gold", "end", "nobody"]


@pytest.mark.parametrize("line", [f"{SEVERAL} gold; end", END_ANYWAY])
def test_nobody_can_type_what_a_row_does(begin: Begin, line: str) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna")
    before = talk.moves()
    assert talk.line(line)[0] == f"I don't understand “{line}”."
    assert talk.moves() == before


AT_ANNA = f"{CALLED}; nobody; nobody; nobody; reveal Anna"


def test_the_number_of_a_district_takes_gold_and_builds_it(begin: Begin) -> None:
    talk = begin(AT_ANNA)
    talk.keys("4")
    assert [row.label for row in talk.conversation.asked.visible if row.why is None] == [
        "Take gold, then build: Watchtower, 1",
        "Take gold, then build: Prison, 2",
        "Take gold, then build: Barracks, 3",
    ]
    talk.keys("1")
    assert talk.moves()[-4:] == ["gold", "build watchtower", "end", "nobody"]
    talk.line("undo")
    assert talk.moves()[-1] == "gold"


def test_before_gathering_1_and_2_are_gold_and_cards_alone(begin: Begin) -> None:
    for key, move in (("1", "gold"), ("2", "cards")):
        talk = begin(AT_ANNA)
        talk.keys(key)
        assert talk.moves()[-1] == move


@pytest.mark.parametrize(
    ("lines", "built"), [(("manor",), "manor"), (("4", "2"), "prison"), (("42",), "prison")]
)
def test_a_line_names_the_district_that_gold_builds(
    begin: Begin, lines: tuple[str, ...], built: str
) -> None:
    talk = begin(AT_ANNA)
    for line in lines:
        talk.line(line)
    assert f"reveal Anna; gold; build {built}" in "; ".join(talk.moves())


def test_what_gold_does_not_pay_says_what_it_costs(begin: Begin) -> None:
    talk = begin(AT_ANNA)
    for line in ("36", "palace"):
        said = talk.line(line)
        assert "but Anna has only 4 gold." in said[0]
        assert talk.moves()[-1] == "reveal Anna"


def test_a_number_that_no_row_has_is_refused_as_a_whole(begin: Begin) -> None:
    talk = begin(f"{AT_ANNA}; gold")
    assert talk.keys("19") == ["There is no choice 19 now."]


def test_a_program_names_the_gathering_itself(begin: Begin) -> None:
    talk = begin(AT_ANNA, people=False)
    for line in ("manor", "42"):
        talk.line(line)
    assert talk.moves()[-1] == "reveal Anna"
