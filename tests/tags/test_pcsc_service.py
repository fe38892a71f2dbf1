"""The PC/SC reader over the real service and the real pyscard, with a virtual reader.

Needs Debian's pcscd and vsmartcard-vpcd, and the extra ``pcsc``; skips without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tags import access
from tags.readers.pcsc_reader import PcscReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.end_to_end.daemons import Program
from tests.rigs.chips import Ntag
from tests.tags import virtual_pcsc
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.emulated_pcsc import Firmware, Way
from tests.tags.test_access import NEW, OLD, fault
from tests.waiting import wait_until

pytestmark = [pytest.mark.outer, pytest.mark.usefixtures("installed")]


@pytest.fixture(scope="module")
def installed() -> None:
    virtual_pcsc.require()


@pytest.fixture
def pcscd(installed: None) -> Iterator[int]:
    """The service runs; the port for chips."""
    with virtual_pcsc.service() as port:
        yield port


def test_without_the_service_it_says_so(watch: Callable[..., Recorder]) -> None:
    event = watch(PcscReader()).wait_for_next()
    assert isinstance(event, ReaderDisconnected)
    assert event.fault == "software"
    assert "pcscd" in event.reason


def test_a_service_that_is_stopped_and_started_again(watch: Callable[..., Recorder]) -> None:
    with virtual_pcsc.service() as port:
        events = watch(PcscReader("Virtual"), interval=0.02)
        events.wait_for(ReaderConnected)
        chip = virtual_pcsc.VirtualChip(Firmware(Ntag(TEMPLE)), port)
        assert events.wait_for_next() == Tap(TEMPLE)
    assert isinstance(events.wait_for_next(), ReaderDisconnected)
    chip.lift()
    with virtual_pcsc.service():
        events.wait_for(ReaderConnected)
        assert events.wait_for_next() == Lift(TEMPLE)
        assert events.drain() == []


def test_taps_and_lifts_through_the_service(pcscd: int, watch: Callable[..., Recorder]) -> None:
    events = watch(PcscReader("Virtual"), interval=0.02)
    assert events.wait_for_next() == ReaderConnected("pcsc:Virtual")
    for uid in (TEMPLE, CASTLE, TEMPLE):
        chip = virtual_pcsc.VirtualChip(Firmware(Ntag(uid)), pcscd)
        try:
            assert events.wait_for_next() == Tap(uid)
        finally:
            chip.lift()
        assert events.wait_for_next() == Lift(uid)


@contextmanager
def lying(firmware: Firmware, port: int) -> Iterator[PcscReader]:
    """An open reader that has seen the chip."""
    chip, reader = virtual_pcsc.VirtualChip(firmware, port), PcscReader("Virtual")
    try:
        reader.open()
        wait_until(reader.poll, 0.02)
        yield reader
    finally:
        reader.close()
        chip.lift()


@pytest.mark.parametrize("way", ["transparent", "direct"])
def test_a_chip_is_written_read_erased_and_locked_through_the_service(pcscd: int, way: Way) -> None:
    chip = Ntag(TEMPLE, OLD)
    with lying(Firmware(chip, way), pcscd) as reader:
        access.perform(reader, "write", TEMPLE, NEW)
        assert access.perform(reader, "read", TEMPLE) == NEW
        access.perform(reader, "erase", TEMPLE)
        assert access.perform(reader, "read", TEMPLE) == b""
        access.perform(reader, "lock", TEMPLE)
        assert fault(lambda: access.perform(reader, "write", TEMPLE, NEW)) == "locked"
        assert fault(lambda: access.perform(reader, "read", CASTLE)) == "lifted"
    assert b"Crown" not in bytes(chip.memory)


@pytest.mark.parametrize("exchanges", [0, 6, 12])
def test_a_chip_lifted_while_it_is_written_is_whole_or_empty(pcscd: int, exchanges: int) -> None:
    chip = Ntag(TEMPLE, OLD)
    with lying(Firmware(chip, dies_after=exchanges), pcscd) as reader:
        assert fault(lambda: access.perform(reader, "write", TEMPLE, NEW)) == "lifted"
    with lying(Firmware(chip), pcscd) as reader:
        assert access.perform(reader, "read", TEMPLE) in (OLD, b"")
        access.perform(reader, "write", TEMPLE, NEW)
        assert access.perform(reader, "read", TEMPLE) == NEW


def test_a_deck_is_written_through_the_service(pcscd: int) -> None:
    with Program("tags", "write", "--reader", "pcsc:Virtual", "--only", "crown") as writing:
        writing.read_until_all("Next: ", "is ready")
        text, number = "", 0
        # a chip seen at once was there before, and one reported late was not intended
        while "Written: " not in text:
            number += 1
            blank = Ntag(TEMPLE[:-1] + bytes((number,)))
            chip = virtual_pcsc.VirtualChip(Firmware(blank), pcscd)
            try:
                text = writing.read_until(
                    "Written: ", "Refused: ", "tap again", "tap one at a time"
                )
            finally:
                chip.lift()
    assert b"citadels" in bytes(blank.memory)
