"""The guard of the phones: codes, lockouts, host names and origins."""

from __future__ import annotations

import pytest

from companion.phones.serving import guard
from companion.phones.serving.guard import Often


class Clock:
    """A manual clock."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("words_typed", ["ABCD2345", "abcd-2345", " ABCD 2345 "])
def test_the_right_code_opens_however_it_is_typed(words_typed: str) -> None:
    assert guard.is_code(words_typed, "ABCD2345")


@pytest.mark.parametrize(
    "words_typed", ["", "ABCD2346", "ABCD234", "ABCD23456", "é" * 8, "A" * 100_000]
)
def test_a_wrong_code_does_not(words_typed: str) -> None:
    assert not guard.is_code(words_typed, "ABCD2345")


def test_what_is_done_too_often_is_counted_for_each_client() -> None:
    clock = Clock()
    tries = Often(5, 60.0, clock=clock)
    assert [tries.note("a") for _try in range(8)] == [False] * 5 + [True] * 3
    assert not tries.note("b")
    clock.now += 61.0
    assert not tries.note("a")


def test_only_so_many_clients_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_ADDRESSES", 100)
    tries = Often(5, 60.0, clock=Clock())
    for number in range(500):
        for _try in range(5):
            assert not tries.note(f"10.0.{number // 256}.{number % 256}")
    assert len(tries._times) <= 100


@pytest.mark.parametrize(
    ("address", "own", "counted"),
    [
        ("192.168.1.7", "192.168.1.2", "192.168.1.7"),
        ("::ffff:192.168.1.7", "::ffff:192.168.1.2", "192.168.1.7"),
        ("fe80::1%eth0", "fe80::9%eth0", "fe80::1%eth0"),
        ("2001:db8:0:5::1", "2001:db8:0:5::9", "2001:db8:0:5::1"),
        ("fd00::5:1", "fd00::9", "fd00::5:1"),
        ("2001:db8::1", "2001:db8:0:5::9", "2001:db8::/64"),
        ("2001:db8::2", "192.168.1.2", "2001:db8::/64"),
        ("::1", "::1", "::1"),
        ("", "", ""),
        ("/run/socket", "", "/run/socket"),
    ],
)
def test_the_phones_of_a_house_are_counted_one_by_one(address: str, own: str, counted: str) -> None:
    assert guard.find_network(address, own) == counted


def test_codes_differ_and_have_no_letters_that_are_mistaken() -> None:
    assert len(guard.make_code(4)) == 4
    assert guard.format_code("ABCD") == "ABCD"
    codes = {guard.make_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == guard.CODE_LENGTH and not set(code) & set("O0I1S5") for code in codes)
    assert guard.format_code("ABCD2345") == "ABCD-2345"


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
        ("other.local:8000", "192.168.1.9", True),
        ("other.local:8000", "127.0.0.1", False),
    ],
)
def test_which_names_are_ours(header: str, bound: str, ours: bool) -> None:
    assert guard.host_is_ours(header, (bound, "other.local"), 8000) is ours


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("http://127.0.0.1:8000", True),
        ("https://127.0.0.1:8000", False),
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
