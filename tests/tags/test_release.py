"""Readers held by one client, for its taps alone or to open them itself, and their return."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.readers.service import SharedReader, find_served_name
from tags import access
from tags.readers.base import ReaderGone
from tags.service.client import ServiceClient
from tags.service.endpoint import Endpoint
from tags.service.release import ReleasedReader
from tags.watch import Lift, ReaderCame, ReaderLost, Tap
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.serving import FakeReader, Raw, Running, serve

pytestmark = pytest.mark.outer

USB = "simulated"
MESSAGE = bytes.fromhex("D101045402656E58")


@pytest.fixture
def place(tmp_path: Path) -> Endpoint:
    return Endpoint(str(tmp_path / "private"))


@pytest.fixture
def service(place: Endpoint, simulated: EmulatedReader) -> Iterator[Running]:
    with serve(place, simulated.reader(), refresh_every=0.01) as running:
        yield running


def released(place: Endpoint, simulated: EmulatedReader) -> ReleasedReader:
    return ReleasedReader(simulated.reader(), place, partial(find_served_name, path=USB))


# -- a reader that the service lets go of ------------------------------------------------------


def test_chips_are_written_by_whoever_has_the_reader_and_then_it_is_everybodys_again(
    service: Running, place: Endpoint, simulated: EmulatedReader
) -> None:
    simulated.hold(TEMPLE)
    with Raw(place) as other:
        other.read_until("tap")
        reader = released(place, simulated)
        reader.open()
        assert other.read()["type"] == "lift"
        until = other.read_until("lost")
        assert until["fault"] == "busy"
        assert "Another program is using this reader" in until["reason"]
        access.write(reader, TEMPLE, MESSAGE)
        assert access.read(reader, TEMPLE) == MESSAGE
        with Raw(place) as late:
            assert late.snapshot["readers"][0]["fault"] == "busy"
            assert late.ask("release", USB)["fault"] == "held"
            assert late.ask("hold", USB)["fault"] == "held"
        reader.close()
        reader.close()
        assert other.read_until("came")["reader"] == USB
        tap = other.read_until("tap")
        assert (tap["uid"], tap["found"]) == (TEMPLE.hex().upper(), True)


def test_a_program_that_is_killed_gives_its_reader_back(
    service: Running, place: Endpoint, simulated: EmulatedReader
) -> None:
    program = f"""
