"""The door: what decides, and what is kept of the seats' keys and codes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest

from companion.log.store import StoreError
from companion.phones.serving import seat_keys
from companion.phones.serving.door import Facts, Proof, decide
from companion.phones.serving.seat_keys import SeatKeys
from tests.serving.local_table import list_codes

PLAYERS = ("Anna", "Kurt", "Ashley", "Ben")


class Shelf:
    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.problem = ""

    def keep(self, record: dict[str, Any]) -> None:
        if self.problem:
            raise StoreError(self.problem)
        self.kept = record

    def door(self, record: Any = None, players: tuple[str, ...] = PLAYERS) -> SeatKeys:
        return SeatKeys(players, record, self.keep)


@pytest.mark.parametrize("facts", [*product((False, True), repeat=3)])
def test_the_table_s_code_takes_what_is_free_and_holds_nothing_private(
    facts: tuple[bool, bool, bool],
) -> None:
    has_phone, is_private, is_public = facts
    seat = {"has_phone": has_phone, "is_private": is_private, "is_public": is_public}
    assert decide(Facts(Proof.SEAT, **seat)).lets_in
    by_table = decide(Facts(Proof.TABLE, **seat))
    assert (by_table.lets_in, by_table.status) == ((True, 200) if not any(facts) else (False, 409))
    for wants_seat in (False, True):
        nothing = decide(Facts(Proof.NOTHING, wants_seat, **seat))
        assert (nothing.lets_in, nothing.status) == (False, 403)
    looks_on = decide(Facts(Proof.TABLE, wants_seat=False, **seat))
    assert (looks_on.lets_in, looks_on.status, looks_on.reason) == (False, 200, "")


def test_only_the_hash_of_a_key_is_kept_and_opens_again() -> None:
    shelf = Shelf()
    key = shelf.door().give(1)
    assert len(key) >= 43  # 256 random bits
    assert key not in str(shelf.kept)
    again = shelf.door(shelf.kept)
    assert again.now.seat_of(key) == 1
    assert again.now.code == shelf.kept["code"]
    assert again.now.is_visitor(again.now.visitor)


FAILING: dict[str, Callable[[SeatKeys], object]] = {
    "give": partial(SeatKeys.give, seat=2),
    "take over": partial(SeatKeys.give, seat=1),
    "leave": partial(SeatKeys.leave, seat=1),
    "put out": partial(SeatKeys.put_out, seat=1),
    "free": partial(SeatKeys.free, seat=1, version=1, forget=lambda: None),
    "free all": SeatKeys.free_all,
}


@pytest.mark.parametrize("change", FAILING)
def test_a_change_that_cannot_be_saved_is_refused_and_changes_nothing(change: str) -> None:
    shelf = Shelf()
    door = shelf.door()
    key, before = door.give(1), shelf.kept
    news, codes = door.now.news, list_codes(door)
    shelf.problem = "the disk is full"
    with pytest.raises(StoreError, match="the disk is full"):
        FAILING[change](door)
    assert (door.now.taken, door.now.seat_of(key)) == ({1}, 1)
    assert (door.now.code, door.now.visitor, list_codes(door)) == (
        before["code"],
        before["visitor"],
        codes,
    )
    assert door.now.news == news
    assert shelf.kept == before


def test_a_seat_whose_notes_cannot_be_forgotten_is_not_freed() -> None:
    def fail() -> None:
        raise StoreError("the disk is full")

    shelf = Shelf()
    door = shelf.door()
    key, codes = door.give(1), list_codes(door)
    with pytest.raises(StoreError, match="the disk is full"):
        door.free(1, 1, fail)
    assert (door.now.seat_of(key), list_codes(door)) == (1, codes)
    assert shelf.door(shelf.kept).now.seat_of(key) == 1


@pytest.mark.parametrize(
    "kept", [None, [], {"code": 5, "seats": {"Anna": []}}, {"seats": 3}, {"used": {"Anna": 1}}]
)
def test_whatever_was_kept_a_door_is_made_of_it(kept: Any) -> None:
    door = Shelf().door(kept)
    assert door.now.taken == frozenset()
    assert len(door.now.code) == 8


@pytest.mark.parametrize("key", ["", "x" * 43, "é" * 43, "\udcff", "x" * 100_000])
def test_a_strange_key_opens_nothing(key: str) -> None:
    door = Shelf().door()
    door.give(0)
    assert door.now.seat_of(key) is None
    assert door.now.name_of(key) is None
    assert not door.now.is_visitor(key)


def test_every_seat_has_a_code_of_its_own_that_is_kept() -> None:
    shelf = Shelf()
    door = shelf.door()
    codes = list_codes(door)
    assert len({door.now.code, *codes}) == 5
    assert [door.now.find_name(code.lower()) for code in codes] == [*PLAYERS]
    assert door.now.find_name(door.now.code) is None
    assert list_codes(shelf.door(shelf.kept)) == codes
    door.free_all()
    assert not set(list_codes(door)) & set(codes)


def test_who_is_put_out_comes_back_with_neither_key_nor_code() -> None:
    door = Shelf().door()
    code, key = list_codes(door)[1], door.give(1)
    assert door.put_out(1)
    assert door.now.seat_of(key) is None
    assert door.now.find_name(code) is None
    assert not door.put_out(1)


def test_the_latest_news_is_the_last_and_gone_with_its_phone() -> None:
    door = Shelf().door()
    for seat in (2, 0, 2):
        door.give(seat, 7)
    assert [(one.seat, one.kind) for one in door.now.news] == [(0, "joined"), (2, "replaced")]
    door.leave(2)
    assert [one.seat for one in door.now.news] == [0]
    door.free(0, 8, lambda: None)
    assert [(one.seat, one.kind) for one in door.now.news] == [(0, "freed")]


def test_every_phone_is_put_out_at_once() -> None:
    door = Shelf().door()
    keys = [door.give(seat) for seat in range(3)]
    assert door.leave(1)
    assert not door.leave(1)
    assert [door.now.seat_of(key) for key in keys] == [0, None, 2]
    code, visitor = door.now.code, door.now.visitor
    assert door.free_all() == 2
    assert door.now.taken == frozenset()
    assert door.now.code != code
    assert not door.now.is_visitor(visitor)


def test_another_game_keeps_the_seats_of_whoever_plays_in_it() -> None:
    shelf = Shelf()
    door = shelf.door()
    anna, ben = door.give(0), door.give(3)
    record: dict[str, Any] = {}
    door.follow(("Cid", "Anna"), record.update)
    assert door.now.seat_of(anna) == 1
    assert door.now.seat_of(ben) is None
    assert set(record["seats"]) == {"Anna"}


def test_another_group_s_game_has_another_door() -> None:
    shelf = Shelf()
    door = shelf.door()
    key, code, visitor, codes = door.give(0), door.now.code, door.now.visitor, list_codes(door)
    door.open_lobby()
    door.begin_group(PLAYERS, shelf.keep, [], new_code=True)
    assert door.now.seat_of(key) is None
    assert not door.now.is_visitor(visitor)
    assert code not in (door.now.code, *list_codes(door))
    assert not set(codes) & set(list_codes(door))


def test_who_comes_to_a_new_group_s_set_up_keeps_seat_and_code() -> None:
    shelf = Shelf()
    door = shelf.door(players=())
    door.open_lobby()
    door.seat(("Zoë",))
    key, codes = door.give(0), list_codes(door)
    assert shelf.kept["codes"] == {}  # nothing is saved before there is a game
    door.begin_group(("Anna", "Zoë"), shelf.keep, ["Zoë"], new_code=False)
    assert (door.now.seat_of(key), list_codes(door)[1:]) == (1, codes)
    assert set(shelf.kept["codes"]) == {"Anna", "Zoë"}


def test_in_the_set_up_the_phones_of_the_game_before_are_known() -> None:
    shelf = Shelf()
    keys = {name: shelf.door(shelf.kept).give(seat) for seat, name in enumerate(PLAYERS[:2])}
    door = shelf.door(shelf.kept, players=())
    door.open_lobby()
    door.seat(("Zoë",))
    assert [door.now.has_phone(name) for name in ("Anna", "Kurt", "Ashley", "Zoë")] == [1, 1, 0, 0]
    assert door.welcome(keys["Anna"]) == "Anna"
    assert door.welcome(keys["Anna"]) is None  # once: the set-up may remove the player again
    assert door.welcome("strange") is None
    door.follow(PLAYERS, shelf.keep)
    assert [door.now.seat_of(key) for key in keys.values()] == [0, 1]


def test_another_name_in_the_next_set_up_keeps_the_seat() -> None:
    door = Shelf().door()
    key, code = door.give(0), list_codes(door)[0]
    door.open_lobby()
    door.rename("Anna", "Bea")
    assert door.now.seat_of(key) == 0
    assert (door.now.name_of(key), door.now.find_name(code)) == ("Bea", "Bea")


def test_the_token_of_a_form_tells_nothing_of_the_key() -> None:
    token = seat_keys.form_token("a key")
    assert token != seat_keys.form_token("another")
    assert "a key" not in token
