"""The demonstration: a real game that plays automatically, and is not saved."""

from __future__ import annotations

import os

import pytest

from companion.game.demonstration import Demonstration, open_demo_store, read_demo


def test_it_plays_its_record_to_the_end_and_leaves_nothing() -> None:
    with open_demo_store() as log:
        demonstration = Demonstration(log)
        moves = read_demo().moves
        for number, move in enumerate(moves):
            assert not demonstration.over
            assert demonstration.next_move() == move
            demonstration.session.play(move)
            assert len(demonstration.session.referee.moves) == number + 1
        assert demonstration.over
        assert demonstration.session.over
        assert demonstration.store is log
        assert os.path.exists(log.path)
        demonstration.session.close()
    assert not os.path.exists(log.path)


def test_what_is_longer_is_shown_for_longer() -> None:
    with open_demo_store() as log:
        demonstration = Demonstration(log)
        assert demonstration.pause(["x" * 100, "y" * 100]) == pytest.approx(0.6 + 7)
        while not demonstration.over:
            demonstration.next_move()
        assert demonstration.pause(["x"]) == 12
        demonstration.session.close()
