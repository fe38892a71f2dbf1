"""Readers lent by the service: one client at a time, one chip at a time, and never for ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tags.ndef import encode
from tags.registry import DistrictChip
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.simulator import SimulatedReader
from tags.watch import Lift, ReaderCame, ReaderLost, Tap
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.serving import FakeReader, Raw, Running, serving

USB = {"reader": "simulated"}
MESSAGE = encode(DistrictChip("temple", 1), "Temple")


@pytest.fixture
def place(tmp_path: Path) -> Endpoint:
    return Endpoint(str(tmp_path / "private"))


@pytest.fixture
def simulated() -> Iterator[SimulatedReader]:
    with SimulatedReader(rf_delay=0, poll_time=0) as reader:
        yield reader


@pytest.fixture
def service(place: Endpoint, simulated: SimulatedReader) -> Iterator[Running]:
    with serving(place, simulated.reader(), refresh_every=0.01) as running:
        yield running


def ask(client: Raw, deed: str, **fields: Any) -> dict[str, Any]:
    """Send a request; its answer, past the events before it."""
    client.send({"type": deed, "id": deed, **USB, **fields})
    while (answer := client.read()).get("id") != deed:
        pass
    return answer


def test_a_chip_is_read_and_written_by_whoever_has_the_reader(
    service: Running, place: Endpoint, simulated: SimulatedReader
) -> None:
    with Raw(place) as client, Raw(place) as other:
        simulated.hold(TEMPLE)
        client.until("tap")
        assert ask(client, "borrow")["lease"] == 1
        assert other.until("lent")["lease"] == 1
        assert ask(other, "borrow")["fault"] == "lent"
        for deed in ("read", "write", "erase", "lock"):
            assert ask(other, deed, uid=TEMPLE.hex(), message="")["fault"] == "lent"
        assert ask(client, "write", uid=TEMPLE.hex(), message=MESSAGE.hex())["type"] == "done"
        assert ask(client, "read", uid=TEMPLE.hex())["message"] == MESSAGE.hex()
        assert ask(client, "return")["type"] == "done"
        assert other.until("returned")["reader"] == "simulated"
        assert ask(other, "read", uid=TEMPLE.hex())["message"] == MESSAGE.hex()
        assert ask(other, "erase", uid=TEMPLE.hex())["fault"] == "unlent"


def test_no_other_chip_than_the_one_named_is_touched(
    service: Running, place: Endpoint, simulated: SimulatedReader
) -> None:
    simulated.hold(CASTLE, MESSAGE)
    with Raw(place) as client:
        ask(client, "borrow")
        for deed in ("write", "erase", "lock"):
            assert ask(client, deed, uid=TEMPLE.hex(), message="")["fault"] == "lifted"
        assert ask(client, "read", uid=CASTLE.hex())["message"] == MESSAGE.hex()


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "write", "uid": "zz", "message": ""},
        {"type": "write", "uid": TEMPLE.hex(), "message": "0"},
        {"type": "write", "uid": TEMPLE.hex(), "message": "00" * 889},
        {"type": "erase"},
        {"type": "borrow", "reader": 7},
    ],
)
def test_what_is_no_request_about_chips(
    service: Running, place: Endpoint, wrong: dict[str, Any]
) -> None:
    with Raw(place) as client:
        client.send({**USB, **wrong})
        assert client.until("error")["text"]
        assert ask(client, "borrow", reader="another")["fault"] == "unknown"


def test_a_loan_ends_with_its_client(service: Running, place: Endpoint) -> None:
    with Raw(place) as other:
        with Raw(place) as client:
            ask(client, "borrow")
            other.until("lent")
        other.until("returned")
        assert ask(other, "borrow")["lease"] == 2


def test_a_loan_that_lies_idle_is_taken_back(place: Endpoint, simulated: SimulatedReader) -> None:
    with (
        serving(place, simulated.reader(), refresh_every=0.01, loan=0.05),
        Raw(place) as client,
    ):
        ask(client, "borrow")
        assert client.until("returned")
        assert ask(client, "lock", uid=TEMPLE.hex())["fault"] == "unlent"


def test_a_reader_that_tells_only_ids_says_so(place: Endpoint) -> None:
    with serving(place, FakeReader("simulated")), Raw(place) as client:
        assert ask(client, "read", uid=TEMPLE.hex())["fault"] == "reader"


def test_taps_belong_to_whoever_has_the_reader(
    service: Running, place: Endpoint, simulated: SimulatedReader
) -> None:
    table, alone = Recorder(), Recorder()
    watching = ServiceClient(place, table, reader="simulated")
    watching.start()
    assert table.next() == ReaderCame("simulated")
    having = ServiceClient(place, alone, reader="simulated", alone=True)
    having.start()
    lost = table.next()
    assert isinstance(lost, ReaderLost)
    assert lost.fault == "busy"
    simulated.hold(TEMPLE)
    assert alone.wait_for(Tap) == Tap(TEMPLE)
    simulated.lift()
    assert alone.next() == Lift(TEMPLE)
    simulated.hold(CASTLE)
    assert alone.next() == Tap(CASTLE)
    having.stop()
    assert table.next() == ReaderCame("simulated")  # nothing of the chip that lies there
    simulated.hold(TEMPLE)
    assert table.next() == Tap(TEMPLE)
    watching.stop()
    assert watching.join(20)
    assert having.join(20)


def test_the_next_one_has_the_reader_when_the_first_gives_it_back(
    service: Running, place: Endpoint, simulated: SimulatedReader
) -> None:
    first, second = Recorder(), Recorder()
    clients = [
        ServiceClient(place, events, reader="simulated", alone=True) for events in (first, second)
    ]
    clients[0].start()
    assert first.next() == ReaderCame("simulated")
    with Raw(place) as client:
        if client.snapshot["readers"][0]["lease"] is None:
            client.until("lent")
    clients[1].start()
    second.wait_for(ReaderLost)
    clients[0].stop()
    second.wait_for(ReaderCame)
    simulated.hold(TEMPLE)
    assert second.next() == Tap(TEMPLE)
    clients[1].stop()
    assert all(client.join(20) for client in clients)


def test_what_is_tapped_in_private_is_told_to_nobody_else_then_or_later(
    service: Running, place: Endpoint, simulated: SimulatedReader
) -> None:
    alone = Recorder()
    having = ServiceClient(place, alone, reader="simulated")
    with Raw(place) as other:
        having.start()
        alone.wait_for(ReaderCame)
        having.keep_alone(True)
        begun = other.until("lent")["seq"]
        simulated.hold(TEMPLE)
        assert alone.wait_for(Tap) == Tap(TEMPLE)
        simulated.hold(CASTLE)
        assert alone.wait_for(Tap) == Tap(CASTLE)
        assert ask(other, "read", uid=CASTLE.hex())["fault"] == "lent"
        having.keep_alone(False)
        told = [other.read()]
        while told[-1]["type"] != "returned":
            told.append(other.read())
        simulated.lift()  # of a chip that nobody else knows of
        assert alone.wait_for(Lift) == Lift(CASTLE)
        simulated.hold(TEMPLE)
        told.append(other.until("tap"))
        other.send({"type": "resume", "session": other.hello["session"], "since": begun})
        again = [other.until("resumed")]
        while again[-1]["type"] != "tap":
            again.append(other.read())
        with Raw(place) as late:
            told.append(late.snapshot)
    having.stop()
    assert [line["type"] for line in told] == ["returned", "tap", "snapshot"]
    assert [line["type"] for line in again] == ["resumed", "returned", "tap"]
    assert CASTLE.hex().upper() not in str(told + again)
    assert having.join(20)


def test_a_private_moment_outlives_the_patience_of_the_service(
    place: Endpoint, simulated: SimulatedReader
) -> None:
    alone = Recorder()
    with serving(place, simulated.reader(), refresh_every=0.01, loan=0.05), Raw(place) as other:
        having = ServiceClient(place, alone, reader="simulated")
        having.start()
        alone.wait_for(ReaderCame)
        having.keep_alone(True)
        assert [other.until("lent")["lease"] for _ in range(3)] == [1, 2, 3]
        having.stop()
        assert having.join(20)
