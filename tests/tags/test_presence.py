"""Presence: taps and lifts out of polls, errors and doubtful reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tags.presence import Lift, Presence, Tap, Touch

A, B, C = b"\x04aaaaaa", b"\x04bbbbbb", b"\x04cccccc"
FAILURE = "failure"

polls = st.lists(st.sampled_from([A, B, C, None, FAILURE]), max_size=60)


def play(presence: Presence, steps: list[bytes | str | None]) -> list[list[Touch]]:
    """What each step gave."""
    given_out: list[list[Touch]] = []
    for step in steps:
        if isinstance(step, str):
            presence.reader_failed()
            given_out.append([])
        else:
            given_out.append(presence.see(step))
    return given_out


def flat(steps: list[list[Touch]]) -> list[Touch]:
    return [touch for step in steps for touch in step]


def test_a_chip_is_tapped_once_and_lifted_after_two_misses() -> None:
    assert play(Presence(), [None, A, A, None, A, None, None, None]) == [
        [], [Tap(A)], [], [], [], [], [Lift(A)], [],
    ]  # fmt: skip


def test_swapping_without_a_gap_lifts_first() -> None:
    assert flat(play(Presence(), [A, B])) == [Tap(A), Lift(A), Tap(B)]


def test_the_same_chip_again_is_a_new_tap() -> None:
    assert flat(play(Presence(), [A, None, None, A])) == [Tap(A), Lift(A), Tap(A)]


def test_a_reader_failure_is_no_lift_and_its_return_no_tap() -> None:
    presence = Presence()
    assert flat(play(presence, [A, None, FAILURE, None, A])) == [Tap(A)]
    assert presence.present == A


def test_a_chip_gone_while_the_reader_was_away_is_lifted_on_return() -> None:
    assert flat(play(Presence(), [A, FAILURE, FAILURE, None, None])) == [Tap(A), Lift(A)]


def test_a_doubtful_chip_needs_a_second_read() -> None:
    steps = play(Presence(confirm=lambda uid: uid == B), [B, None, B, B])
    assert steps == [[], [], [], [Tap(B)]]


def test_a_garbled_read_does_not_disturb_the_chip_that_lies_there() -> None:
    assert flat(play(Presence(confirm=lambda uid: uid == B), [A, B, A, B, A])) == [Tap(A)]


def test_a_doubtful_chip_that_stays_takes_the_place() -> None:
    steps = play(Presence(confirm=lambda uid: uid != A), [A, B, B])
    assert flat(steps) == [Tap(A), Lift(A), Tap(B)]


def test_misses_below_one_make_no_sense() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Presence(misses=0)


@given(polls, st.integers(1, 4), st.sets(st.sampled_from([A, B, C])))
def test_taps_and_lifts_alternate_and_none_is_invented(
    steps: list[bytes | str | None], misses: int, doubtful: set[bytes]
) -> None:
    presence = Presence(misses=misses, confirm=doubtful.__contains__)
    lying: bytes | None = None
    for step, touches in zip(steps, play(presence, steps), strict=True):
        for touch in touches:
            if isinstance(touch, Tap):
                assert lying is None
                assert touch.uid == step
                lying = touch.uid
            else:
                assert touch.uid == lying
                lying = None
        assert not (touches and step == FAILURE)
    assert presence.present == lying


@given(polls, st.integers(1, 4))
def test_a_lift_needs_as_many_misses_in_a_row_unless_another_chip_comes(
    steps: list[bytes | str | None], misses: int
) -> None:
    missed = 0
    for step, touches in zip(steps, play(Presence(misses=misses), steps), strict=True):
        missed = missed + 1 if step is None else 0
        if touches == [touch for touch in touches if isinstance(touch, Lift)] and touches:
            assert missed >= misses


@given(polls)
def test_every_chip_that_stays_for_two_polls_is_tapped(steps: list[bytes | str | None]) -> None:
    presence = Presence(confirm=lambda uid: True)
    play(presence, steps)
    play(presence, [A, A])
    assert presence.present == A


@given(polls)
def test_failures_alone_change_nothing(steps: list[bytes | str | None]) -> None:
    presence = Presence()
    play(presence, steps)
    before = presence.present
    play(presence, [FAILURE] * 5)
    assert presence.present == before
    assert presence.see(before) == []


def test_a_tap_tells_whether_the_chip_lay_there_when_the_watch_began() -> None:
    def found(*steps: bytes | str | None) -> list[bool]:
        presence = Presence(confirm=lambda uid: uid == C)
        return [tap.found for tap in flat(play(presence, list(steps))) if isinstance(tap, Tap)]

    assert found(A, None, None, A) == [True, False]
    assert found(None, A, B) == [False, False]
    assert found(C, C, A) == [True, False]
    assert found(None, FAILURE, B) == [True]
    assert found(None, A, FAILURE, A, None, None, B) == [False, False]


def test_a_tap_tells_whether_another_chip_lay_there_up_to_then() -> None:
    taps = [touch for step in play(Presence(), [A, B, None, None, A]) for touch in step]
    assert [tap.swapped for tap in taps if isinstance(tap, Tap)] == [False, True, False]
