"""The reader service and its client, over real sockets and with hostile peers."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tags.readers import ReaderError
from tags.service import LONGEST_REQUEST
from tags.service.client import AWAY, list_readers
from tags.service.endpoint import CannotServe, Endpoint
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, ReaderNotice, Tap
from tests.tags.conftest import CASTLE, TEMPLE, Follow
from tests.tags.serving import FakeReader, Raw, Running, serve
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.outer


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def service(place: Endpoint, reader: FakeReader) -> Iterator[Running]:
    """A service with one empty reader that has been polled."""
    with serve(place, reader) as running:
        with Raw(place) as client:
            client.wait_until_ready()
        yield running


def test_a_new_client_is_told_how_things_are_and_then_what_happens(
    place: Endpoint, reader: FakeReader
) -> None:
    with serve(place, reader), Raw(place) as early:
        early.wait_until_ready()
        reader.uid = TEMPLE
        early.read_until("tap")
        with Raw(place) as late:
            assert (late.snapshot["v"], late.snapshot["service"]) == (5, "citadels-reader")
            (state,) = late.snapshot["readers"]
            assert state == {
                "reader": "usb", "path": "usb", "state": "ready",
                "uid": "04A2B3C4D5E680", "chip": None,
            }  # fmt: skip
            late.send({"type": "snapshot"})
            assert late.read() == late.snapshot  # no tap of the past came before it
            reader.uid = CASTLE
            for client in (early, late):
                lift, tap = client.read_until("lift"), client.read()
                assert lift["uid"] == "04A2B3C4D5E680"
                assert (tap["type"], tap["uid"]) == ("tap", "041122334455AA")


def test_a_lost_reader_and_its_return_are_told(
    service: Running, place: Endpoint, reader: FakeReader
) -> None:
    with Raw(place) as client:
        reader.gone = ReaderError("It is not there.", "missing")
        state = client.read_until("reader")
        fields = (state["state"], state["reason"], state["fault"])
        assert fields == ("lost", "It is not there.", "missing")
        client.send({"type": "retry"})
        reader.gone = None
        while client.read_until("reader")["state"] != "ready":
            pass  # the retry may still find no reader, and tell so


def test_a_client_that_does_not_read_is_dropped_and_others_are_not(
    service: Running, place: Endpoint
) -> None:
    switchboard, notice = service.service.switchboard, ReaderNotice("x" * 300)
    with Raw(place) as slow, Raw(place) as good:
        for number in range(200):  # far more than any client's buffer
            for _ in range(100):
                service.do(lambda: switchboard.take(notice))
            good.send({"type": "ping", "id": number})
            assert good.read_until("pong")["id"] == number
            if len(switchboard.clients) == 1:
                break
        assert len(switchboard.clients) == 1
        assert slow.wait_for_end()


@pytest.mark.parametrize("rubbish", [b"\x00\xff\n", b"[" * 500 + b"\n", b'{"type":"fire"}\n'])
def test_rubbish_is_answered_and_then_dropped(
    service: Running, place: Endpoint, rubbish: bytes
) -> None:
    with Raw(place) as hostile, Raw(place) as good:
        hostile.send(rubbish)
        assert hostile.read_until("error")["text"]
        hostile.send({"type": "ping"})
        assert hostile.read_until("pong")["id"] is None
        hostile.send(rubbish * 20)
        assert hostile.wait_for_end()
        good.send({"type": "ping", "id": "still here"})
        assert good.read_until("pong")["id"] == "still here"


def test_a_line_without_end_is_dropped(service: Running, place: Endpoint) -> None:
    with Raw(place) as hostile:
        hostile.send(b"x" * (LONGEST_REQUEST * 4))
        assert "too long" in hostile.read_until("error")["text"]
        assert hostile.wait_for_end()


def test_more_clients_than_there_is_room_for_are_told_so(
    place: Endpoint, reader: FakeReader
) -> None:
    with serve(place, reader, clients=1), Raw(place) as first:
        with Raw(place, greeted=False) as second:
            assert "too many" in second.read()["text"]
            assert second.wait_for_end()
        first.send({"type": "ping"})
        assert first.read_until("pong")


def test_a_tap_is_its_owner_s_even_if_it_is_told_later(place: Endpoint, reader: FakeReader) -> None:
    with serve(place, reader) as running, Raw(place) as own:
        board = running.service.switchboard
        own.wait_until_ready()
        own.own("companion play")
        (owner,) = board.clients

        def leave_after_the_tap() -> None:
            reader.uid, polls = TEMPLE, reader.polls
            wait_until(lambda: reader.polls > polls + 3)  # seen, and waiting for this loop
            board.leave(owner)

        with Raw(place) as other:
            running.do(leave_after_the_tap)
            other.send({"type": "ping", "id": 1})
            while (line := other.read())["type"] != "pong":
                assert "uid" not in line
            with Raw(place) as late:
                assert late.snapshot["readers"][0]["uid"] is None


# -- the place --------------------------------------------------------------------------------


def test_only_its_user_may_open_it(service: Running, place: Endpoint) -> None:
    assert stat.S_IMODE(os.stat(place.folder).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(place.socket_path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(place.lock_path).st_mode) == 0o600


def test_a_folder_open_to_others_is_closed_and_a_link_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "private"
    folder.mkdir()
    folder.chmod(0o777)
    with Endpoint(str(folder)).listen():
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (tmp_path / "link").symlink_to(folder)
    with (
        pytest.raises(CannotServe, match="is not your folder; remove it"),
        Endpoint(str(tmp_path / "link")).listen(),
    ):
        pass


def test_a_second_service_is_refused_in_one_sentence(service: Running, place: Endpoint) -> None:
    with pytest.raises(CannotServe, match="already running"), place.listen():
        pass
    assert {n: s.path for n, s in list_readers(place).items()} == {"usb": "usb"}


def test_what_a_killed_service_left_behind_is_in_nobodys_way(
    place: Endpoint, reader: FakeReader
) -> None:
    with place.listen():
        pass
    Path(place.socket_path).write_bytes(b"no socket")
    assert list_readers(place) == {}
    with serve(place, reader):
        assert {n: s.path for n, s in list_readers(place).items()} == {"usb": "usb"}
    assert not os.path.exists(place.socket_path)


def test_a_path_too_long_for_a_socket_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="cannot be opened"):
        Endpoint(str(tmp_path / ("x" * 120))).listen().__enter__()


def test_what_is_in_the_way_of_the_socket_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "private" / "reader.sock").mkdir(parents=True)
    with pytest.raises(CannotServe) as exception_info:
        Endpoint(str(tmp_path / "private")).listen().__enter__()
    assert str(exception_info.value).endswith("reader.sock cannot be opened: Is a directory.")
    assert str(exception_info.value).count(str(tmp_path)) == 1


# -- the client -------------------------------------------------------------------------------


def test_a_client_that_was_cut_off_finds_what_lies_there(
    service: Running, reader: FakeReader, follow: Follow
) -> None:
    _client, events = follow()
    assert events.wait_for_next() == ReaderConnected("usb")
    reader.uid = TEMPLE
    assert events.wait_for_next() == Tap(TEMPLE)
    switchboard: Any = service.service.switchboard  # whose clients have their own connections
    for uid, before in ((CASTLE, TEMPLE), (TEMPLE, CASTLE)):
        reader.uid = uid  # reported before the connection breaks, or found after it
        service.do(lambda: [c._writer.transport.abort() for c in switchboard.clients])
        assert [events.wait_for(Lift), events.wait_for(Tap)] == [Lift(before), Tap(uid)]
    assert [event for event in events.drain() if isinstance(event, Tap | Lift)] == []


def test_a_client_says_when_the_service_has_gone_for_good(place: Endpoint, follow: Follow) -> None:
    event = threading.Event()
    with serve(place, FakeReader()):
        client, events = follow(on_end=event.set, grace=0.05)
        assert events.wait_for_next() == ReaderConnected("usb")
    assert isinstance(events.wait_for_next(), ReaderDisconnected)
    assert event.wait(60)
    assert client.join(60)
    assert events.drain() == []


def test_a_service_that_died_after_a_while_is_not_one_that_hangs_up(
    place: Endpoint, reader: FakeReader, follow: Follow
) -> None:
    event = threading.Event()
    with serve(place, reader):
        _client, events = follow(on_end=event.set, grace=0.01)
        assert events.wait_for_next() == ReaderConnected("usb")
        for _ in range(5):  # the connection lasts longer than the grace period after it
            reader.uid = TEMPLE
            assert events.wait_for_next() == Tap(TEMPLE)
            reader.uid = None
            assert events.wait_for_next() == Lift(TEMPLE)
    assert event.wait(60)


def test_a_service_that_stands_still_is_away_until_it_goes_on(
    service: Running, reader: FakeReader, follow: Follow
) -> None:
    _client, events = follow(quiet=0.05, timeout=0.05)
    # On a busy computer the service may seem to stand still before.
    events.wait_for(ReaderConnected)
    going_on = threading.Event()
    service.call_in_loop(lambda: going_on.wait(PATIENCE))
    assert events.wait_for(ReaderDisconnected) == ReaderDisconnected("usb", AWAY)
    reader.uid = TEMPLE
    going_on.set()
    assert events.wait_for(ReaderConnected) == ReaderConnected("usb")
    assert events.wait_for(Tap) == Tap(TEMPLE)


def test_a_client_asks_lost_readers_to_be_tried(
    place: Endpoint, reader: FakeReader, follow: Follow
) -> None:
    reader.gone = ReaderError("It is not there.", "missing")
    with serve(place, reader, backoff=(3600, 3600)):
        client, events = follow()
        assert isinstance(events.wait_for_next(), ReaderDisconnected)
        reader.gone = None
        client.retry_now()  # the retry of its first look may still find no reader, and tell so
        while (event := events.wait_for_next()) != ReaderConnected("usb"):
            assert isinstance(event, ReaderDisconnected)
            client.retry_now()
