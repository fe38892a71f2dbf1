"""The layer above nfcpy's devices, for errors that no emulated reader makes."""

from __future__ import annotations

import os
import termios
from typing import Any

import nfc.clf
import pytest

from tags.readers import nfcpy_serial
from tags.readers.nfcpy_radio import FOREIGN_EVERY, Radio
from tags.watch import Lift, Tap, Watcher
from tests.rigs.chips import PlainChip
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE, Recorder, Rig

pytestmark = pytest.mark.outer


class Careless:
    """A device that selects any chip, not the requested one."""

    def __init__(self, uid: bytes) -> None:
        self.field_on = False
        self._uid = uid

    def sense_tta(self, target: Any) -> Any:
        self.field_on = True
        return nfc.clf.RemoteTarget(
            "106A", sens_res=b"\x44\x00", sel_res=b"\x00", sdd_res=self._uid
        )

    def mute(self) -> None:
        self.field_on = False


def test_another_chip_than_the_one_that_was_meant_is_left_alone() -> None:
    device = Careless(CASTLE)
    with Radio(device).select_only(TEMPLE) as exchange:
        assert exchange is None
    assert not device.field_on
    with Radio(device).select_only(CASTLE) as exchange:
        assert exchange is not None


@pytest.mark.parametrize("uid", [b"", b"\x04", bytes(5), bytes(11)])
def test_an_id_that_cannot_be_one_is_no_chip(uid: bytes) -> None:
    assert Radio(Careless(uid)).look() == ()


class TypeAOnly(Careless):
    """A device that knows no other standard, as a PN531."""

    def sense_tta(self, target: Any) -> None:
        return None

    def sense_ttb(self, target: Any) -> None:
        raise nfc.clf.UnsupportedTargetError("no type B")

    def sense_ttf(self, target: Any) -> None:
        raise ValueError("unsupported bitrate")


def test_a_reader_that_knows_only_type_a_sees_nothing_else() -> None:
    radio = Radio(TypeAOnly(TEMPLE))
    assert [radio.look() for _ in range(2 * FOREIGN_EVERY)] == [()] * (2 * FOREIGN_EVERY)


def test_closing_leaves_the_chip_awake_at_its_speed_and_the_field_off(
    emulator: EmulatedReader,
) -> None:
    reader = emulator.reader()
    reader.open()
    reader.poll()
    while emulator.chip.field_on:
        pass
    emulator.chip.field_on = True  # as after a select that was broken off
    before = emulator.chip.commands
    reader.close()
    assert not emulator.chip.asleep
    assert emulator.chip.speed == nfcpy_serial.SPEED
    assert not emulator.chip.field_on
    assert emulator.chip.commands == before + 1


def test_a_port_that_has_hung_up_is_an_error_and_not_silence() -> None:
    read, write = os.pipe()
    os.close(write)

    class Port:
        def fileno(self) -> int:
            return read

    line = nfcpy_serial.SerialLine.__new__(nfcpy_serial.SerialLine)
    with pytest.raises(OSError, match="hung up"):
        line._receive(Port(), 1)
    os.close(read)


@pytest.mark.parametrize("error", [termios.error(5, "gone"), TypeError("no file"), ValueError("x")])
def test_whatever_a_vanished_port_raises_is_an_os_error(error: Exception) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(OSError, match=r"gone|no file|x"):
        nfcpy_serial.call_port(fail)


class BankCard(PlainChip):
    """A bank card whose id never changes."""

    sel_res = b"\x20"


def test_cards_that_cannot_be_used_are_named_by_their_kind(rig: Rig) -> None:
    events = Recorder()
    watcher = Watcher(rig.reader, events, interval=0.002, dropout=0.02)
    watcher.start()

    rig.chip.lay(BankCard(TEMPLE))
    assert events.wait_for(Tap).kind == "iso-dep"
    rig.lay(CASTLE)
    assert events.wait_for(Tap).kind is None
    rig.lay()
    for number, kind in ((1, "felica"), (3, "type b")):
        rig.chip.foreign = number
        assert events.wait_for(Tap).kind == kind
        rig.chip.foreign = None
        events.wait_for(Lift)
    watcher.stop()
    assert watcher.join(10)
