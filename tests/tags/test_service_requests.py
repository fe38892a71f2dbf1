"""Requests to the reader service: chips read, written and locked, readers owned by a program."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest

from companion.readers import service as shared
from companion.readers.service import SharedReader
from companion.settings.named_readers import ReaderSetting
from tags.access import SENTENCES, ChipError
from tags.readers import ReaderError
from tags.service import Own, ReaderState, Snapshot, encode_line, message_line, server
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.rigs.antenna import DirectReader
from tests.tags.conftest import CASTLE, TEMPLE, Follow, Recorder
from tests.tags.serving import FakeReader, Raw, Running, serve
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.outer

NAME = "simulated"
UID, OTHER = TEMPLE.hex().upper(), CASTLE.hex().upper()
THIRD = bytes.fromhex("04000000000003")
MESSAGE = bytes.fromhex("D101045402656E58")


@pytest.fixture
def reader() -> DirectReader:
    return DirectReader()


@pytest.fixture
def service(place: Endpoint, reader: DirectReader) -> Iterator[Running]:
    with serve(place, reader, dropout=0.01) as running:
        with Raw(place) as raw:
            raw.wait_until_ready()
        yield running


@pytest.fixture
def client(service: Running, follow: Follow) -> tuple[ServiceClient, Recorder]:
    """A client of the reader, once that is ready, and its events."""
    source, events = follow(NAME)
    events.wait_for(ReaderConnected)
    return source, events


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
    service: Running, place: Endpoint, reader: DirectReader
) -> None:
    reader.hold(TEMPLE)
    with Raw(place) as raw:
        assert raw.ask("read", NAME, uid=UID) == {
            "v": 5,
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
    service: Running, place: Endpoint, reader: DirectReader, name: str, uid: str, fault: str
) -> None:
    reader.hold(TEMPLE)
    with Raw(place) as raw:
        answer = raw.ask("read", name, uid=uid)
        assert (answer["type"], answer["fault"]) == ("refused", fault)


def test_a_reader_that_was_unplugged_refuses(
    service: Running, place: Endpoint, reader: DirectReader
) -> None:
    reader.unplug()
    with Raw(place) as raw:
        while raw.ask("read", NAME, uid=UID)["fault"] != "missing":
            pass


def test_a_client_fulfils_and_fails_like_a_reader_that_is_open_here(
    client: tuple[ServiceClient, Recorder], reader: DirectReader
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
    service: Running, place: Endpoint, reader: DirectReader, monkeypatch: pytest.MonkeyPatch
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
    service: Running, place: Endpoint, reader: DirectReader
) -> None:
    reader.hold(TEMPLE)
    with Blocked(service):
        with Raw(place) as leaving:
            for _ in range(3):
                leaving.send({"type": "write", "reader": NAME, "uid": UID, "message": "d100"})
            leaving.send({"type": "ping"})
            assert leaving.socket.recv(1)
        wait_until(lambda: not service.do(lambda: len(service.service.switchboard.clients)), 0)
    with Raw(place) as raw:
        assert raw.ask("read", NAME, uid=UID)["message"] == ""


def test_requests_are_answered_in_order_and_pings_meanwhile(
    service: Running, place: Endpoint, reader: DirectReader
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
        assert raw.read() == {"v": 5, "type": "done", "id": 0, "message": ""}
        assert [raw.read()["id"] for _ in numbers] == list(numbers)


def test_a_service_that_dies_in_the_middle_is_never_called_done(
    place: Endpoint, reader: DirectReader
) -> None:
    events = Recorder()
    source = ServiceClient(place, events, name=NAME)
    with place.listen() as listening:
        source.start()
        listening.settimeout(PATIENCE)
        connection, _ = listening.accept()
        connection.settimeout(PATIENCE)
        with connection, connection.makefile("rb") as lines:
            connection.sendall(message_line(Snapshot(())))
            wait_until(lambda: source.perform("write", TEMPLE, MESSAGE).cancel(), 0)
            future = source.perform("write", TEMPLE, MESSAGE)
            while b'"write"' not in (line := lines.readline()):
                assert line
        with pytest.raises(ReaderError, match="check what is on the chip"):
            future.result(PATIENCE)
    source.stop()
    assert source.join(PATIENCE)
    with pytest.raises(ReaderError, match="does not answer"):
        source.perform("read", TEMPLE).result(PATIENCE)


# -- one program at a time --------------------------------------------------------------------


def test_only_the_program_that_has_the_readers_is_told_and_may_ask(
    service: Running, place: Endpoint, reader: DirectReader
) -> None:
    with Raw(place) as other, Raw(place) as game, Raw(place) as second:
        reader.hold(TEMPLE)
        for client in (other, game, second):
            assert client.read_until("tap")["uid"] == UID
        (state,) = game.own("companion play (1)")["readers"]
        assert (state["state"], state["uid"]) == ("ready", UID)  # all have been told
        for client in (other, second):
            (state,) = client.read_until("snapshot")["readers"]
            assert (state["state"], state["uid"]) == ("ready", None)
        waiting = second.own("companion play (2)")
        assert waiting["owner"] == "companion play (1)"
        (state,) = waiting["readers"]
        assert (state["state"], state["fault"]) == ("lost", "busy")
        assert state["reason"].startswith("companion play (1) has this reader")
        for client in (other, second):
            assert client.ask("read", NAME, uid=UID)["fault"] == "busy"
        reader.hold(CASTLE)
        assert game.read_until("tap")["uid"] == OTHER
        assert game.ask("write", NAME, uid=OTHER, message="d00000")["type"] == "done"
        with Raw(place) as late:
            assert (late.snapshot["owner"], late.snapshot["readers"][0]["uid"]) == (
                "companion play (1)",
                None,
            )
        game.close()
        (state,) = second.read_until("snapshot")["readers"]
        assert (state["state"], state["uid"]) == ("ready", None)
        assert second.ask("read", NAME, uid=OTHER)["fault"] == "busy"
        reader.lift()
        reader.hold(THIRD)
        assert second.read_until("tap")["uid"] == THIRD.hex().upper()
        assert OTHER not in str(other.read_until("snapshot"))


def test_a_game_waits_for_a_command_and_has_its_reader_back(
    service: Running, place: Endpoint, reader: DirectReader, follow: Follow
) -> None:
    _source, events = follow(NAME, own=Own("companion play (1)"))
    events.wait_for(ReaderConnected)
    with Raw(place) as command, Raw(place) as second:
        assert command.own("companion tags write (2)", over=True)["owner"].endswith("write (2)")
        lost = events.wait_for(ReaderDisconnected)
        assert isinstance(lost, ReaderDisconnected)
        assert lost.reason == (
            "companion tags write (2) has this reader; carry on by keyboard until it is done."
        )
        second.read_until("snapshot")
        assert second.own("companion doctor (3)", over=True)["owner"].endswith("write (2)")
        reader.hold(TEMPLE)
        assert command.read_until("tap")["uid"] == UID
    events.wait_for(ReaderConnected)
    reader.lift()
    reader.hold(CASTLE)
    assert events.wait_for_next() == Tap(CASTLE)


def test_the_readers_of_one_program_are_all_its_own(service: Running, place: Endpoint) -> None:
    with Raw(place) as first, Raw(place) as second, Raw(place) as other:
        assert first.own("companion play (1)")["readers"][0]["state"] == "ready"
        for client in (second, other):
            client.read_until("snapshot")
        assert second.own("companion play (1)")["readers"][0]["state"] == "ready"
        assert other.own("companion play (2)")["readers"][0]["state"] == "lost"
        first.close()
        other.send({"type": "snapshot"})
        assert other.read_until("snapshot")["owner"] == "companion play (1)"


# -- a reader of the table --------------------------------------------------------------------


@pytest.fixture
def shared_reader(
    place: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[SharedReader, Recorder]]]:
    """Start a reader of the table, called `box`, which is a `FakeReader` if opened here."""
    monkeypatch.setattr(shared, "endpoint", lambda _data: place)
    sources: list[SharedReader] = []

    def start(own: FakeReader, **options: Any) -> tuple[SharedReader, Recorder]:
        monkeypatch.setattr(shared, "reader_for", lambda _path, _name, _is_known: own)
        events = Recorder()
        options = {"dropout": 0.01, "grace": 0.05, "own": Own("companion play"), **options}
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
    assert "systemctl --user restart citadels-reader" in event.reason
    assert str(os.getpid()) in event.reason
    assert place.find_holder() is None


def test_a_service_of_another_version_is_to_be_restarted(
    place: Endpoint, shared_reader: Callable[..., tuple[SharedReader, Recorder]]
) -> None:
    own = FakeReader()
    own.gone = ReaderError("Another program is using it; close that program.", "busy")

    def greet() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                line = encode_line("snapshot", service="citadels-reader", readers=[])
                connection.sendall(line.replace(b'"v":5', b'"v":3'))

    with place.listen() as listening:
        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        _source, events = shared_reader(own)
        event = events.wait_for(ReaderDisconnected)
    assert event.reason.startswith("The reader service is of another version; restart it with ")
    assert "systemctl --user restart citadels-reader" in event.reason


def test_a_tap_before_the_readers_are_its_own_comes_after_the_reader(
    place: Endpoint, shared_reader: Callable[..., tuple[SharedReader, Recorder]]
) -> None:
    empty = ReaderState("usb", "usb", "ready")
    greeting = message_line(Snapshot((empty,)))
    answer = message_line(Snapshot((replace(empty, uid=TEMPLE),)))

    def serve_by_hand() -> None:
        for is_asked in (False, True):  # the first connection only lists the readers
            connection, _ = listening.accept()
            with connection:
                connection.sendall(greeting)
                if is_asked:
                    connection.sendall(message_line(Tap(TEMPLE, "usb")))
                    assert b'"own"' in connection.makefile("rb").readline()
                    connection.sendall(answer)
                    told.wait(PATIENCE)

    told = threading.Event()
    with place.listen() as listening:
        threading.Thread(target=serve_by_hand, daemon=True).start()
        _source, events = shared_reader(FakeReader())
        assert events.wait_for_next() == ReaderConnected("box")
        assert events.wait_for_next() == Tap(TEMPLE)
        told.set()
