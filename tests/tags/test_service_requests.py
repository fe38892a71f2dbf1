"""Requests to the reader service: chips read, written and locked, readers used in private."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from companion.readers import service as shared
from companion.readers.service import SharedReader
from companion.settings.services import ReaderSetting
from tags.access import SENTENCES, ChipError
from tags.readers import ReaderError
from tags.service import Snapshot, message_line, server
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.service.hub import IN_USE
from tags.simulator import SimulatedReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.serving import FakeReader, Raw, Running, serve
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

NAME = "simulated"
UID, OTHER = TEMPLE.hex().upper(), CASTLE.hex().upper()
MESSAGE = bytes.fromhex("D101045402656E58")


@pytest.fixture
def place(tmp_path: Path) -> Endpoint:
    return Endpoint(str(tmp_path / "private"))


@pytest.fixture
def reader() -> Iterator[SimulatedReader]:
    with SimulatedReader() as emulator:
        yield emulator


@pytest.fixture
def service(place: Endpoint, reader: SimulatedReader) -> Iterator[Running]:
    with serve(place, reader.reader(), dropout=0.01) as running:
        with Raw(place) as raw:
            raw.wait_until_ready()
        yield running


@pytest.fixture
def client(service: Running, place: Endpoint) -> Iterator[tuple[ServiceClient, Recorder]]:
    """A client of the reader, once that is ready, and its events."""
    events = Recorder()
    source = ServiceClient(place, events, name=NAME)
    source.start()
    events.wait_for(ReaderConnected)
    yield source, events
    source.stop()
    assert source.join(PATIENCE)


class Blocked:
    """Keeps the reader's thread busy within the block."""

    def __init__(self, service: Running) -> None:
        self._is_free, started = threading.Event(), threading.Event()
        watcher = service.service._watchers[NAME]

        def block(_reader: object) -> None:
            started.set()
            self._is_free.wait(PATIENCE)

        self._work: Future[None] = watcher.request(block)
        assert started.wait(PATIENCE)

    def __enter__(self) -> Blocked:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_free.set()
        self._work.result(PATIENCE)


# -- chips ------------------------------------------------------------------------------------


def test_a_chip_is_written_read_erased_and_locked_on_request(
    service: Running, place: Endpoint, reader: SimulatedReader
) -> None:
    reader.hold(TEMPLE)
    with Raw(place) as raw:
        assert raw.ask("read", NAME, uid=UID) == {
            "v": 3,
            "type": "done",
            "id": "read",
            "message": "",
        }
        assert raw.ask("write", NAME, uid=UID, message=MESSAGE.hex())["type"] == "done"
        assert raw.ask("read", NAME, uid=UID)["message"] == MESSAGE.hex()
        assert raw.ask("erase", NAME, uid=UID)["type"] == "done"
        assert raw.ask("read", NAME, uid=UID)["message"] == ""
        assert raw.ask("lock", NAME, uid=UID)["type"] == "done"
        refusal = raw.ask("write", NAME, uid=UID, message=MESSAGE.hex())
        assert (refusal["type"], refusal["fault"]) == ("refused", "locked")
        assert refusal["text"] == SENTENCES["locked"]


@pytest.mark.parametrize(
    ("name", "uid", "fault"), [("another", UID, "missing"), (NAME, OTHER, "lifted")]
)
def test_a_refusal_says_why(
    service: Running, place: Endpoint, reader: SimulatedReader, name: str, uid: str, fault: str
) -> None:
    reader.hold(TEMPLE)
    with Raw(place) as raw:
        answer = raw.ask("read", name, uid=uid)
        assert (answer["type"], answer["fault"]) == ("refused", fault)


def test_a_reader_that_was_unplugged_refuses(
    service: Running, place: Endpoint, reader: SimulatedReader
) -> None:
    reader.unplug()
    with Raw(place) as raw:
        while raw.ask("read", NAME, uid=UID)["fault"] != "missing":
            pass


def test_a_client_fulfils_and_fails_like_a_reader_that_is_open_here(
    client: tuple[ServiceClient, Recorder], reader: SimulatedReader
) -> None:
    source, events = client
    reader.hold(TEMPLE)
    assert events.wait_for(Tap) == Tap(TEMPLE)
    assert source.perform("write", TEMPLE, MESSAGE).result(PATIENCE) == b""
    assert source.perform("read", TEMPLE).result(PATIENCE) == MESSAGE
    with pytest.raises(ChipError, match="taken away too early"):
        source.perform("read", CASTLE).result(PATIENCE)
    with pytest.raises(ChipError, match="too small"):
        source.perform("write", TEMPLE, bytes(4000)).result(PATIENCE)
    reader.lift()
    lift = events.wait_for(Lift)
    assert isinstance(lift, Lift)
    assert lift.at is not None
    reader.unplug()
    events.wait_for(ReaderDisconnected)
    with pytest.raises(ReaderError, match="unplugged") as exception_info:
        source.perform("read", TEMPLE).result(PATIENCE)
    assert exception_info.value.fault == "missing"


