"""Whole games by the numeric keypad, from the started command.

The moves of a record are played by their numbers in the printed lists.
"""

from __future__ import annotations

import pytest

from companion.game.asking import select_offered
from engine.referee import list_legal_moves
from tests.companion.listening import Listener, complaints, is_question
from tests.companion.numbering import numbers_to
from tests.end_to_end.steps import assert_ended_as, options_of, record_of, steps

pytestmark = pytest.mark.outer


@pytest.mark.parametrize("name", ["whole_game", "secret_game"])
def test_a_whole_game_by_the_numeric_keypad(name: str) -> None:
    record = record_of(name)
    with Listener(*options_of(record), new=False) as caller:
        caller.hear()
        for move, before, _after in steps(record):
            if move not in select_offered(before, list_legal_moves(before)):  # an empty income
                caller.tell(move.text)
                continue
            numbers = numbers_to(before, move)
            keys = "+" if move.text in ("call", "nobody", "end") else "/"
            answer = caller.tell(keys)
            for number in numbers if keys == "/" else ():
                answer = caller.tell(str(number))
            assert not any(line.startswith("Refused") for line in answer), (move, answer)
            assert is_question(answer[-1])
        assert caller.tell("*5")[-1] == "The game is over."
        for query in ("0", "*", "*1", "*12", "*2", "*3", "*31", "*4", "*6", "*7", "*8", "*9", "*0"):
            assert not caller.tell(query)[0].startswith("Refused: "), query
        assert [c for c in complaints(caller.transcript) if not c.startswith("too long")] == []
        assert caller.leave() == 0
    assert_ended_as(name)
