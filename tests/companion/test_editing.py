"""Line editing key by key: the screen, and the line read at Enter."""

from __future__ import annotations

import re

import pytest

from companion.terminal import LONGEST
from companion.terminal.keyboard import Editing


class Screen:
    """A terminal that supports letters, newlines and backspace."""

    def __init__(self) -> None:
        self.lines = [""]
        self._column = 0

    def write(self, text: str) -> None:
        for character in text:
            line = self.lines[-1]
            if character == "\n":
                self.lines.append("")
                self._column = 0
            elif character == "\b":
                self._column -= 1
            else:
                self.lines[-1] = line[: self._column] + character + line[self._column + 1 :]
                self._column += 1

    @property
    def last(self) -> str:
        return self.lines[-1].rstrip()


def typing(keys: str, hides: str = "^$") -> tuple[Screen, list[str]]:
    """The screen and the lines after these keys, hiding text that matches `hides`."""
    screen = Screen()
    editing = Editing(screen.write, lambda text: not re.search(hides, text))
    lines = [line for key in keys if (line := editing.press(key)) is not None]
    return screen, lines


def test_a_line_is_shown_as_it_is_typed_and_read_at_enter() -> None:
    screen, lines = typing("gold\rcall\nbui")
    assert screen.lines == ["gold", "call", "bui"]
    assert lines == ["gold", "call"]


def test_what_is_held_is_shown_at_once_when_it_is_known_to_be_public() -> None:
    screen, _ = typing("re", hides="^re$|^r$")
    assert screen.last == ""
    screen, _ = typing("rev", hides="^re$|^r$")
    assert screen.last == "rev"


def test_nothing_stays_of_a_line_that_never_became_public() -> None:
    screen, lines = typing("kill king\r", hides="^k")
    assert screen.lines == ["", ""]
    assert lines == ["kill king"]


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("gold\x7f\x7f", "go"),
        ("gold\b", "gol"),
        ("go\x7f\x7f\x7f\x7f", ""),
        ("build tavern\x17", "build "),
        ("build tavern  \x17temple", "build temple"),
        ("build\x15gold", "gold"),
        ("Кот\x7f", "Ко"),
    ],
)
def test_keys_that_take_back(keys: str, left: str) -> None:
    screen, lines = typing(f"{keys}\r")
    assert lines == [left]
    assert screen.lines[0].rstrip() == left.rstrip()


@pytest.mark.parametrize(("letter", "columns"), [("王", 2), ("e\u0301", 1), ("ж", 1)])
def test_a_letter_is_taken_back_with_its_accents_and_its_width(letter: str, columns: int) -> None:
    names: list[str] = []
    editing = Editing(names.append, lambda text: True)
    for key in f"{letter}\x7f":
        editing.press(key)
    assert "".join(names) == letter + "\b \b" * columns
    assert editing.text == ""


def test_taking_back_what_was_hidden_changes_nothing_on_the_screen() -> None:
    screen, lines = typing("kil\x7f\x7f\x7fgold\r", hides="^k")
    assert screen.lines == ["gold", ""]
    assert lines == ["gold"]


@pytest.mark.parametrize(
    "key", ["\x1b[A", "\x1b[1;5C", "\x1bOP", "\x1b[200~", "\x1b", "\0", "\x07"]
)
def test_keys_that_type_nothing(key: str) -> None:
    screen, lines = typing(f"go{key}\r" if key == "\x1b" else f"go{key}ld\r")
    assert lines == ["go" if key == "\x1b" else "gold"]
    assert screen.lines[0] == lines[0]


def test_a_line_without_end_keeps_its_bound_and_is_no_move() -> None:
    screen, lines = typing("a" * (LONGEST * 3) + "\rgold\r")
    assert lines == ["a" * LONGEST + "…", "gold"]
    assert len(screen.lines[0]) == LONGEST + 1


def test_what_is_said_meanwhile_has_lines_of_its_own() -> None:
    screen = Screen()
    editing = Editing(screen.write, lambda text: True)
    for key in "bui":
        editing.press(key)
    with editing.step_aside():
        screen.write("A tap.\n")
    editing.press("l")
    assert screen.lines == ["bui", "A tap.", "buil"]


def test_what_the_terminal_has_shown_itself_is_not_shown_again() -> None:
    screen = Screen()
    editing = Editing(screen.write, lambda text: True)
    screen.write("go")  # by the terminal
    for key in "go":
        editing.press(key, seen=True)
    editing.press("l")
    assert screen.last == "gol"
