"""How many keys, chips and touches a turn takes, counted over whole recorded games: that does not
depend on the machine."""

from __future__ import annotations

import pytest

from tests.bench import bench_inputs, bench_touches

MOST = {"keys": (4.17, 2.1), "touches": (3.38, 2.1)}
"""Keys and chips a turn, and around it: cards face up, calls, who answers. The goals are in the
bench; here no change may make a turn longer."""

TWO = ("whole_game", "secret_game")
MOST_IN_ALL = 6.27
"""Keys a turn with everything around it."""

MOST_UNTOLD = 3.79
"""Touches a turn on the phones over two games."""


@pytest.mark.parametrize("how", MOST)
def test_a_turn_takes_no_more_keys_or_chips_than_it_did(how: str) -> None:
    cost, turns = bench_inputs.play(bench_inputs.GAMES / "whole_game.yaml", how)
    in_turn, around = MOST[how]
    assert cost["turns"] / turns <= in_turn
    assert cost["round"] / turns <= around
    assert how != "keys" or cost.total() / turns <= MOST_IN_ALL


def test_a_turn_without_a_told_hand_takes_no_more_touches_than_it_did() -> None:
    assert bench_touches.measure(TWO, is_told=False) <= MOST_UNTOLD
