"""Several readers at once, and the faults that a reader goes through under the watch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tags.readers.factory import reader_for
from tags.simulator import SimulatedReader
from tags.simulator.ntag import Ntag
from tags.watch import Lift, ReaderCame, ReaderLost, Tap
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.emulated_acr122 import Acr122, usb_with

Watch = Callable[..., Recorder]


@pytest.fixture
def equal_readers(monkeypatch: pytest.MonkeyPatch) -> tuple[Acr122, Acr122]:
    pair = Acr122(bus=1, number=5), Acr122(bus=1, number=6)
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(*pair))
    ports = {"usb@1-2": pair[0], "usb@1-3": pair[1]}
    monkeypatch.setattr(
        "tags.readers.usb_ports.numbered",
        lambda address: f"usb:{ports[address].bus:03}:{ports[address].number:03}",
    )
    return pair


def test_two_equal_readers_keep_their_names(
    equal_readers: tuple[Acr122, Acr122], watch: Watch
) -> None:
    left = watch(reader_for("usb@1-2", "left"))
    right = watch(reader_for("usb@1-3", "right"))
    assert (left.next(), right.next()) == (ReaderCame("left"), ReaderCame("right"))
    one, other = equal_readers
    other.chip.lay(Ntag(CASTLE))
    one.chip.lay(Ntag(TEMPLE))
    for events, uid, name in ((left, TEMPLE, "left"), (right, CASTLE, "right")):
        tap = events.next()
        assert tap == Tap(uid)
        assert isinstance(tap, Tap)
        assert tap.reader == name
    one.plugged = False
    assert isinstance(left.next(), ReaderLost)
    one.number, one.plugged = 9, True  # plugged in again: another number, the same port
    assert left.wait_for(ReaderCame) == ReaderCame("left")
    one.chip.lay()
    assert left.next() == Lift(TEMPLE)
    assert right.rest() == []


@pytest.mark.parametrize("after", range(0, 64, 3))
def test_pulled_at_any_byte_and_plugged_in_again(
    simulated: SimulatedReader, watch: Watch, after: int
) -> None:
    events = watch(simulated.reader())
    events.wait_for(ReaderCame)
    simulated.hold(TEMPLE)
    assert events.next() == Tap(TEMPLE)
    simulated.faults.unplug_after = after
    assert isinstance(events.next(), ReaderLost)
    simulated.plug()
    events.wait_for(ReaderCame)
    simulated.lift()
    assert events.next() == Lift(TEMPLE)


@pytest.mark.parametrize("fault", ["corrupt", "garble"])
def test_wrong_checksums_neither_lose_nor_invent_a_tap(
    simulated: SimulatedReader, watch: Watch, fault: str
) -> None:
    events = watch(simulated.reader())
    events.wait_for(ReaderCame)
    for number in range(1, 6):
        setattr(simulated.faults, fault, number)
        simulated.hold(TEMPLE)
        assert events.wait_for(Tap) == Tap(TEMPLE)
        simulated.lift()
        assert events.wait_for(Lift) == Lift(TEMPLE)
    assert events.rest() == []


def test_a_stalled_reader_is_lost_and_comes_back(simulated: SimulatedReader, watch: Watch) -> None:
    events = watch(simulated.reader())
    events.wait_for(ReaderCame)
    simulated.faults.stall = True
    assert isinstance(events.next(), ReaderLost)
    simulated.faults.stall = False
    events.wait_for(ReaderCame)
    simulated.hold(TEMPLE)
    assert events.next() == Tap(TEMPLE)


@pytest.mark.slow
def test_hurried_taps_are_all_told_once(simulated: SimulatedReader, watch: Watch) -> None:
    events = watch(simulated.reader(), interval=0.005)
    events.wait_for(ReaderCame)
    for number in range(200):
        uid = bytes((4, 0, 0, 0, 0, 0, number))
        simulated.hold(uid)
        assert events.next() == Tap(uid)
        simulated.lift()
        assert events.next() == Lift(uid)
