"""Whole games from the started command, in the user's own words. Each ends with the table and the
score of its record."""

from __future__ import annotations

import pytest

from companion.language import list_offered
from companion.wording import state
from tests.companion.listening import Listener, complaints
from tests.companion.own_words import type_move
from tests.end_to_end.steps import assert_ended_as, options_of, record_of, steps
from tests.sizes import pick_first

pytestmark = pytest.mark.outer


@pytest.mark.parametrize("speech", list_offered(), indirect=True)
@pytest.mark.parametrize("name", pick_first("short_game", "whole_game"))
def test_a_whole_game_in_ones_own_words(name: str, speech: str) -> None:
    """Verbs, literal words and cards in the language, in the grammatical case required."""
    record = record_of(name)
    with Listener(*options_of(record), new=False) as caller:
        caller.hear()
        for step in steps(record):
            said = caller.tell(type_move(step.move))
            assert said[-1] == state.question(step.after), (step.move, said)
        assert caller.leave() == 0
        assert complaints(caller.transcript) == []
    assert_ended_as(name)
