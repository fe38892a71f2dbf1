"""The line caller has a command for every action of the full screen's keys."""

from __future__ import annotations

import pytest

from companion.chips.entries import CALLER_ACTIONS
from companion.extending import list_words
from companion.game import commands, questions
from companion.game.keypad import KEYPAD
from companion.plain.caller import OPERATIONS
from companion.settings.keys import ACTIONS, list_usual
from tests.companion.listening import Listener

IN_LINES = {
    "undo": "undo",
    "redo": "redo",
    "why": "why",
    "help": "help",
    "scores": "score",
    "card_texts": "card king",
    "cities": "cities",
    "journal": "history",
    "rules": "rules",
    "teach": "teach",
    "look": "look",
    "mine": "mine",
    "voice": "voice on",
    "faster": "faster",
    "slower": "slower",
    "repeat": "repeat",
    "language": "language fr",
    "tray": "tap king",
    "phones": "phones",
    "put_out": "phones out",
    "learn": "learn king",
    "line": "moves",
    "leave": "quit",
    "new_game": "new",
}
"""The full screen's actions, with the line caller's commands."""

ONLY_TO_BE_SEEN = {"large", "theme"}


def test_every_action_of_the_full_screen_has_its_line() -> None:
    assert set(IN_LINES) == set(ACTIONS) - ONLY_TO_BE_SEEN
    assert set(list_usual()) - set(ACTIONS) <= set(list_words())


WORDS = {*commands.COMMANDS, *list_words(), *questions.QUESTIONS, *OPERATIONS}


@pytest.mark.parametrize("line", [*IN_LINES.values(), "hush", "games", "open x", "reference 1"])
def test_the_line_is_a_command(line: str) -> None:
    assert line.partition(" ")[0] in WORDS


@pytest.mark.parametrize("word", [*CALLER_ACTIONS, *KEYPAD.values()])
def test_every_word_of_the_chips_and_the_keypad_is_answered(word: str) -> None:
    assert word.isdecimal() or word.partition(" ")[0] in WORDS


@pytest.mark.outer
def test_another_game_is_begun_and_the_first_one_opened_again() -> None:
    with Listener() as caller:
        name = caller.hear()[0].removeprefix("Game ").removesuffix(".")
        caller.tell("faceup bishop merchant")
        for answer in ("new", "Zoe, Max, Li, Jo", ""):
            caller.type(answer)
        names = caller.hear()
        assert any(line.startswith("Game ") and name not in line for line in names)
        assert names[-1] == "Zoe. Discard 2 characters face up."
        assert caller.tell("games")[0] == "2 saved games."
        assert caller.tell("open nothing")[0].startswith("Refused: No saved game is called nothing")
        again = caller.tell(f"open {name}")
        assert again[-1] == "Has everybody chosen?"
        assert caller.tell("language fr")[0] == "Langue\N{NO-BREAK SPACE}: français."
        assert caller.leave() == 0


@pytest.mark.outer
def test_names_typed_after_a_number_of_players_take_their_seats() -> None:
    with Listener(new=False) as caller:
        for line in ("3", "Anna", "Kurt Zoé", "Ben", ""):
            caller.type(line)
        lines = caller.hear()
        assert [line for line in lines if "players: " in line] == [
            "3 players: Player 1, Player 2 and Player 3.",
            "3 players: Anna, Player 2 and Player 3.",
            "3 players: Anna, Kurt and Zoé.",
            "4 players: Anna, Kurt, Zoé and Ben.",
        ]
        # the choices are not read out again for each name, only once there is another one
        assert [line for line in lines if line.startswith("1: ")] == ["1: Player 1", "1: Anna"]
        assert caller.leave() == 0


@pytest.mark.outer
def test_the_questions_go_back_and_change_what_is_played() -> None:
    with Listener(new=False) as caller:
        for line in ("3", "back", "4", "5", "1", "7", "", "2"):
            caller.type(line)
        lines = caller.hear()
        assert lines.count("3 players: Player 1, Player 2 and Player 3.") == 1
        assert lines.count("4 players: Player 1, Player 2, Player 3 and Player 4.") == 1
        assert "no choice" not in " ".join(lines)
        assert any(line.startswith("Citadels (2016), 4 players") for line in lines), lines[-12:]
        assert lines[-1].startswith("Player 2. ")
        assert caller.leave() == 0
