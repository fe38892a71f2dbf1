"""The full screen in a real terminal: the cursor for braille displays, colours, the console."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest

from companion.wording import state
from tests.end_to_end.tmux import Terminal

pytestmark = pytest.mark.outer

NEW = ["play", "--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt", "--reader", "none"]


def _row_with_cursor(terminal: Terminal) -> str:
    return terminal.text().split("\n")[terminal.cursor()[1]]


def _is_under_cursor(terminal: Terminal, text: str) -> bool:
    return text in _row_with_cursor(terminal)


@pytest.mark.parametrize("shown", ["true", "false"])
def test_the_cursor_is_on_the_marked_choice(terminal: Terminal, shown: str) -> None:
    terminal.start(NEW, {"COMPANION_CURSOR": shown})
    terminal.see("Kurt. Discard")
    terminal.keys(":")
    terminal.see("Type a move")
    terminal.keys("faceup bishop merchant", "Enter")
    terminal.see("Has everybody chosen?")
    terminal.keys("ф")  # the key for “a” of a Russian keyboard
    terminal.see("Who is the Assassin?")
    for key, text in (
        ("Up", "Nobody answers"),
        ("Up", "4   Ben"),
        ("2", "Take 2 gold"),
    ):
        terminal.keys(key)
        terminal.wait_until(partial(_is_under_cursor, terminal, text), f"the cursor on {text}")
        assert terminal.cursor()[2] is (shown == "true")
    terminal.keys("g")
    terminal.wait_until(lambda: "End the turn" in _row_with_cursor(terminal), "what can be built")
    terminal.keys("Down")
    terminal.wait_until(lambda: "Manor, 3" in _row_with_cursor(terminal), "the next row")


def test_no_colour_is_sent_where_none_is_wanted(terminal: Terminal) -> None:
    """Neither a colour nor a grey: text and background are the terminal's own."""
    terminal.start(NEW, {"NO_COLOR": "1"})
    terminal.see("Kurt. Discard")
    codes = [
        code
        for sequence in re.findall(r"\x1b\[([0-9;]*)m", terminal.colours())
        for code in sequence.split(";")
    ]
    assert "1" in codes  # bold is no colour
    assert not [code for code in codes if re.fullmatch("3[0-8]|4[0-8]|9[0-7]|10[0-7]", code)]


def test_the_console_of_a_small_computer_gets_signs_that_it_has(terminal: Terminal) -> None:
    terminal.start(NEW, {"TERM": "linux", "COMPANION_THEME": "terminal", "COLORTERM": ""})
    terminal.see("Kurt.")
    terminal.see("Assassin")
    assert terminal.text().isascii()
    assert "48;2;" not in terminal.colours()


def test_the_screen_follows_the_size_of_the_terminal(terminal: Terminal) -> None:
    terminal.start(NEW)
    terminal.see("Kurt. Discard")
    terminal.tmux("resize-window", "-t", "table", "-x", "120", "-y", "40")
    terminal.see(f"□□□□□□□ {state.progress(0, 7)}")
    terminal.tmux("resize-window", "-t", "table", "-x", "80", "-y", "24")
    terminal.wait_until(lambda: "□" not in terminal.text(), "shrinking")
    terminal.see("Kurt.")


def test_a_byte_of_another_encoding_is_passed_over(terminal: Terminal) -> None:
    """What is typed so fast after it that it comes with it may be passed over too."""
    terminal.start(NEW)
    terminal.see("Kurt. Discard")
    for letter in ("e9", "ff", "c3", "80", "e9"):
        terminal.tmux("send-keys", "-t", "table", "-H", letter)
    _press_until(terminal, ":", lambda: "Type a move" in terminal.text())
    terminal.tmux("send-keys", "-t", "table", "-H", "e9")
    _press_until(terminal, "Escape", lambda: "Type a move" not in terminal.text())
    terminal.keys(":")
    terminal.see("Type a move")
    terminal.keys("faceup bishop merchant", "Enter")
    terminal.see("Has everybody chosen?")


def _press_until(terminal: Terminal, key: str, is_so: Callable[[], bool]) -> None:
    """Press the key until that is so, each time once the one before had time to do it."""

    def press() -> bool:
        if not is_so():
            terminal.keys(key)
        return is_so()

    terminal.wait_until(press, key)
