"""Typing at a real terminal: editing, letters of all scripts, keys without text, end of input."""

from __future__ import annotations

import os
import signal
import struct
import termios
from fcntl import ioctl

import pytest

from tests.companion.listening import NEW
from tests.end_to_end.typing import start_at_terminal

pytestmark = pytest.mark.outer


@pytest.mark.parametrize(
    "keys", ["statuz\x7fs\r", "moves\x15status\r", "taps \x17status\n", "\x1b[Asta\x1b[Dtus\r"]
)
def test_a_line_can_be_mended(keys: str) -> None:
    with start_at_terminal(*NEW) as typist:
        typist.keys(keys)
        assert "Anna: 2 gold, 4 cards" in typist.hear("Ben: ")


def test_a_paste_is_read_line_by_line() -> None:
    with start_at_terminal(*NEW) as typist:
        typist.keys("\x1b[200~faceup bishop merchant\ncall\n\x1b[201~")
        typist.see("Who is the Assassin?")
        assert "faceup bishop merchant\n" in typist.screen
        assert "call\n" in typist.screen


def test_a_question_stands_before_the_cursor_and_a_refusal_begins_with_its_reason() -> None:
    with start_at_terminal(*NEW) as typist:
        assert typist.screen.endswith("\nKurt. Discard 2 characters face up. ")
        assert typist.type("faceup bishop merchant").endswith("\nHas everybody chosen? ")
        typist.type("call")
        typist.type("kurt")
        assert typist.type("gold").endswith("gold\nKurt. Build, murder or end? ")
        answer = typist.type("palace")
        assert answer.splitlines()[1].startswith("The Palace costs 5 gold, but Kurt has only")
        assert typist.type("status").endswith("\nKurt. Build, murder or end? ")
        assert typist.type("kill king").endswith("\nKurt murders the King.\nBuild or end? ")


def test_lines_are_broken_at_words() -> None:
    with start_at_terminal(*NEW) as typist:
        typist.type("rules", "Kurt. Discard")
        assert max(len(line) for line in typist.screen.splitlines()) < 80
        assert "\n".join(typist.screen.splitlines()).count("\n") > 10


def test_names_in_any_letters_are_typed_and_taken_back() -> None:
    with start_at_terminal("--new", greeted="Who plays?") as typist:
        typist.keys("Анна, Zoé, 王さ\x7f, Beп\x7fn\r")
        typist.see("Who starts with the crown?")
        typist.see("4: Ben")
        assert "Анна" in typist.screen
        assert "3: 王\n" in typist.screen


def test_bytes_that_are_no_text_are_told_and_change_nothing() -> None:
    with start_at_terminal(*NEW) as typist:
        typist.keys(b"\xff\xfe call\r")
        typist.hear("That line can't be read")


def test_a_line_without_end_is_bounded() -> None:
    with start_at_terminal(*NEW) as typist:
        for _ in range(20):
            typist.keys("card " * 200)
        typist.keys("\r")
        text = typist.hear("No card in this game")
        assert len(text) < 5000
        typist.type("status", "Ben: 2 gold")


def test_a_window_of_another_size_changes_nothing() -> None:
    with start_at_terminal(*NEW, env={"TERM": "dumb"}) as typist:
        typist.keys("sta")
        typist.see("sta")
        ioctl(typist.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 30, 0, 0))
        assert typist.type("tus", "Ben: ").startswith("status\n")


STATES: dict[str, dict[str, str]] = {
    "at the start": {},
    "in a private moment": {"faceup bishop merchant": "chosen?", "choose Anna": "in private"},
    "while a list is open": {"moves": "8: Warlord"},
    "while a line is half typed": {},
    "after a refusal": {"build castle": "The characters are still being chosen"},
}


@pytest.mark.parametrize("state", STATES)
def test_the_end_of_the_input_ends_it_in_every_state(state: str) -> None:
    with start_at_terminal(*NEW) as typist:
        for line, answer in STATES[state].items():
            typist.type(line, answer)
        typist.keys("mov\x04" if "half" in state else "\x04")
        assert typist.wait_for_end() == 0
        assert typist.echoes


@pytest.mark.parametrize("words", [("--new",), ()])
def test_the_end_of_the_input_ends_the_questions_before_a_game(words: tuple[str, ...]) -> None:
    with start_at_terminal(*words, greeted="Who plays?") as typist:
        typist.keys("\x04")
        assert typist.wait_for_end() == 0


@pytest.mark.parametrize("way", ["the end of the input", "an interrupt"])
def test_who_leaves_hears_that_the_game_is_saved_and_may_go_on_later(way: str) -> None:
    with start_at_terminal(*NEW) as typist:
        if way == "an interrupt":
            typist.process.send_signal(signal.SIGINT)
        else:
            typist.keys("\x04")
        typist.see("\nThe game is saved.\n")
        typist.wait_for_end()
    with start_at_terminal(greeted="Continue it?") as typist:
        *game, turn, question = typist.screen.splitlines()
        assert " is not finished: Citadels Classic (2016), Anna, Kurt, Ashley" in game[0]
        assert turn.startswith("Round 1, Kurt to play; last played ")
        assert question == "Continue it? yes or no; Enter: yes. "


def test_a_terminal_that_goes_away_ends_it() -> None:
    with start_at_terminal(*NEW) as typist:
        typist.type("faceup bishop merchant")
        spare = os.dup(typist.master)
        os.close(typist.master)
        os.close(spare)
        typist.process.wait(60)
        typist.master = os.open(os.devnull, os.O_RDONLY)
