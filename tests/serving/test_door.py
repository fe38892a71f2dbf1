"""The door: taking, requesting, giving up and persisting seats."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from companion.log.store import StoreError
from companion.phones.serving import seat_keys
from companion.phones.serving.seat_keys import SeatKeys

PLAYERS = ("Anna", "Kurt", "Ashley", "Ben")


class Shelf:
    """The persistent state, and a manual clock."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.now = 1000.0
        self.date = 1.7e9  # how far its calendar is ahead

    def keep(self, record: dict[str, Any]) -> None:
        self.kept = record

    def door(self, record: Any = None) -> SeatKeys:
        return SeatKeys(
            PLAYERS, record, self.keep, clock=lambda: self.now, date=lambda: self.now + self.date
        )


def test_a_free_seat_is_taken_once() -> None:
    new_door = Shelf().door()
    key = new_door.take(1)
    assert key is not None
    assert len(key) >= 43  # 256 random bits
    assert new_door.seat_of(key) == 1
    assert new_door.take(1) is None
    assert new_door.taken == {1}


def test_only_the_hash_of_a_key_is_kept_and_opens_again() -> None:
    shelf = Shelf()
    key = shelf.door().take(1)
    assert key is not None
    assert key not in str(shelf.kept)
    again = shelf.door(shelf.kept)
    assert again.seat_of(key) == 1
    assert again.code == shelf.kept["code"]
    assert again.is_visitor(again.visitor)


def test_a_key_ends_when_nobody_has_used_it_for_twelve_hours() -> None:
    shelf = Shelf()
    new_door = shelf.door()
    anna, kurt = new_door.take(0), new_door.take(1)
    assert anna is not None
    assert kurt is not None
    for _hours in range(3):
        shelf.now += seat_keys.UNUSED_SECONDS - 1
        assert new_door.seat_of(anna) == 0
    assert new_door.seat_of(kurt) is None
    assert new_door.taken == {0}
    assert new_door.take(1) is not None


@pytest.mark.parametrize(("hours", "seat"), [(11, 1), (13, None), (-9000, 1)])
def test_a_restart_does_not_lengthen_a_key_s_life(hours: int, seat: int | None) -> None:
    shelf = Shelf()
    new_door = shelf.door()
    key = new_door.take(1)
    assert key is not None
    shelf.now += seat_keys.SAVED_AFTER
    assert new_door.seat_of(key) == 1
    new_door.save_use()  # as a move does
    shelf.now, shelf.date = 5.0, shelf.date + shelf.now + hours * 3600  # the computer was off
    assert shelf.door(shelf.kept).seat_of(key) == seat


@pytest.mark.parametrize("used", [[], {"Kurt": "x"}, {"Kurt": float("nan")}, {"Kurt": 10**400}])
def test_a_strange_date_of_use_does_no_harm(used: Any) -> None:
    shelf = Shelf()
    shelf.door().take(1)
    assert shelf.door(shelf.kept | {"used": used}).taken <= {1}


def test_a_change_that_cannot_be_saved_is_refused_and_changes_nothing() -> None:
    def fail(kept: dict[str, Any]) -> None:
        raise StoreError("the disk is full")

    new_door = Shelf().door()
    key = new_door.take(1)
    assert key is not None
    new_door.follow(PLAYERS, fail)
    code, visitor = new_door.code, new_door.visitor
    for change in (partial(new_door.take, 2), partial(new_door.free, 1), new_door.free_all):
        with pytest.raises(StoreError, match="the disk is full"):
            change()
    assert (new_door.taken, new_door.seat_of(key)) == ({1}, 1)
    assert (new_door.code, new_door.visitor) == (code, visitor)


@pytest.mark.parametrize("kept", [None, [], {"code": 5, "seats": {"Anna": []}}, {"seats": 3}])
def test_whatever_was_kept_a_door_is_made_of_it(kept: Any) -> None:
    new_door = Shelf().door(kept)
    assert new_door.taken == frozenset()
    assert len(new_door.code) == 8


@pytest.mark.parametrize("key", ["", "x" * 43, "é" * 43, "\udcff", "x" * 100_000])
def test_a_strange_key_opens_nothing(key: str) -> None:
    new_door = Shelf().door()
    new_door.take(0)
    assert new_door.seat_of(key) is None
    assert not new_door.is_visitor(key)


def test_who_is_put_out_comes_back_only_with_the_table_s_yes() -> None:
    new_door = Shelf().door()
    code = new_door.codes[1]
    key = new_door.give(1, "10.0.0.9", 5)
    assert new_door.put_out(1)
    assert new_door.seat_of(key) is None
    assert new_door.find_seat(code) is None  # it may have come with this one
    assert new_door.was_put_out(1, "10.0.0.9")
    assert not new_door.was_put_out(1, "10.0.0.1")
    assert not new_door.was_put_out(2, "10.0.0.9")
    new_door.give(1, "10.0.0.9", 6)  # with the table's yes
    assert not new_door.was_put_out(1, "10.0.0.9")


def test_every_seat_has_a_code_of_its_own_that_is_kept() -> None:
    shelf = Shelf()
    new_door = shelf.door()
    codes = new_door.codes
    assert len({new_door.code, *codes}) == 5
    assert [new_door.find_seat(code.lower()) for code in codes] == [0, 1, 2, 3]
    assert new_door.find_seat(new_door.code) is None
    assert shelf.door(shelf.kept).codes == codes
    new_door.free_all()
    assert not set(new_door.codes) & set(codes)


def test_the_latest_arrival_is_the_last_and_gone_with_its_phone() -> None:
    new_door = Shelf().door()
    for seat in (2, 0, 2):
        new_door.give(seat, "10.0.0.9", 7)
    assert [(one.seat, one.is_another) for one in new_door.arrivals] == [(0, False), (2, True)]
    new_door.free(2)
    assert [one.seat for one in new_door.arrivals] == [0]


def test_one_phone_is_put_out_and_every_phone() -> None:
    new_door = Shelf().door()
    keys = [new_door.take(seat) for seat in range(3)]
    assert new_door.free(1)
    assert not new_door.free(1)
    assert [key and new_door.seat_of(key) for key in keys] == [0, None, 2]
    code, visitor = new_door.code, new_door.visitor
    assert new_door.free_all() == 2
    assert new_door.taken == frozenset()
    assert new_door.code != code
    assert not new_door.is_visitor(visitor)


def test_another_game_keeps_the_seats_of_whoever_plays_in_it() -> None:
    shelf = Shelf()
    new_door = shelf.door()
    anna, ben = new_door.take(0), new_door.take(3)
    assert anna is not None
    assert ben is not None
    record: dict[str, Any] = {}
    new_door.follow(("Cid", "Anna"), record.update)
    assert new_door.seat_of(anna) == 1
    assert new_door.seat_of(ben) is None
    assert set(record["seats"]) == {"Anna"}


def test_another_group_s_game_has_another_door() -> None:
    shelf = Shelf()
    new_door = shelf.door()
    key, code, visitor, codes = new_door.take(0), new_door.code, new_door.visitor, new_door.codes
    assert key is not None
    new_door.asks.open(1, "10.0.0.9")
    new_door.attend_others(PLAYERS, None, shelf.keep)
    assert new_door.seat_of(key) is None
    assert not new_door.is_visitor(visitor)
    assert code not in (new_door.code, *new_door.codes)
    assert not set(codes) & set(new_door.codes)
    assert new_door.asks.unanswered == ()


def test_the_token_of_a_form_tells_nothing_of_the_key() -> None:
    token = seat_keys.form_token("a key")
    assert token != seat_keys.form_token("another")
    assert "a key" not in token
