"""The door: taking, requesting, giving up and persisting seats."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from companion.log.store import StoreError
from companion.phones.serving import door
from companion.phones.serving.door import Door

PLAYERS = ("Anna", "Kurt", "Ashley", "Ben")


class Shelf:
    """The persistent state, and a manual clock."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.now = 1000.0

    def keep(self, kept: dict[str, Any]) -> None:
        self.kept = kept

    def door(self, kept: Any = None) -> Door:
        return Door(PLAYERS, kept, self.keep, clock=lambda: self.now)


def test_a_free_seat_is_taken_once() -> None:
    opened = Shelf().door()
    key = opened.take(1)
    assert key is not None
    assert len(key) >= 43  # 256 random bits
    assert opened.seat_of(key) == 1
    assert opened.take(1) is None
    assert opened.taken == {1}


def test_only_the_hash_of_a_key_is_kept_and_opens_again() -> None:
    shelf = Shelf()
    key = shelf.door().take(1)
    assert key is not None
    assert key not in str(shelf.kept)
    again = shelf.door(shelf.kept)
    assert again.seat_of(key) == 1
    assert again.code == shelf.kept["code"]
    assert again.is_visitor(again.visitor)


def test_a_change_that_cannot_be_saved_is_refused_and_changes_nothing() -> None:
    def fail(kept: dict[str, Any]) -> None:
        raise StoreError("the disk is full")

    opened = Shelf().door()
    key = opened.take(1)
    assert key is not None
    opened.attend(PLAYERS, fail)
    code, visitor = opened.code, opened.visitor
    for change in (partial(opened.take, 2), partial(opened.free, 1), opened.free_all):
        with pytest.raises(StoreError, match="the disk is full"):
            change()
    assert (opened.taken, opened.seat_of(key)) == ({1}, 1)
    assert (opened.code, opened.visitor) == (code, visitor)


@pytest.mark.parametrize("kept", [None, [], {"code": 5, "seats": {"Anna": []}}, {"seats": 3}])
def test_whatever_was_kept_a_door_is_made_of_it(kept: Any) -> None:
    opened = Shelf().door(kept)
    assert opened.taken == frozenset()
    assert len(opened.code) == 8


@pytest.mark.parametrize("key", ["", "x" * 43, "é" * 43, "\udcff", "x" * 100_000])
def test_a_strange_key_opens_nothing(key: str) -> None:
    opened = Shelf().door()
    opened.take(0)
    assert opened.seat_of(key) is None
    assert not opened.is_visitor(key)


def test_a_taken_seat_is_given_only_where_the_table_says_yes() -> None:
    opened = Shelf().door()
    old = opened.take(1)
    assert old is not None
    token = opened.ask(1)
    assert token is not None
    assert opened.asks == (1,)
    assert opened.claim(token) is None
    assert opened.ask(1) is None  # one at a time
    assert opened.answer(1, allowed=True)
    new = opened.claim(token)
    assert new is not None
    assert opened.seat_of(new) == 1
    assert opened.seat_of(old) is None
    assert opened.claim(token) is None  # once
    assert not opened.answer(1, allowed=True)


def test_a_refusal_and_a_long_silence_end_the_asking() -> None:
    shelf = Shelf()
    opened = shelf.door()
    opened.take(1)
    refused = opened.ask(1)
    assert refused is not None
    assert opened.answer(1, allowed=False)
    assert opened.find_ask(refused) is None
    late = opened.ask(1)
    assert late is not None
    shelf.now += door.PATIENCE + 1
    assert not opened.answer(1, allowed=True)
    assert opened.claim(late) is None


def test_one_phone_is_put_out_and_every_phone() -> None:
    opened = Shelf().door()
    keys = [opened.take(seat) for seat in range(3)]
    assert opened.free(1)
    assert not opened.free(1)
    assert [key and opened.seat_of(key) for key in keys] == [0, None, 2]
    code, visitor = opened.code, opened.visitor
    assert opened.free_all() == 2
    assert opened.taken == frozenset()
    assert opened.code != code
    assert not opened.is_visitor(visitor)


def test_another_game_keeps_the_seats_of_whoever_plays_in_it() -> None:
    shelf = Shelf()
    opened = shelf.door()
    anna, ben = opened.take(0), opened.take(3)
    assert anna is not None
    assert ben is not None
    kept: dict[str, Any] = {}
    opened.attend(("Cid", "Anna"), kept.update)
    assert opened.seat_of(anna) == 1
    assert opened.seat_of(ben) is None
    assert set(kept["seats"]) == {"Anna"}


def test_the_token_of_a_form_tells_nothing_of_the_key() -> None:
    token = door.form_token("a key")
    assert token != door.form_token("another")
    assert "a key" not in token