def test_a_driver_that_hangs_is_refused_in_time_and_nothing_is_written_later(
    service: Running, place: Endpoint, reader: SimulatedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.05)
    with Raw(place) as raw:
        reader.hold(TEMPLE)
        raw.read_until("tap")
        with Blocked(service):
            answer = raw.ask("write", NAME, uid=UID, message=MESSAGE.hex())
            assert answer["fault"] == "silent"
            assert "check what is on the chip" in answer["text"]
            raw.send({"type": "ping", "id": 1})
            assert raw.read_until("pong")
        monkeypatch.setattr(server, "PATIENCE", PATIENCE)
        assert raw.ask("read", NAME, uid=UID)["message"] == ""


def test_a_client_that_leaves_has_nothing_written_that_had_not_begun(
    service: Running, place: Endpoint, reader: SimulatedReader
) -> None:
    reader.hold(TEMPLE)
    with Blocked(service):
        with Raw(place) as leaving:
            for _ in range(3):
                leaving.send({"type": "write", "reader": NAME, "uid": UID, "message": "d100"})
            leaving.send({"type": "ping"})
            assert leaving.socket.recv(1)
        while service.do(lambda: len(service.service.hub.clients)):
            pass
    with Raw(place) as raw:
        assert raw.ask("read", NAME, uid=UID)["message"] == ""


def test_requests_are_answered_in_order_and_pings_meanwhile(
    service: Running, place: Endpoint, reader: SimulatedReader
) -> None:
    numbers = range(1, 3 * server.MAX_WAITING)
    with Raw(place) as raw:
        reader.hold(TEMPLE)
        raw.read_until("tap")
        with Blocked(service):
            raw.send({"type": "write", "id": 0, "reader": NAME, "uid": UID, "message": "d00000"})
            raw.send({"type": "ping", "id": "x"})
            for number in numbers:
                raw.send({"type": "read", "id": number, "reader": NAME, "uid": UID})
                if number == 1:
                    raw.send({"type": "ping", "id": "y"})
            assert [raw.read()["id"] for _ in range(2)] == ["x", "y"]
        assert raw.read() == {"v": 3, "type": "done", "id": 0, "message": ""}
        assert [raw.read()["id"] for _ in numbers] == list(numbers)


def test_a_service_that_dies_in_the_middle_is_never_called_done(
    place: Endpoint, reader: SimulatedReader
) -> None:
    events = Recorder()
    source = ServiceClient(place, events, name=NAME)
    with place.listen() as listening:
        source.start()
        connection, _ = listening.socket.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(message_line(Snapshot(())))
            while not (future := source.perform("write", TEMPLE, MESSAGE)).cancel():
                pass
            future = source.perform("write", TEMPLE, MESSAGE)
            while b'"write"' not in lines.readline():
                pass
        with pytest.raises(ReaderError, match="check what is on the chip"):
            future.result(PATIENCE)
    source.stop()
    assert source.join(PATIENCE)
    with pytest.raises(ReaderError, match="does not answer"):
        source.perform("read", TEMPLE).result(PATIENCE)


# -- private ----------------------------------------------------------------------------------


def test_only_whoever_is_private_is_told_and_may_ask(
    service: Running, place: Endpoint, reader: SimulatedReader
) -> None:
    with Raw(place) as other, Raw(place) as alone:
        reader.hold(TEMPLE)
        assert [client.read_until("tap")["uid"] for client in (other, alone)] == [UID, UID]
        for _ in range(2):
            assert alone.ask("private", NAME, on=True)["type"] == "done"
        assert other.read_until("lift")["uid"] == UID
        state = other.read_until("reader")
        assert (state["state"], state["fault"], state["uid"]) == ("lost", "busy", None)
        assert "Another program is using this reader" in state["reason"]
        for what, fields in (("private", {"on": True}), ("read", {"uid": UID})):
            assert other.ask(what, NAME, **fields)["fault"] == "busy"
        assert other.ask("private", NAME, on=False)["fault"] == "busy"
        assert alone.ask("write", NAME, uid=UID, message="d00000")["type"] == "done"
        with Raw(place) as late:
            assert late.snapshot["readers"][0]["fault"] == "busy"
        assert alone.ask("private", NAME, on=False)["type"] == "done"
        assert other.read_until("reader")["state"] == "ready"


def test_what_is_tapped_in_private_is_told_to_nobody_else_then_or_later(
    service: Running,
    place: Endpoint,
    client: tuple[ServiceClient, Recorder],
    reader: SimulatedReader,
) -> None:
    source, events = client
    with Raw(place) as other:
        source.keep_private(True)
        other.read_until("reader")
        for uid in (TEMPLE, CASTLE):
            reader.hold(uid)
            assert events.wait_for(Tap) == Tap(uid)
        with Raw(place) as late:
            entries = [late.snapshot]
        source.keep_private(False)
        entries.append(other.read_until("reader"))
        with Raw(place) as late:
            entries.append(late.snapshot)
            for uid in (TEMPLE, CASTLE):  # nor can it be found out which of them lies there
                assert late.ask("read", NAME, uid=uid.hex().upper())["fault"] == "busy"
        reader.lift()  # of a chip that nobody else knows of
        assert events.wait_for(Lift) == Lift(CASTLE)
        reader.hold(TEMPLE)
        while entries[-1]["type"] != "tap":
            entries.append(other.read())
    assert [line["type"] for line in entries] == ["snapshot", "reader", "snapshot", "tap"]
    assert OTHER not in str(entries)


