"""Presence: taps and lifts from polls, dropouts, errors and unconfirmed reads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tags.presence import Lift, Presence, Tap, Touch

A, B, C = b"\x04aaaaaa", b"\x04bbbbbb", b"\x04cccccc"
PHONE, NEXT = b"\x08abc", b"\x08xyz"
FAILURE = "failure"
EVERY = 0.05

Step = bytes | tuple[bytes, ...] | str | None

polls = st.lists(st.sampled_from([A, B, C, (A, B), (B, C), None, FAILURE]), max_size=60)


class Table:
    """A presence polled every 50 ms."""

    def __init__(self, **options: object) -> None:
        self.presence = Presence(**options)  # type: ignore[arg-type]
        self.now = 100.0

    def see(self, *steps: Step) -> list[list[Touch]]:
        """The events of each step."""
        return [self._poll(step) for step in steps]

    def flat(self, *steps: Step) -> list[Touch]:
        """The events of all steps."""
        return [touch for touches in self.see(*steps) for touch in touches]

    def wait(self, chips: Step, seconds: float) -> list[Touch]:
        """See the same chips for that time."""
        return self.flat(*[chips] * round(seconds / EVERY))

    def _poll(self, step: Step) -> list[Touch]:
        if isinstance(step, str):
            self.presence.reader_failed()
            return []
        chips: Sequence[bytes] = step if isinstance(step, tuple) else () if step is None else [step]
        self.now += EVERY
        return self.presence.see(chips, self.now, self.now + 0.01)


def watched(**options: object) -> Table:
    """A table whose reader has been empty for a while."""
    table = Table(**options)
    assert table.wait(None, 1) == []
    return table


def taps(touches: list[Touch]) -> list[Tap]:
    return [touch for touch in touches if isinstance(touch, Tap)]


# -- one touch ---------------------------------------------------------------------------------


def test_a_chip_is_told_at_once_and_gone_after_a_while() -> None:
    table = watched()
    assert table.see(A, A, None) == [[Tap(A)], [], []]
    touches = table.see(*[None] * 8)
    assert [Lift(A)] in touches
    assert touches.index([Lift(A)]) in (5, 6)


@pytest.mark.parametrize("seconds", [0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3])
def test_a_dropout_is_no_lift(seconds: float) -> None:
    table = watched()
    assert table.flat(A, *[None] * round(seconds / EVERY), A, A) == [Tap(A)]
    assert table.presence.present == A


def test_how_long_a_dropout_may_last_can_be_said() -> None:
    long, short = watched(dropout=1.0), watched(dropout=0.1)
    steps: list[Step] = [A, *[None] * 10, A]
    assert long.flat(*steps) == [Tap(A)]
    assert short.flat(*steps) == [Tap(A), Lift(A), Tap(A)]


def test_without_dropouts_two_misses_are_a_lift() -> None:
    table = watched(dropout=0, again=0)
    assert table.see(A, None, A, None, None) == [[Tap(A)], [], [], [], [Lift(A)]]


def test_the_same_chip_again_soon_after_its_lift_says_so() -> None:
    table = watched()
    quick = taps(table.flat(A, *[None] * 9, A))
    assert [tap.again for tap in quick] == [False, True]
    table.wait(None, 1.5)
    assert [tap.again for tap in taps(table.flat(A))] == [False]


def test_negative_times_make_no_sense() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        Presence(dropout=-1)


# -- several chips -----------------------------------------------------------------------------


def test_a_swapped_chip_takes_the_place_at_once() -> None:
    table = watched()
    table.wait(A, 1)
    touches = table.flat(B)
    assert touches == [Lift(A), Tap(B)]
    assert (touches[1].swapped, touches[1].together) == (True, False)  # type: ignore[union-attr]
    assert table.wait(B, 1) == []
    assert table.wait(None, 1) == [Lift(B)]


def test_a_chip_laid_beside_another_is_the_one_that_is_meant() -> None:
    table = watched()
    table.wait(A, 1)
    touches = table.flat((A, B))
    assert touches == [Lift(A), Tap(B)]
    assert not touches[1].together  # type: ignore[union-attr]
    assert table.wait((A, B), 1) == []
    assert table.wait(A, 1) == [Lift(B)]
    assert table.wait(None, 1) == []


def test_two_chips_at_once_are_one_tap_that_is_not_meant() -> None:
    table = watched()
    tapped = taps(table.flat((A, B), (A, B)))
    assert [(tap.uid, tap.together) for tap in tapped] == [(A, True)]
    assert taps(table.wait(B, 1)) == []


def test_two_chips_sooner_than_a_hand_came_together() -> None:
    table = watched()
    tapped = taps(table.flat(A, A, B, A, B))
    assert [(tap.uid, tap.together) for tap in tapped] == [(A, False), (B, True)]


def test_two_chips_seen_in_turns_are_told_once_each() -> None:
    table = watched()
    table.wait(A, 1)
    touches = table.flat(*[B, A] * 200)
    assert touches == [Lift(A), Tap(B)]


def test_a_chip_that_shows_now_and_then_is_not_tapped_anew() -> None:
    table = watched()
    table.wait(A, 1)
    tapped = taps(table.flat(*[B, *[A] * 12] * 20))
    assert [(tap.uid, tap.again) for tap in tapped] == [(B, False)] + [(B, True)] * 19


# -- doubtful chips ----------------------------------------------------------------------------


def test_a_doubtful_chip_needs_a_second_read() -> None:
    table = watched(confirm=lambda uid: uid == B)
    assert table.see(B, None, B, B) == [[], [], [], [Tap(B)]]


def test_a_garbled_read_does_not_disturb_the_chip_that_lies_there() -> None:
    table = watched(confirm=lambda uid: uid == B)
    assert table.flat(A, B, A, B, A) == [Tap(A)]


def test_a_doubtful_chip_that_stays_takes_the_place() -> None:
    table = watched(confirm=lambda uid: uid != A)
    assert table.flat(A, B, B) == [Tap(A), Lift(A), Tap(B)]


def test_a_phone_is_one_chip_however_many_ids_it_shows() -> None:
    table = watched(confirm=lambda uid: True)
    touches = table.flat(PHONE, NEXT, PHONE, NEXT, PHONE)
    assert touches == [Tap(PHONE)]
    assert table.wait(None, 1) == [Lift(PHONE)]


# -- readers that come and go ------------------------------------------------------------------


def test_a_reader_failure_is_no_lift_and_its_return_no_tap() -> None:
    table = watched()
    assert table.flat(A, None, FAILURE, None, A) == [Tap(A)]
    assert table.presence.present == A


def test_a_chip_gone_while_the_reader_was_away_is_lifted_on_return() -> None:
    table = watched()
    assert table.flat(A, FAILURE, FAILURE, *[None] * 9) == [Tap(A), Lift(A)]


def test_a_tap_tells_whether_the_chip_lay_there_when_the_watch_began() -> None:
    def found(table: Table, *steps: Step) -> list[bool]:
        return [tap.found for tap in taps(table.flat(*steps))]

    assert found(Table(), A, *[None] * 30, A) == [True, False]
    assert found(Table(), None, None, A) == [True], "a weak field at first"
    assert found(watched(), A, B) == [False, False]
    assert found(Table(confirm=lambda uid: uid == C), C, C) == [True]
    assert found(watched(), FAILURE, B) == [True]
    assert found(watched(), A, FAILURE, *[A] * 30, B) == [False, False]
    assert found(watched(), A, FAILURE, B, B) == [False, True]
    assert found(Table(dropout=0), None, A) == [False]
    assert found(Table(dropout=0), A) == [True]


def test_a_chip_that_was_known_before_is_not_tapped_anew() -> None:
    table = Table(present=A)
    assert table.flat(A, A, B) == [Lift(A), Tap(B)]


# -- any sequence of sightings -----------------------------------------------------------------


@given(polls, st.sampled_from([0, 0.1, 0.3]), st.sets(st.sampled_from([A, B, C])))
def test_taps_and_lifts_alternate_and_none_is_invented(
    steps: list[Step], dropout: float, doubtful: set[bytes]
) -> None:
    table = Table(dropout=dropout, confirm=doubtful.__contains__)
    lying: bytes | None = None
    for step, touches in zip(steps, table.see(*steps), strict=True):
        for touch in touches:
            if isinstance(touch, Tap):
                assert lying is None
                assert touch.uid in (step if isinstance(step, tuple) else (step,))
                lying = touch.uid
            else:
                assert touch.uid == lying
                lying = None
        assert not (touches and step == FAILURE)
    assert table.presence.present == lying


@given(st.lists(st.sampled_from([A, None]), max_size=80))
def test_one_chip_is_tapped_as_often_as_it_was_away_for_long(steps: list[Step]) -> None:
    table = watched()
    tapped = taps(table.flat(*steps, *[None] * 10, A))
    sightings = [place for place, step in enumerate([*steps, *[None] * 10, A]) if step == A]
    away = sum(1 for before, after in pairwise(sightings) if (after - before - 2) * EVERY > 0.31)
    assert len(tapped) == 1 + away


@given(polls)
def test_every_chip_that_stays_for_two_polls_is_tapped(steps: list[Step]) -> None:
    table = Table(confirm=lambda uid: True)
    table.see(*steps, *[None] * 10, A, A)
    assert table.presence.present == A


@given(polls)
def test_failures_alone_change_nothing(steps: list[Step]) -> None:
    table = Table()
    table.see(*steps)
    before = table.presence.present
    table.see(*[FAILURE] * 5)
    assert table.presence.present == before
    assert table.see(before) == [[]]
