"""A line at a real terminal belongs to what was asked when it began, whatever a phone plays."""

from __future__ import annotations

import fcntl
import re
import struct
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.companion.listening import NEW
from tests.end_to_end.typing import Typist, start_at_terminal
from tests.serving.hosting import ask
from tests.serving.visiting import Visitor

pytestmark = pytest.mark.outer

DOOR = ("--phones", "--host", "127.0.0.1", "--port", "0")
DROPPED = "What you typed was dropped."


@contextmanager
def start_with_phone() -> Iterator[tuple[Typist, Callable[[str], Any]]]:
    """Lines at a terminal, and how Anna, who has the crown, plays with a phone."""
    words = (*NEW, "--crown", "Anna", "--secrecy", "secret", *DOOR)
    with start_at_terminal(*words) as typist:
        play = _join(typist, seat=1)
        typist.read_until(lambda: "has joined" in typist.screen)
        yield typist, play


def _read_door(typist: Typist) -> tuple[str, str]:
    typist.read_until(lambda: re.search(r"Code: \w{4}\s", typist.screen))
    code = re.findall(r"Code: (\w{4})\s", typist.screen)[-1]
    url = re.findall(r"http://127\.0\.0\.1:\d+/", typist.screen)[0]
    return url, code


def _join(typist: Typist, **who: Any) -> Callable[[str], Any]:
    """Join with a phone; returns how it makes a move, or sets up the game."""
    url, code = _read_door(typist)
    status, answer = ask(f"{url}api/join", code=code, **who)
    assert status == 200, answer

    def play(move: str) -> Any:
        status, view = ask(f"{url}api/moves", answer["key"], move=move)
        assert status == 200, view
        return view

    return play


def _count_unread(typist: Typist) -> int:
    """The bytes typed that the program has not read yet."""
    waiting = fcntl.ioctl(typist.slave, termios.FIONREAD, struct.pack("i", 0))
    return int(struct.unpack("i", waiting)[0])


@pytest.mark.parametrize("line", ["4", "king", "nobody"])
def test_what_was_typed_in_private_is_neither_shown_nor_played(line: str) -> None:
    with start_with_phone() as (typist, play):
        play("faceup bishop merchant")
        typist.see("Has everybody chosen?")
        typist.type("choose Ben", "Ben is choosing in private")
        typist.keys(line)
        typist.read_until(lambda: not _count_unread(typist))
        typist.wait_for_state("S")
        typist.answer("")
        play("call")
        typist.see("Who is the Assassin?")
        typist.keys("\n")
        typist.see(DROPPED)
        told = typist.screen[typist.screen.rindex("choosing in private") :]
        told = told[told.index("Everybody has chosen") :]
        assert f"\n{line}" not in told
        assert play("reveal Anna")["players"]["Ben"]["revealed"] == []


def test_what_somebody_notes_in_secret_drops_no_line() -> None:
    with start_with_phone() as (typist, play):
        play("faceup bishop merchant")
        typist.see("Has everybody chosen?")
        typist.keys("cal")
        typist.see("cal")
        play("choose Anna assassin")
        typist.answer("l\n")
        typist.see("Who is the Assassin?")
        assert DROPPED not in typist.screen


def test_a_line_half_typed_in_the_set_up_is_dropped_when_a_phone_changes_the_question() -> None:
    with start_at_terminal("--new", *DOOR, greeted="Who plays?") as typist:
        lead = _join(typist, name="Anna")
        typist.see("Anna has joined")
        typist.answer("Kurt, Ben\n")
        typist.see("Enter: Anna, Kurt and Ben")
        typist.answer("\n")
        typist.see("6: Players")
        typist.answer("4\n")
        typist.see("A number changes that line")
        typist.answer("2")
        typist.see("2")
        typist.answer("")
        lead("city_size 7")
        typist.see("house rules, 1 changed")
        typist.answer("\n")
        typist.see(DROPPED)
        typist.answer("2\n")
        typist.see("Who calls the characters? → the companion")


def test_the_whole_list_typed_seats_those_who_have_joined_as_it_says() -> None:
    with start_at_terminal("--new", *DOOR, greeted="Who plays?") as typist:
        url, code = _read_door(typist)
        anna, kurt = Visitor(url), Visitor(url)
        anna.join(code, "Anna")
        typist.see("Anna has joined")
        kurt.join(code, "Kurt")
        typist.see("Kurt has joined")
        typist.answer("ben, kurt, anna\n")
        typist.see("3 players: ben, Kurt and Anna.")
        for phone, name in ((anna, "Anna"), (kurt, "Kurt")):
            assert f"<title>{name}" in phone.get("/seat")


def test_the_last_step_of_the_scores_on_a_phone_ends_the_question_for_the_next() -> None:
    follows, again = "Enter: the next part of the scores.", "1: Play again with the same names"
    with start_at_terminal("--new", *DOOR, greeted="Who plays?") as typist:
        url, code = _read_door(typist)
        anna = Visitor(url)
        anna.join(code, "Anna")
        typist.see("Anna has joined")
        typist.answer("count\n")
        typist.see("Only the points")
        typist.answer("Anna, Kurt\n")
        typist.see("Which districts are in your city?")
        for move in ("city Anna temple", "counted", "counted"):
            assert anna.call("/api/moves", move=move)[0] == 200
        typist.see(follows)
        anna.get("/seat")
        while "Continue" in anna.page:
            anna.touch("Continue")
        typist.see(again)
        typist.see("The game is over.")
        assert follows not in typist.screen[typist.screen.rindex(again) :]