from tags.service.endpoint import Endpoint
from tags.service.release import ReleasedReader
from tags.readers.nfcpy_reader import NfcpyReader
reader = NfcpyReader({simulated.path!r})
released = ReleasedReader(reader, Endpoint({place.folder!r}), lambda readers: {USB!r})
released.open()
print("open", flush=True)
input()
"""
    with (
        Raw(place) as other,
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as tool,
    ):
        assert tool.stdout is not None
        assert tool.stdout.readline() == "open\n"
        other.read_until("lost")
        tool.kill()
        assert other.read_until("came")["reader"] == USB
        simulated.hold(TEMPLE)
        assert other.read_until("tap")["uid"] == TEMPLE.hex().upper()


def test_whoever_has_a_reader_itself_is_told_of_no_events(
    place: Endpoint, simulated: EmulatedReader
) -> None:
    reader = FakeReader("other")
    with serve(place, simulated.reader(), reader) as running, Raw(place) as tool:
        assert tool.ask("release", USB)["type"] == "done"
        running.do(lambda: running.service.hub.say("x"))
        tool.send({"type": "ping", "id": 1})
        assert tool.read()["type"] == "pong"
        assert tool.ask("return", USB)["type"] == "done"


def test_a_reader_is_opened_without_the_service_where_that_has_it_not(
    place: Endpoint, simulated: EmulatedReader
) -> None:
    reader = released(place, simulated)
    for readers in ([], [FakeReader("another")]):
        with serve(place, *readers):
            reader.open()
            simulated.hold(TEMPLE)
            assert access.read(reader, TEMPLE) == b""
            reader.close()
    reader.open()  # there is no service at all
    reader.close()


def test_a_reader_that_another_program_has_is_refused_in_its_words(
    service: Running, place: Endpoint, simulated: EmulatedReader
) -> None:
    reader = released(place, simulated)
    with Raw(place) as other:
        assert other.ask("hold", USB)["type"] == "done"
        with pytest.raises(
            ReaderGone, match="Another program is using this reader"
        ) as exception_info:
            reader.open()
        assert exception_info.value.fault == "busy"
        assert other.ask("return", USB)["type"] == "done"
    reader.open()
    reader.close()


def test_what_is_no_reader_of_the_service(service: Running, place: Endpoint) -> None:
    with Raw(place) as client:
        for use in ("hold", "release", "return"):
            assert client.ask(use, "another")["fault"] == "unknown"
        assert client.ask("return", USB)["type"] == "done"  # nobody has it


# -- taps for one client alone -----------------------------------------------------------------


def test_taps_belong_to_whoever_holds_the_reader(
    service: Running, place: Endpoint, simulated: EmulatedReader
) -> None:
    table, alone = Recorder(), Recorder()
    watching = ServiceClient(place, table, reader=USB)
    watching.start()
    assert table.wait_for_next() == ReaderCame(USB)
    having = ServiceClient(place, alone, reader=USB)
    having.start()
    assert alone.wait_for_next() == ReaderCame(USB)
    having.keep_alone(True)
    event = table.wait_for_next()
    assert isinstance(event, ReaderLost)
    assert event.fault == "busy"
    simulated.hold(TEMPLE)
    assert alone.wait_for(Tap) == Tap(TEMPLE)
    simulated.lift()
    assert alone.wait_for_next() == Lift(TEMPLE)
    simulated.hold(CASTLE)
    assert alone.wait_for_next() == Tap(CASTLE)
    having.stop()
    assert table.wait_for_next() == ReaderCame(USB)  # nothing of the chip that lies there
    simulated.hold(TEMPLE)
    assert table.wait_for_next() == Tap(TEMPLE)
    watching.stop()
    assert watching.join(60)
    assert having.join(60)


def test_the_next_one_has_the_reader_when_the_first_gives_it_back(
    service: Running, place: Endpoint, simulated: EmulatedReader
) -> None:
    events = Recorder()
    second = ServiceClient(place, events, reader=USB)
    with Raw(place) as first:
        assert first.ask("hold", USB)["type"] == "done"
        second.keep_alone(True)
        second.start()
        events.wait_for(ReaderLost)
    events.wait_for(ReaderCame)
    with Raw(place) as other:
        if other.snapshot["readers"][0]["state"] == "ready":
            other.read_until("lost")
        simulated.hold(TEMPLE)
        assert events.wait_for_next() == Tap(TEMPLE)
        second.stop()
        assert second.join(60)
        assert other.read()["type"] == "came"


def test_what_is_tapped_in_private_is_told_to_nobody_else_then_or_later(
    service: Running, place: Endpoint, simulated: EmulatedReader
) -> None:
    alone = Recorder()
    having = ServiceClient(place, alone, reader=USB)
    with Raw(place) as other:
        having.start()
        alone.wait_for(ReaderCame)
        having.keep_alone(True)
        other.read_until("lost")
        simulated.hold(TEMPLE)
        assert alone.wait_for(Tap) == Tap(TEMPLE)
        simulated.hold(CASTLE)
        assert alone.wait_for(Tap) == Tap(CASTLE)
        with Raw(place) as late:
            entries = [late.snapshot]
        having.keep_alone(False)
        entries.append(other.read_until("came"))
        with Raw(place) as late:
            entries.append(late.snapshot)
        simulated.lift()  # of a chip that nobody else knows of
        assert alone.wait_for(Lift) == Lift(CASTLE)
        simulated.hold(TEMPLE)
        while entries[-1]["type"] != "tap":
            entries.append(other.read())
    having.stop()
    kinds = [line["type"] for line in entries if line["type"] != "settled"]
    assert kinds == ["snapshot", "came", "snapshot", "tap"]
    assert CASTLE.hex().upper() not in str(entries)
    assert having.join(60)


def test_a_chip_that_lay_there_before_is_lifted_for_everybody_else(
    service: Running, place: Endpoint, simulated: EmulatedReader
) -> None:
    with Raw(place) as other, Raw(place) as alone:
        simulated.hold(TEMPLE)
        other.read_until("tap")
        assert alone.ask("hold", USB)["type"] == "done"
        assert alone.ask("hold", USB)["type"] == "done"
        assert [other.read()["type"] for _ in range(2)] == ["lift", "lost"]
        assert alone.ask("return", USB)["type"] == "done"
        assert other.read_until("came")
        simulated.lift()
        assert alone.read_until("lift")["uid"] == TEMPLE.hex().upper()
        simulated.hold(CASTLE)
        assert other.read_until("tap")["uid"] == CASTLE.hex().upper()


class HeldReader(FakeReader):
    """A reader that another program holds."""

    def __init__(self) -> None:
        super().__init__()
        self.gone = ReaderGone("Another program is using it; close that program.", "busy")


def test_a_service_that_hangs_is_called_so(place: Endpoint) -> None:
    events = Recorder()
    shared_reader = SharedReader(place, events, HeldReader, name="box", path="usb", served_as=None)
    with place.listen():  # and never answer
        shared_reader.start()
        event = events.wait_for(ReaderLost)
        shared_reader.stop()
        assert shared_reader.join(10)
    assert isinstance(event, ReaderLost)
    assert "systemctl --user restart citadels-reader" in event.reason
    assert str(os.getpid()) in event.reason
    assert place.find_holder() is None
