"""Several readers at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tags.readers.auto_reader import reader_for
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.rigs.chips import Ntag
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.emulated_acr122 import Acr122, usb_with

Watch = Callable[..., Recorder]


@pytest.fixture
def equal_readers(monkeypatch: pytest.MonkeyPatch) -> tuple[Acr122, Acr122]:
    pair = Acr122(bus=1, number=5), Acr122(bus=1, number=6)
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(*pair))
    ports = {"usb@1-2": pair[0], "usb@1-3": pair[1]}
    monkeypatch.setattr(
        "tags.readers.nfcpy_open.find_address",
        lambda address: f"usb:{ports[address].bus:03}:{ports[address].number:03}",
    )
    return pair


@pytest.mark.outer  # finding libusb starts programs
def test_two_equal_readers_keep_their_names(
    equal_readers: tuple[Acr122, Acr122], watch: Watch
) -> None:
    left = watch(reader_for("usb@1-2", "left"))
    right = watch(reader_for("usb@1-3", "right"))
    assert (left.wait_for_next(), right.wait_for_next()) == (
        ReaderConnected("left"),
        ReaderConnected("right"),
    )
    one, other = equal_readers
    other.chip.lay(Ntag(CASTLE))
    one.chip.lay(Ntag(TEMPLE))
    for events, uid, name in ((left, TEMPLE, "left"), (right, CASTLE, "right")):
        tap = events.wait_for_next()
        assert tap == Tap(uid)
        assert isinstance(tap, Tap)
        assert tap.reader == name
    one.plugged = False
    assert isinstance(left.wait_for_next(), ReaderDisconnected)
    one.number = 9  # plugged in again: another number, the same port
    one.plug()
    assert left.wait_for(ReaderConnected) == ReaderConnected("left")
    one.chip.lay()
    assert left.wait_for_next() == Lift(TEMPLE)
    assert right.drain() == []