def test_the_next_one_has_the_reader_when_the_first_one_leaves(
    service: Running, place: Endpoint, reader: SimulatedReader
) -> None:
    events = Recorder()
    second = ServiceClient(place, events, name=NAME, private=True)
    with Raw(place) as first:
        assert first.ask("private", NAME, on=True)["type"] == "done"
        second.start()
        assert events.wait_for(ReaderDisconnected) == ReaderDisconnected(NAME, IN_USE, "busy")
    events.wait_for(ReaderConnected)
    with Raw(place) as other:
        if other.snapshot["readers"][0]["state"] == "ready":
            other.read_until("reader")
        reader.hold(TEMPLE)
        assert events.wait_for_next() == Tap(TEMPLE)
        second.stop()
        assert second.join(PATIENCE)
        assert other.read()["state"] == "ready"  # and no word of the chip


def test_moments_of_absence_count_for_whoever_measures_the_reader(
    place: Endpoint, reader: SimulatedReader
) -> None:
    with serve(place, reader.reader(), dropout=PATIENCE) as running, Raw(place) as raw:
        watcher = running.service._watchers[NAME]
        assert raw.ask("private", NAME, on=True, raw=True)["type"] == "done"
        reader.hold(TEMPLE)
        raw.read_until("tap")
        reader.lift()
        assert raw.read_until("lift")["uid"] == UID
        assert raw.ask("private", NAME, on=False)["type"] == "done"
        assert watcher._presence._dropout == PATIENCE
        assert raw.ask("private", NAME, on=True, raw=True)["type"] == "done"
        raw.close()
        while watcher._presence._dropout == 0:
            pass


# -- a reader of the table --------------------------------------------------------------------


@pytest.fixture
def shared_reader(
    place: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[SharedReader, Recorder]]]:
    """Start a reader of the table, called `box`, which is a `FakeReader` if opened here."""
    monkeypatch.setattr(shared, "endpoint", lambda _data: place)
    sources: list[SharedReader] = []

    def start(own: FakeReader, **options: Any) -> tuple[SharedReader, Recorder]:
        monkeypatch.setattr(shared, "reader_for", lambda _path, _name: own)
        events = Recorder()
        options = {"dropout": 0.01, "grace": 0.05, **options}
        sources.append(SharedReader("", ReaderSetting("box", "usb"), events, **options))
        sources[-1].start()
        return sources[-1], events

    yield start
    for source in sources:
        source.stop()
        assert source.join(PATIENCE)


def test_a_reader_is_opened_here_only_while_no_service_has_it(
    place: Endpoint, shared_reader: Callable[..., tuple[SharedReader, Recorder]]
) -> None:
    own, served = FakeReader(), FakeReader()
    own.uid = served.uid = TEMPLE
    with serve(place, served):
        source, events = shared_reader(own)
        assert events.wait_for_next() == ReaderConnected("box")
        assert events.wait_for_next() == Tap(TEMPLE)
        source.look_for_service()
        assert own.polls == 0
    events.wait_for(ReaderDisconnected)
    assert events.wait_for_next() == ReaderConnected("box")  # the chip stays where it is
    own.uid = CASTLE
    assert [events.wait_for_next(), events.wait_for_next()] == [Lift(TEMPLE), Tap(CASTLE)]
    own.gone = ReaderError("The service took it.", "busy")
    with serve(place, served):
        events.wait_for(ReaderDisconnected)
        source.look_for_service()
        events.wait_for(ReaderConnected)
        assert [events.wait_for_next(), events.wait_for_next()] == [Lift(CASTLE), Tap(TEMPLE)]
        polls = own.polls
        served.uid = None
        assert events.wait_for(Lift) == Lift(TEMPLE)
        assert own.polls == polls


def test_a_service_with_other_readers_is_left_alone(
    place: Endpoint, shared_reader: Callable[..., tuple[SharedReader, Recorder]]
) -> None:
    with serve(place, FakeReader("another")):
        source, events = shared_reader(FakeReader())
        assert events.wait_for_next() == ReaderConnected("box")
        source.look_for_service()
        assert events.drain() == []


def test_a_service_that_hangs_is_called_so(
    place: Endpoint, shared_reader: Callable[..., tuple[SharedReader, Recorder]]
) -> None:
    own = FakeReader()
    own.gone = ReaderError("Another program is using it; close that program.", "busy")
    with place.listen():  # and never answer
        _source, events = shared_reader(own)
        event = events.wait_for(ReaderDisconnected)
    assert isinstance(event, ReaderDisconnected)
    assert "systemctl --user restart citadels-reader" in event.reason
    assert str(os.getpid()) in event.reason
    assert place.find_holder() is None
