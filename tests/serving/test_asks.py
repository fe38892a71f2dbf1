"""Phones that ask for a seat: their numbers, the table's answer, and the wait after a refusal."""

from __future__ import annotations

import pytest

from companion.phones.serving import asks
from companion.phones.serving.asks import Asks, MustWait, TooManyAsk

HERE, THERE = "10.0.0.8", "10.0.0.9"


class Clock:
    """A manual clock."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_several_ask_for_one_seat_and_the_number_says_who_gets_it() -> None:
    asked = Asks()
    (first, one), (second, two) = asked.open(3, HERE), asked.open(3, THERE)
    assert one.number != two.number
    assert 10 <= min(one.number, two.number) <= max(one.number, two.number) <= 99
    assert asked.unanswered == (one, two)
    assert asked.answer(two.number, allowed=True) == two
    assert asked.unanswered == (one,)
    chosen, other = asked.find(second), asked.find(first)
    assert chosen is not None
    assert chosen.allowed
    assert other is not None
    assert not other.allowed
    assert asked.answer(two.number, allowed=False) is None  # once


def test_a_long_silence_ends_a_request() -> None:
    clock = Clock()
    asked = Asks(clock)
    ticket, ask = asked.open(1, HERE)
    assert not asked.is_overdue(ask)
    clock.now += asks.FIRST_SAY + 1
    assert asked.is_overdue(ask)
    clock.now += asks.PATIENCE
    assert asked.unanswered == ()
    assert asked.find(ticket) is None
    assert asked.answer(ask.number, allowed=True) is None
    assert asked.find_refused(ticket) is None


def test_who_was_refused_waits_longer_each_time() -> None:
    clock = Clock()
    asked = Asks(clock)
    waits = []
    for _time in range(12):
        ticket, ask = asked.open(1, HERE)
        asked.answer(ask.number, allowed=False)
        assert asked.find_refused(ticket) == 1
        with pytest.raises(MustWait) as wait:
            asked.open(2, HERE)
        waits.append(wait.value.seconds)
        asked.open(1, THERE)  # nobody else waits
        clock.now += wait.value.seconds + 0.001
    doubled = [asks.FIRST_WAIT * 2**times for times in range(12)]
    assert waits == pytest.approx([min(wait, asks.LONGEST_WAIT) for wait in doubled])


def test_a_yes_and_a_long_time_forgive_refusals() -> None:
    clock = Clock()
    asked = Asks(clock)

    def refuse() -> float:
        asked.answer(asked.open(1, HERE)[1].number, allowed=False)
        with pytest.raises(MustWait) as wait:
            asked.open(1, HERE)
        clock.now += wait.value.seconds + 0.001
        return wait.value.seconds

    assert refuse() < refuse()
    asked.answer(asked.open(1, HERE)[1].number, allowed=True)
    assert refuse() == pytest.approx(asks.FIRST_WAIT)
    clock.now += asks.FORGOTTEN_AFTER
    assert refuse() == pytest.approx(asks.FIRST_WAIT)


def test_the_table_hears_of_one_address_only_so_often() -> None:
    clock = Clock()
    asked = Asks(clock)
    for _time in range(asks.MOST_TOLD - 1):
        asked.open(0, HERE)
    asked.note_told(HERE)
    with pytest.raises(MustWait) as wait:
        asked.open(0, HERE)
    assert wait.value.seconds == pytest.approx(asks.WINDOW)
    asked.open(0, THERE)
    clock.now += asks.WINDOW
    asked.open(0, HERE)


def test_who_asks_too_often_loses_the_oldest_request_of_their_own() -> None:
    asked = Asks()
    mine = asked.open(0, THERE)
    others = [asked.open(0, HERE) for _time in range(asks.MOST_OF_CLIENT + 1)]
    assert asked.find(others[0][0]) is None
    assert all(asked.find(ticket) for ticket, _ask in (*others[1:], mine))
    for client in range(asks.MOST_ASKS - asks.MOST_OF_CLIENT - 1):
        asked.open(0, f"10.0.1.{client}")
    with pytest.raises(TooManyAsk):
        asked.open(0, "10.0.2.1")
    asked.open(0, HERE)
    assert asked.find(mine[0])
    assert len({ask.number for ask in asked.unanswered}) == asks.MOST_ASKS
