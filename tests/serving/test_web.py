"""Which requests are accepted: host names, paths, methods, content types, sizes, and rates."""

from __future__ import annotations

import pytest

from companion.phones.serving import guard, web
from companion.phones.serving.door import Proof
from companion.phones.serving.guard import (
    MOST,
    MOST_OF_ADDRESS,
    MOST_OF_SEAT,
    Connections,
    Owner,
    RateLimit,
    RejectionCounter,
)
from tests.serving.local_table import Table, header


@pytest.mark.parametrize("host", ["evil.example:8420", "127.0.0.1:9000", "", "127.0.0.1", "[x"])
async def test_another_name_is_not_answered(table: Table, host: str) -> None:
    for path in ("/", "/api/table", "/static/pages.css"):
        answer = await table.get(path, host=host)
        assert answer.status == 421
        assert f'<a href="{table.site.where.url}">'.encode() in answer.body or "/api/" in path


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9000"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "cors"},
        {"sec_fetch_site": "same-site", "sec_fetch_mode": "no-cors"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "websocket", "upgrade": "websocket"},
    ],
)
async def test_what_another_page_has_a_browser_send_is_turned_away(
    table: Table, headers: dict[str, str]
) -> None:
    key = f"companion_seat_8420={await table.join(2)}"
    for method, path in (("GET", "/api/events"), ("GET", "/seat"), ("POST", "/api/leave")):
        answer = await table.ask(method, path, b"{}", cookie=key, **headers)
        assert answer.status == 403, (method, path)
    assert table.door.now.taken == {1}


async def test_a_link_from_elsewhere_may_be_followed_but_no_form_sent(table: Table) -> None:
    elsewhere = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert (await table.get("/", **elsewhere)).status == 200
    form = {"content_type": "application/x-www-form-urlencoded"}
    assert (await table.ask("POST", "/enter", b"code=ABCD2345", **form)).status == 403
    assert (await table.ask("POST", "/enter", b"", **form, **elsewhere)).status == 403


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/static/nothing", 404),
        ("GET", "/static/..%2fweb.py", 404),
        ("GET", "/static/%2e%2e/web.py", 404),
        ("GET", "/api", 404),
        ("GET", "/api/moves", 405),
        ("DELETE", "/", 405),
        ("OPTIONS", "/api/join", 405),
        ("POST", "/table", 405),
        ("HEAD", "/", 200),
    ],
)
async def test_what_there_is_not(table: Table, method: str, path: str, status: int) -> None:
    answer = await table.ask(method, path, origin="http://127.0.0.1:8420")
    assert answer.status == status
    assert (header(answer, "Allow") is not None) == (status == 405)


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("text/plain", b'{"code": "ABCD2345", "seat": 1}', 415),
        ("application/x-www-form-urlencoded", b"code=ABCD2345&seat=1", 415),
        ("application/json", b"[1]", 400),
        ("application/json", b"{" * 9000, 400),
        ("application/json", b"\xff", 400),
        ("application/json", rb'{"code": "\ud800", "seat": 1}', 400),
        ("application/json", b"", 400),
    ],
)
async def test_only_what_is_meant_is_understood(
    table: Table, kind: str, body: bytes, status: int
) -> None:
    assert (await table.ask("POST", "/api/join", body, content_type=kind)).status == status


ONE_OF = {"/t/": "04A2B3C4", "/card/": "king"}
PAGES = [
    path + ONE_OF.get(path, "")
    for path, methods in web.ROUTES.items()
    if "GET" in methods and not path.startswith(("/api/", "/static/"))
]


@pytest.mark.parametrize("path", PAGES)
async def test_whoever_is_asked_for_the_code_on_a_page_gets_there(table: Table, path: str) -> None:
    assert header(await table.post("/enter", code=table.code, to=path), "Location") == path


async def test_every_answer_says_what_a_browser_may_do_with_it(table: Table) -> None:
    for path in ("/", "/nothing", "/api/table", "/static/pages.js"):
        answer = await table.get(path)
        policy = header(answer, "Content-Security-Policy") or ""
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert header(answer, "X-Content-Type-Options") == "nosniff"
        assert header(answer, "Referrer-Policy") == "same-origin"
        assert header(answer, "Access-Control-Allow-Origin") is None
    assert header(await table.get("/"), "Cache-Control") == "no-store"


