"""Changing the language during a game in lines: kept when the caller is killed and the game is
resumed."""

from __future__ import annotations

import pytest

from companion import language
from companion.language import list_offered
from companion.wording import state
from tests.companion.listening import Listener
from tests.companion.own_words import type_move
from tests.end_to_end.steps import assert_ended_as, options_of, record_of, steps

pytestmark = pytest.mark.outer

TURNS = list_offered()  # a change every few moves, and the program killed at each
EVERY = 12


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
