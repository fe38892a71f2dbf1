"""Private input at a real terminal: not shown, and no trace of it."""

from __future__ import annotations

import os
import signal
import termios

import pytest

from tests.companion.listening import NEW
from tests.end_to_end.typing import start_at_terminal
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

SECRET = (*NEW, "--secrecy", "secret")
KILLING = ("faceup bishop merchant", "call", "reveal Anna")
NAMED = "Anna has named a character."
PRIVATE = "Anna is choosing in private"
RECORDED = "Anna has chosen a character."


def test_a_secret_target_is_never_shown() -> None:
    with start_at_terminal(*SECRET) as typist:
        for line in KILLING:
            assert typist.type(line).startswith(f"{line}\n")
        text = typist.type("kill warlord", NAMED)
        assert text.startswith("\n")
        assert "warlord" not in text.casefold()
        assert NAMED in text
        assert typist.type("gold").startswith("gold\n")
        typist.type("end")
        typist.type("reveal Ben")
        text = typist.type("rob architec", "Ben has named a character.")
        assert "architec" not in text.casefold()


def test_a_choice_typed_unseen_is_played() -> None:
    with start_at_terminal(*NEW) as typist:
        typist.type("faceup bishop merchant")
        text = typist.type("choose Anna king", RECORDED)
        assert "king" not in text.casefold()
        assert RECORDED in text


def test_nothing_is_shown_in_a_private_moment() -> None:
    with start_at_terminal(*NEW) as typist:
        typist.type("faceup bishop merchant")
        typist.type("choose Anna", PRIVATE)
        text = typist.type("4", RECORDED)
        assert "4" not in text
        assert RECORDED in text


@pytest.mark.parametrize("line", ["kill warlord", "tuer condottiere", "klil warlord", "warlord"])
def test_of_a_line_that_may_be_private_nothing_is_shown(line: str) -> None:
    with start_at_terminal(*SECRET) as typist:
        for public in KILLING:
            typist.type(public)
        typist.keys(line)
        typist.keys("\x15gold")  # the whole line deleted
        typist.see("gold")
        typist.keys("\n")
        text = typist.hear()
        assert text.startswith("gold\n")


def test_lines_typed_ahead_are_shown_by_what_was_answered_before_them() -> None:
    with start_at_terminal(*NEW) as typist:
        typist.keys("faceup bishop merchant\nchoose Anna\nking\ncall\n")
        typist.see("Who is the Assassin?")
        assert "king" not in typist.screen.casefold().partition("private")[2].partition("4: ")[0]
        assert "\nking\n" not in typist.screen


def test_what_the_terminal_has_shown_before_the_start_is_asked_for_again_unseen() -> None:
    ahead = "faceup bishop merchant\nchoose Anna king\n"
    with start_at_terminal(*NEW, ahead=ahead, greeted="Anna is choosing in private") as typist:
        assert "so it wasn't played" in typist.screen
        typist.keys("4\n")
        typist.see(RECORDED)
        assert "\n4\n" not in typist.screen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_a_terminal_is_as_before_after_the_caller_was_ended(number: signal.Signals) -> None:
    with start_at_terminal(*SECRET) as typist:
        for line in KILLING:
            typist.type(line)
        assert not typist.echoes
        typist.process.send_signal(number)
        typist.process.wait(PATIENCE)
        assert typist.echoes
        assert typist.modes()[3] & termios.ICANON


@pytest.mark.parametrize("stopping", [signal.SIGTSTP, signal.SIGSTOP])
def test_nothing_private_is_shown_after_the_caller_was_stopped(stopping: signal.Signals) -> None:
    """Like a shell at Ctrl-Z and `fg`, which sets its own terminal modes meanwhile."""
    with start_at_terminal(*SECRET) as typist:
        for line in KILLING:
            typist.type(line)
        usual = typist.modes()
        typist.process.send_signal(stopping)
        typist.wait_for_state("T")
        if stopping == signal.SIGTSTP:
            assert typist.echoes  # for the shell
        usual[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(typist.slave, termios.TCSADRAIN, usual)
        os.write(typist.master, b"kill archi")  # visible, and not yet sent
        typist.see("kill archi")
        typist.process.send_signal(signal.SIGCONT)
        typist.read_until(lambda: not typist.echoes)
        text = typist.type("kill warlord", NAMED)
        assert "warlord" not in text.casefold()
        assert NAMED in text


def test_every_stop_is_heard_however_soon_it_comes() -> None:
    """The system may deliver a signal to any thread while the main one waits for a line."""
    with start_at_terminal(*SECRET) as typist:
        for line in KILLING:
            typist.type(line)
        for _time in range(100):
            typist.process.send_signal(signal.SIGTSTP)
            typist.wait_for_state("T")
            typist.process.send_signal(signal.SIGCONT)
            typist.read_until(lambda: not typist.echoes)


def test_a_terminal_that_somebody_lets_echo_again_plays_no_secret() -> None:
    with start_at_terminal(*SECRET) as typist:
        for line in KILLING:
            typist.type(line)
        modes = typist.modes()
        modes[3] |= termios.ECHO
        termios.tcsetattr(typist.slave, termios.TCSADRAIN, modes)
        text = typist.type("kill warlord", PRIVATE)
        assert "so it wasn't played" in text
        assert not typist.echoes
