"""The door of the browser view: codes, tickets, patience, names and origins."""

from __future__ import annotations

import pytest

from companion.serving import guard
from companion.serving.guard import Guard, TooMany


class Clock:
    """A time that stands until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_right_code_gets_a_ticket_however_it_is_typed() -> None:
    door = Guard("ABCD2345")
    for typed in ("ABCD2345", "abcd-2345", " ABCD 2345 "):
        ticket = door.enter("a", typed)
        assert ticket is not None
        assert door.knows(ticket)
    assert not door.knows("")
    assert not door.knows("x" * 43)


@pytest.mark.parametrize("typed", ["", "ABCD2346", "ABCD234", "ABCD23456", "é" * 8, "A" * 100_000])
def test_a_wrong_code_gets_none(typed: str) -> None:
    assert Guard("ABCD2345").enter("a", typed) is None


def test_guessing_ends_soon_and_may_go_on_later() -> None:
    clock = Clock()
    door = Guard("ABCD2345", clock=clock)
    for _try in range(guard.MOST_WRONG):
        assert door.enter("a", "WRONG") is None
    with pytest.raises(TooMany):
        door.enter("a", "ABCD2345")
    assert door.enter("b", "ABCD2345") is not None
    clock.now += guard.WINDOW + 1
    assert door.enter("a", "ABCD2345") is not None


def test_a_right_code_is_never_locked_out_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_ADDRESSES", 100)
    door = Guard("ABCD2345", clock=Clock())
    for number in range(500):
        for _try in range(guard.MOST_WRONG):
            assert door.enter(f"10.0.{number // 256}.{number % 256}", "WRONG") is None
    assert door.enter("10.9.9.9", "ABCD2345") is not None
    assert len(door._wrong) <= 100


def test_a_network_of_the_newer_kind_is_one_address() -> None:
    door = Guard("ABCD2345", clock=Clock())
    for number in range(guard.MOST_WRONG):
        assert door.enter(f"2001:db8::{number:x}", "WRONG") is None
    with pytest.raises(TooMany):
        door.enter("2001:db8::ffff", "ABCD2345")
    assert door.enter("2001:db8:0:1::1", "ABCD2345") is not None


@pytest.mark.parametrize("ticket", ["", "\udcff", "é" * 100, "x" * 100_000])
def test_a_strange_ticket_opens_nothing(ticket: str) -> None:
    door = Guard("ABCD2345")
    door.enter("a", "ABCD2345")
    assert not door.knows(ticket)


def test_codes_differ_and_have_no_letters_that_are_mistaken() -> None:
    codes = {guard.new_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == guard.CODE_LENGTH and not set(code) & set("O0I1S5") for code in codes)
    assert guard.shown("ABCD2345") == "ABCD-2345"


@pytest.mark.parametrize(
    ("header", "bound", "ours"),
    [
        ("127.0.0.1:8000", "127.0.0.1", True),
        ("localhost:8000", "127.0.0.1", True),
        ("[::1]:8000", "::1", True),
        ("LOCALHOST:8000", "127.0.0.1", True),
        ("localhost:9000", "127.0.0.1", False),
        ("localhost", "127.0.0.1", False),
        ("evil.example:8000", "127.0.0.1", False),
        ("127.0.0.1.evil.example:8000", "127.0.0.1", False),
        ("192.168.1.9:8000", "127.0.0.1", False),
        ("192.168.1.9:8000", "0.0.0.0", True),
        ("table.local:8000", "table.local", True),
        ("evil.example:8000", "0.0.0.0", False),
        ("evil@127.0.0.1:8000", "127.0.0.1", False),
        ("127.0.0.1:x", "127.0.0.1", False),
        ("", "127.0.0.1", False),
    ],
)
def test_which_names_are_ours(header: str, bound: str, ours: bool) -> None:
    assert guard.host_is_ours(header, bound, 8000) is ours


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("http://127.0.0.1:8000", True),
        ("https://127.0.0.1:8000", True),
        ("http://evil.example", False),
        ("http://127.0.0.1:9000", False),
        ("null", False),
        (None, False),
    ],
)
def test_which_pages_are_ours(origin: str | None, ours: bool) -> None:
    assert guard.origin_is_ours(origin, "127.0.0.1:8000") is ours


def test_what_only_this_machine_can_reach() -> None:
    assert all(map(guard.is_loopback, ("localhost", "127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(guard.is_loopback, ("0.0.0.0", "192.168.1.9", "::", "table.local")))
