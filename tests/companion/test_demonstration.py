"""The demonstration: a real game that plays automatically, at the requested pace, and is not
saved."""

from __future__ import annotations

import os

import pytest

from companion.game import demo


def test_it_plays_its_record_to_the_end_and_leaves_nothing() -> None:
    with demo.store() as log:
        shown = demo.Demonstration(log, speed=2)
        moves = demo.record().moves
        for number, move in enumerate(moves):
            assert not shown.over
            assert shown.next_move() == move
            shown.session.play(move)
            assert len(shown.session.referee.moves) == number + 1
        assert shown.over
        assert shown.session.over
        assert shown.store is log
        assert os.path.exists(log.path)
        shown.session.close()
    assert not os.path.exists(log.path)


def test_what_is_longer_is_shown_for_longer() -> None:
    with demo.store() as log:
        shown = demo.Demonstration(log, speed=2)
        assert shown.pause(["x" * 100, "y" * 100]) == pytest.approx((0.6 + 7) / 2)
        while not shown.over:
            shown.next_move()
        assert shown.pause(["x"]) == 6
        shown.session.close()
