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
    request = Asks()
    (first, one), (second, two) = request.open(3, HERE), request.open(3, THERE)
    assert one.number != two.number
    assert 10 <= min(one.number, two.number) <= max(one.number, two.number) <= 99
    assert request.unanswered == (one, two)
    assert request.answer(two.number, allowed=True) == two
    assert request.unanswered == (one,)
    ask, other = request.find(second), request.find(first)
    assert ask is not None
    assert ask.allowed
    assert other is not None
    assert not other.allowed
    assert request.answer(two.number, allowed=False) is None  # once


def test_a_long_silence_ends_a_request() -> None:
    clock = Clock()
    request = Asks(clock)
    ticket, ask = request.open(1, HERE)
    assert not request.is_overdue(ask)
    clock.now += asks.FIRST_SAY + 1
    assert request.is_overdue(ask)
    clock.now += asks.PATIENCE
    assert request.unanswered == ()
    assert request.find(ticket) is None
    assert request.answer(ask.number, allowed=True) is None
    assert request.find_refused(ticket) is None


def test_who_was_refused_waits_longer_each_time() -> None:
    clock = Clock()
    request = Asks(clock)
    waits = []
    for _time in range(12):
        ticket, ask = request.open(1, HERE)
        request.answer(ask.number, allowed=False)
        assert request.find_refused(ticket) == 1
        with pytest.raises(MustWait) as wait:
            request.open(2, HERE)
        waits.append(wait.value.seconds)
        request.open(1, THERE)  # nobody else waits
        clock.now += wait.value.seconds + 0.001
    entries = [asks.FIRST_WAIT * 2**times for times in range(12)]
    assert waits == pytest.approx([min(wait, asks.LONGEST_WAIT) for wait in entries])


def test_a_yes_and_a_long_time_forgive_refusals() -> None:
    clock = Clock()
    request = Asks(clock)

    def refuse() -> float:
        request.answer(request.open(1, HERE)[1].number, allowed=False)
        with pytest.raises(MustWait) as wait:
            request.open(1, HERE)
        clock.now += wait.value.seconds + 0.001
        return wait.value.seconds

    assert refuse() < refuse()
    request.answer(request.open(1, HERE)[1].number, allowed=True)
    assert refuse() == pytest.approx(asks.FIRST_WAIT)
    clock.now += asks.FORGOTTEN_AFTER
    assert refuse() == pytest.approx(asks.FIRST_WAIT)


def test_the_table_hears_of_one_address_only_so_often() -> None:
    clock = Clock()
    request = Asks(clock)
    for _time in range(asks.MOST_TOLD - 1):
        request.open(0, HERE)
    request.note_told(HERE)
    with pytest.raises(MustWait) as wait:
        request.open(0, HERE)
    assert wait.value.seconds == pytest.approx(asks.WINDOW)
    request.open(0, THERE)
    clock.now += asks.WINDOW
    request.open(0, HERE)


def test_who_asks_too_often_loses_the_oldest_request_of_their_own() -> None:
    request = Asks()
    mine = request.open(0, THERE)
    others = [request.open(0, HERE) for _time in range(asks.MOST_OF_CLIENT + 1)]
    assert request.find(others[0][0]) is None
    assert all(request.find(ticket) for ticket, _ask in (*others[1:], mine))
    for client in range(asks.MOST_ASKS - asks.MOST_OF_CLIENT - 1):
        request.open(0, f"10.0.1.{client}")
    with pytest.raises(TooManyAsk):
        request.open(0, "10.0.2.1")
    request.open(0, HERE)
    assert request.find(mine[0])
    assert len({ask.number for ask in request.unanswered}) == asks.MOST_ASKS