async def test_a_mistake_of_ours_is_an_answer_without_what_was_sent(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail(_site: object, request: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setitem(web.ROUTES, "/look", {"GET": fail})
    answer = await table.get("/look?\x1b[2J")
    assert answer.status == 500
    assert b"secret" not in answer.body
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    assert "\x1b" not in output.err


# -- rate limits and connections ------------------------------------------------------------


def stranger(address: object) -> Owner:
    return Owner(Proof.NOTHING, str(address))


def test_whoever_asks_too_fast_waits_and_then_is_told_to_come_later() -> None:
    now = 0.0
    rate = RateLimit(lambda: now)
    one, other = stranger("a"), stranger("b")
    at_once = [rate.reserve(one) for _time in range(guard.EACH_AT_ONCE)]
    assert at_once == pytest.approx([0.0] * guard.EACH_AT_ONCE)
    waits = [rate.reserve(one) for _time in range(200)]
    granted = [wait for wait in waits if wait is not None]
    assert granted == sorted(granted)
    assert granted[-1] <= guard.LONGEST_WAIT
    assert waits[-1] is None
    assert rate.reserve(other) == pytest.approx(0.0)
    now = 10.0
    assert rate.reserve(one) == 0.0


def test_all_together_are_paced_and_leave_room_for_guests_and_seats() -> None:
    rate = RateLimit(lambda: 0.0)
    waits = [rate.reserve(stranger(client)) for client in range(2 * guard.MOST_CLIENTS)]
    assert waits[0] == 0.0
    assert None in waits
    assert len(rate._each) <= guard.MOST_CLIENTS
    guests = [rate.reserve(Owner(Proof.TABLE, str(client))) for client in range(200)]
    assert guests[0] is not None
    assert guests[-1] is None
    seats = [rate.reserve(Owner(Proof.SEAT, str(seat % 8))) for seat in range(40)]
    assert None not in seats


class Wire:
    """A transport that only records its end."""

    ended = False

    def abort(self) -> None:
        self.ended = True


class Held:
    """Connections without a network."""

    def __init__(self) -> None:
        self.away = RejectionCounter(lambda: 0.0)
        self.connections = Connections(self.away)

    def open(self, number: int, address: str, owner: Owner | None = None) -> list[Wire]:
        """Admit connections, which then show what their owner has to show."""
        wires = [Wire() for _ in range(number)]
        for wire in wires:
            if self.connections.admit(wire, address) and owner is not None:  # type: ignore[arg-type]
                self.connections.own(wire, owner)  # type: ignore[arg-type]
        return wires


ANNA, KURT = Owner(Proof.SEAT, "seat 0"), Owner(Proof.SEAT, "seat 1")
TELEVISION = Owner(Proof.TABLE, "10.0.0.1")


def test_whoever_holds_too_many_connections_loses_his_own_oldest() -> None:
    record = Held()
    others = [
        *record.open(MOST_OF_SEAT, "10.0.0.1", KURT),
        *record.open(MOST_OF_ADDRESS, "10.0.0.1", TELEVISION),
        *record.open(1, "10.0.0.2"),
    ]
    greedy = record.open(299, "10.0.0.1", ANNA)
    idle = record.open(305, "10.0.0.1")
    assert [wire.ended for wire in greedy] == [True] * (299 - MOST_OF_SEAT) + [False] * MOST_OF_SEAT
    assert [wire.ended for wire in idle[-MOST_OF_ADDRESS:]] == [False] * MOST_OF_ADDRESS
    assert all(wire.ended for wire in idle[:-MOST_OF_ADDRESS])
    assert not any(wire.ended for wire in others)
    assert record.away.count == 299 - MOST_OF_SEAT + 305 - MOST_OF_ADDRESS


def test_at_the_limit_of_all_the_greediest_stranger_makes_room_then_a_guest_never_a_seat() -> None:
    record = Held()
    anna = record.open(MOST_OF_SEAT, "10.0.0.1", ANNA)
    television = record.open(1, "10.0.0.1", TELEVISION)
    few = [wire for number in range(20) for wire in record.open(1, f"10.0.1.{number}")]
    many = [wire for number in range(20) for wire in record.open(20, f"10.0.2.{number}")]
    assert sum(not wire.ended for wire in (*anna, *television, *few, *many)) == MOST
    assert not any(wire.ended for wire in (*anna, *television, *few))
    guests = [
        wire
        for number in range(20)
        for wire in record.open(20, f"10.0.3.{number}", Owner(Proof.TABLE, f"10.0.3.{number}"))
    ]
    assert all(wire.ended for wire in (*few, *many))
    (newcomer,) = record.open(1, "10.0.9.9")
    assert not any(wire.ended for wire in (*anna, *television, newcomer))
    assert sum(not wire.ended for wire in guests) == MOST - len(anna) - 2
