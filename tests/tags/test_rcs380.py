"""nfcpy's real driver of the RC-S380 over an emulated one."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator

import pytest

from tags import access
from tags.access import ChipError
from tags.readers import ReaderError
from tags.readers.nfcpy_reader import NfcpyReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.rigs.chips import Ntag, Phone, PlainChip
from tests.rigs.pn532 import Classic
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.emulated_rcs380 import Rcs380, usb_with

pytestmark = pytest.mark.outer  # finding libusb starts programs

NEW = b"\xd1\x01\x50T\x02en" + b"x" * 77


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Rcs380:
    device = Rcs380()
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(device))
    return device


@pytest.fixture
def reader(device: Rcs380) -> Iterator[NfcpyReader]:
    reader = NfcpyReader("usb")
    reader.open()
    yield reader
    reader.close()
    assert device.open_handles == 0


@pytest.mark.parametrize("uid", ["08A1B2C3", "04A2B3C4D5E680", "04010203040506070809"])
def test_ids_of_every_length(device: Rcs380, reader: NfcpyReader, uid: str) -> None:
    assert reader.poll() == ()
    device.lay(PlainChip(bytes.fromhex(uid)))
    assert reader.poll() == (bytes.fromhex(uid),)
    assert not device.field_on
    device.lay()
    assert reader.poll() == ()


def test_two_chips_are_none(device: Rcs380, reader: NfcpyReader) -> None:
    device.lay(Ntag(TEMPLE), Ntag(CASTLE))
    assert reader.poll() == ()
    device.lay(Ntag(CASTLE))
    assert reader.poll() == (CASTLE,)


def test_a_chip_is_written_read_and_locked(device: Rcs380, reader: NfcpyReader) -> None:
    chip = Ntag(TEMPLE)
    device.lay(chip)
    access.perform(reader, "write", TEMPLE, NEW)
    assert access.perform(reader, "read", TEMPLE) == NEW
    access.perform(reader, "lock", TEMPLE)
    with pytest.raises(ChipError) as exception_info:
        access.perform(reader, "erase", TEMPLE)
    assert exception_info.value.fault == "locked"
    assert access.perform(reader, "read", TEMPLE) == NEW
    assert not device.field_on


@pytest.mark.parametrize("kind", [Classic, Phone])
def test_other_cards_are_told_apart(
    device: Rcs380, reader: NfcpyReader, kind: type[PlainChip]
) -> None:
    device.lay(kind(bytes.fromhex("12345678")))
    with pytest.raises(ChipError) as exception_info:
        access.perform(reader, "read", bytes.fromhex("12345678"))
    assert exception_info.value.fault == "unsupported"


def test_taps_through_a_pulled_cable(device: Rcs380, watch: Callable[..., Recorder]) -> None:
    events = watch(NfcpyReader("usb"))
    events.wait_for(ReaderConnected)
    device.lay(Ntag(TEMPLE))
    assert events.wait_for_next() == Tap(TEMPLE)
    device.plugged = False
    event = events.wait_for_next()
    assert isinstance(event, ReaderDisconnected)
    assert event.fault == "missing"
    device.plugged = True
    events.wait_for(ReaderConnected)
    device.lay()
    assert events.wait_for_next() == Lift(TEMPLE)


def test_a_reader_that_another_program_has(device: Rcs380) -> None:
    device.refuses = errno.EBUSY
    with pytest.raises(ReaderError) as exception_info:
        NfcpyReader("usb").open()
    assert exception_info.value.fault == "busy"
