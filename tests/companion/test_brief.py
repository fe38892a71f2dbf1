"""The line caller's output for people: one line per answer, the question last and once."""

from __future__ import annotations

import pytest

from tests.companion.listening import Listener

pytestmark = pytest.mark.outer

PEOPLE = {"COMPANION_FORCED": "play"}  # as at a terminal
CALLED = ("faceup bishop merchant", "call", "reveal Anna", "kill king", "gold", "end")
RANK_7 = (*CALLED, "nobody", "nobody")


def heard(*lines: str, env: dict[str, str] = PEOPLE) -> list[str]:
    """All output for these lines."""
    with Listener(env=env) as caller:
        for line in lines:
            caller.type(line)
        assert caller.leave() == 0
        start = next(
            n for n, line in enumerate(caller.transcript) if line.startswith("Kurt. Discard")
        )
        return caller.transcript[start + 1 :]


def test_what_is_typed_is_not_said_back_where_the_next_question_shows_it() -> None:
    assert heard(*CALLED) == [
        "Has everybody chosen?",
        "Rank 1. Who is the Assassin?",
        "Anna. Gold or cards?",
        "Anna murders the King.",
        "Anna. Build or end?",
        "Rank 2. Who is the Thief?",
    ]


def test_steps_that_leave_no_choice_are_told_in_the_same_line() -> None:
    assert heard(*RANK_7)[-1] == (
        "The King was murdered. The Bishop is face up. The Merchant is face up. "
        "Rank 7. Who is the Architect?"
    )


def test_a_number_is_answered_with_what_it_did() -> None:
    assert heard(*CALLED[:3], "1")[-1] == "Anna takes 2 gold. Build, murder or end?"


def test_a_question_is_asked_again_by_enter_alone_but_not_after_every_answer() -> None:
    lines = heard(*CALLED[:2], "who", "", "")
    assert lines[-2:] == ["Rank 1. Who is the Assassin?"] * 2
    assert lines.count("Rank 1. Who is the Assassin?") == 3


def test_a_refusal_is_its_reason_and_why_tells_the_rule() -> None:
    lines = heard(*CALLED[:3], "build temple", "why", env={})
    assert not [line for line in lines if line.startswith("Refused") and "(" in line]
    assert [line for line in lines if line.startswith("Source: ")]


@pytest.mark.parametrize("line", ["nobody", "unmask nobody", "n", "Kurt"])
def test_who_had_the_murdered_character_takes_nobody_and_a_name(line: str) -> None:
    lines = heard(*RANK_7, "nobody", "nobody", line)
    assert lines[-2].endswith("Who had the murdered King?")
    assert "Round 2." in lines[-1]


def test_the_keypad_says_its_keys_as_words_and_asks_for_the_round() -> None:
    lines = heard(*CALLED, "*0", "**", "*+", env={})
    assert any(line.startswith("minus: ") for line in lines)
    assert not [line for line in lines if line.startswith(("-", "*", "+", "/", "."))]
    assert any(line.startswith("Round 1: 1 Assassin, Anna; ") for line in lines)
    assert "Assassin: Anna." in lines


def test_the_questions_before_a_game_understand_help_language_and_names_with_spaces() -> None:
    with Listener(new=False) as caller:
        for line in (
            "help",
            "language fr",
            "aide",
            "langue en",
            'Anna Kurt "Mary Ann"',
            "",
            "quit",
        ):
            caller.type(line)
        assert caller.leave() == 0
        transcript = caller.transcript
    assert "back: the previous question. quit, or Ctrl+D: leave." in transcript
    assert any(line.startswith("Qui joue") for line in transcript)
    assert "3 players: Anna, Kurt and Mary Ann." in transcript
    assert any("Mary Ann" in line for line in transcript)


@pytest.mark.parametrize("word", ["quit", "exit"])
def test_leaving_is_understood_before_a_game(word: str) -> None:
    with Listener(new=False) as caller:
        caller.type(word)
        assert caller.process.wait(60) == 0


def test_another_game_asks_its_first_question_even_if_it_is_the_same() -> None:
    lines = heard("rematch")
    assert lines[-1] == "Kurt. Discard 2 characters face up."
    assert any(line.startswith("Game ") for line in lines)
