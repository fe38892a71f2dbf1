"""Changing the language during a game, from the started command: in both callers, and kept when the
caller is killed and the game is resumed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from companion import language
from companion.language import _, list_offered
from companion.wording import state
from engine.referee import Referee
from tests.app.keying import keyboard, typist
from tests.companion.listening import Listener
from tests.companion.own_words import type_move
from tests.end_to_end.steps import assert_ended_as, has_moves, options_of, record_of, steps
from tests.end_to_end.tmux import Terminal
from tests.sizes import pick_first

pytestmark = pytest.mark.outer

TURNS = list_offered()  # a change every few moves, and the program killed at each
EVERY = 12


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as exit_stack:
        yield exit_stack


def test_in_lines() -> None:
    record = record_of("short_game")
    caller = Listener(*options_of(record), new=False)
    caller.hear()
    for number, step in enumerate(steps(record)):
        if number and number % EVERY == 0:
            code = TURNS[number // EVERY % len(TURNS)]
            lines = caller.tell(f"language {code}")
            language.use(code)
            assert lines[-1] == state.question(step.before)
            caller.kill()
            with caller:
                assert "Traceback" not in caller.read_errors()
            caller = Listener("--resume", new=False)
            assert caller.hear()[-1] == state.question(step.before)
        assert caller.tell(type_move(step.move))[-1] == state.question(step.after)
    with caller:
        assert caller.leave() == 0
    assert_ended_as("short_game")


@pytest.mark.parametrize("name", pick_first("short_game", "three_players"))
def test_on_the_screen(name: str, terminal: Terminal, stack: ExitStack) -> None:
    record = record_of(name)
    variables = {"COMPANION_FORCED": "ask"}
    terminal.start(["play", *options_of(record), "--reader", "none"], variables, size=(120, 40))
    terminal.see(state.question(Referee(record.start).table))
    hand = stack.enter_context(typist(record.setup))
    for number, step in enumerate(steps(record)):
        if number and number % EVERY == 0:
            place = number // EVERY % len(TURNS)
            terminal.keys("F10")
            terminal.see(_("Language"))
            terminal.keys(str(1 + list_offered().index(TURNS[place])))
            language.use(TURNS[place])
            terminal.see(state.question(step.before))
            os.kill(terminal.pid, signal.SIGKILL)
            assert terminal.wait() == 128 + signal.SIGKILL
            terminal.end()
            terminal.start(["play", "--resume", "--reader", "none"], variables, size=(120, 40))
            terminal.see(state.question(step.before))
        terminal.keys(*keyboard(hand.keys_to(step.move)))
        has_moves(terminal, number + 1)
    terminal.see(_("Districts"))
    terminal.end()
    assert_ended_as(name)
