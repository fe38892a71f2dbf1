"""nfcpy's real drivers over emulated hardware: detecting chips, and failures."""

from __future__ import annotations

import errno
import subprocess
import sys
from contextlib import suppress

import pytest

from tags.readers import ReaderError, nfcpy_serial
from tags.readers.nfcpy_reader import NfcpyReader
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE, Rig
from tests.tags.emulated_acr122 import Acr122, usb_with
from tests.waiting import PATIENCE, read_line

pytestmark = pytest.mark.outer

POWER_DOWN, SET_SPEED = 0x16, 0x10


def test_the_field_is_off_between_polls(rig: Rig) -> None:
    rig.reader.open()
    for chips in ((), (TEMPLE,)):
        rig.lay(*chips)
        rig.reader.poll()
        rig.wait_until_off()


def test_two_chips_are_both_seen_and_a_third_is_not(rig: Rig) -> None:
    rig.reader.open()
    rig.lay(TEMPLE, CASTLE, b"\x04third!")
    assert rig.reader.poll() == (TEMPLE, CASTLE)
    rig.lay(CASTLE)
    assert rig.reader.poll() == (CASTLE,)


def test_opening_and_closing_twice_is_harmless(rig: Rig) -> None:
    rig.reader.close()
    rig.reader.open()
    rig.reader.open()
    rig.reader.close()
    rig.reader.close()


def test_polling_a_closed_reader_is_a_fault_with_a_sentence(rig: Rig) -> None:
    with pytest.raises(ReaderError):
        rig.reader.poll()


@pytest.mark.parametrize("uid", ["08A1B2C3", "04A2B3C4D5E680", "04010203040506070809"])
def test_ids_of_every_length(emulator: EmulatedReader, uid: str) -> None:
    reader = emulator.reader()
    reader.open()
    emulator.hold(bytes.fromhex(uid))
    assert reader.poll() == (bytes.fromhex(uid),)
    reader.close()


def test_damaged_answers_are_asked_for_again(emulator: EmulatedReader) -> None:
    reader = emulator.reader()
    reader.open()
    emulator.hold(TEMPLE)
    for count in range(1, 6):
        emulator.faults.garble = count
        assert reader.poll() == (TEMPLE,)
        assert emulator.faults.garble == 0
    emulator.faults.garble = 99
    with pytest.raises(ReaderError, match="is disturbed") as exception_info:
        reader.poll()
    assert "Errno" not in str(exception_info.value)


def test_a_computer_with_no_time_for_the_reader_does_not_lose_it(
    emulator: EmulatedReader,
) -> None:
    reader = emulator.reader()
    reader.open()
    emulator.hold(TEMPLE)
    emulator.faults.late = 0.2  # nfcpy waits 0.1 for an acknowledgement
    assert [reader.poll(), reader.poll()] == [(TEMPLE,), (TEMPLE,)]
    reader.close()


@pytest.mark.parametrize("late", [0.06, 0.12, 0.3])
def test_a_reader_that_answers_late_is_opened(emulator: EmulatedReader, late: float) -> None:
    emulator.faults.late = late
    reader = emulator.reader()
    reader.open()
    reader.close()


def test_a_silent_port_is_no_reader(emulator: EmulatedReader) -> None:
    emulator.faults.stall = True
    with pytest.raises(ReaderError, match="does not answer") as exception_info:
        emulator.reader().open()
    assert exception_info.value.fault == "silent"


def test_a_cold_chip_is_given_time_to_wake(
    emulator: EmulatedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nfcpy_serial, "ATTEMPTS", ((115200, 100),))
    for _ in range(5):  # a busy computer may itself be too late
        emulator.unplug()
        emulator.plug()
        reader = emulator.reader()
        with suppress(ReaderError):
            reader.open()
            reader.close()
            return
    pytest.fail("what it was told while it woke was lost")


@pytest.mark.parametrize(
    ("misnames", "firmware"),
    [
        ({0x02: 0x14}, b""),
        ({0x14: 0x02}, b"\x32\x01\x06\x07"),
        ({0x02: 0x14, 0x14: 0x02}, b"\x07\x01\x06"),
    ],
)
def test_clones_that_say_wrongly_what_they_are_are_used(
    emulator: EmulatedReader, misnames: dict[int, int], firmware: bytes
) -> None:
    emulator.chip.misnames, emulator.chip.firmware = misnames, firmware
    emulator.hold(TEMPLE)
    reader = emulator.reader()
    reader.open()
    assert reader.poll() == (TEMPLE,)
    reader.close()


def test_what_has_nothing_to_do_with_a_pn532_is_no_reader(emulator: EmulatedReader) -> None:
    emulator.chip.misnames = {0x02: 0x90}  # like a port that echoes some of its input
    emulator.chip.execute = lambda command, data: None  # type: ignore[method-assign]
    with pytest.raises(ReaderError, match="does not answer"):
        emulator.reader().open()


def test_a_chip_whose_converter_sits_on_the_first_bytes_is_waited_for(
    emulator: EmulatedReader,
) -> None:
    emulator.faults.held_until = emulator.chip.clock.seconds() + 0.9
    reader = emulator.reader()
    reader.open()
    reader.close()


@pytest.mark.parametrize("speed", [921600, 460800, 230400])
def test_a_chip_left_at_a_higher_speed_is_brought_back(
    emulator: EmulatedReader, speed: int
) -> None:
    emulator.chip.speed, emulator.chip.asleep = speed, False
    emulator.hold(TEMPLE)
    reader = emulator.reader()
    reader.open()
    assert reader.poll() == (TEMPLE,)
    assert emulator.chip.speed == 115200
    reader.close()


def test_a_port_belongs_to_one_program(emulator: EmulatedReader) -> None:
    first, second = emulator.reader(), emulator.reader()
    first.open()
    with pytest.raises(ReaderError, match="Another program is using") as exception_info:
        second.open()
    assert exception_info.value.fault == "busy"
    first.close()
    second.open()
    second.close()


def test_another_program_that_talks_to_it_is_named(emulator: EmulatedReader) -> None:
    program = "import os, sys; os.open(sys.argv[1], os.O_RDWR); print(flush=True); input()"
    # the other opens it first: this one locks it
    with subprocess.Popen(
        [sys.executable, "-c", program, emulator.path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        read_line(other)
        reader = emulator.reader()
        reader.open()
        emulator.faults.garble = 99
        with pytest.raises(ReaderError, match=rf"{other.pid}\).*close that program") as info:
            reader.poll()
        assert info.value.fault == "busy"
        other.communicate("\n", PATIENCE)


@pytest.mark.parametrize("path", ["/dev/null", __file__])
def test_what_is_no_serial_port_is_called_so(path: str) -> None:
    with pytest.raises(ReaderError, match="is not a serial port"):
        NfcpyReader(path).open()


def test_a_board_that_lost_its_power_is_not_a_cable(emulator: EmulatedReader) -> None:
    reader = emulator.reader()
    reader.open()
    emulator.chip.power_up()
    emulator.chip.wake()
    with pytest.raises(ReaderError, match="lost its power for a moment"):
        reader.poll()
    emulator.hold(TEMPLE)
    reader.open()
    assert reader.poll() == (TEMPLE,)
    reader.close()


def test_an_acr122u_is_closed_awake_and_given_time(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Acr122(product_name=None)
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(device))
    reader = NfcpyReader("usb")
    reader.open()
    reader.poll()
    reader.close()
    reader.open()
    assert reader.poll() == ()
    reader.close()
    assert POWER_DOWN not in device.commands
    assert SET_SPEED not in device.commands
    assert min(device.timeouts) >= 1000
    assert device.open_handles == 0


def test_an_acr122u_sounds_different_for_yes_and_no(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Acr122()
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(device))
    reader = NfcpyReader("usb")
    reader.open()
    assert device.sounds == []
    reader.signal(True)
    reader.signal(False)
    yes, no = device.sounds
    assert yes < no
    device.plugged = False
    with pytest.raises(ReaderError) as exception_info:
        reader.signal(True)
    assert exception_info.value.fault == "missing"


def test_sounds_disturb_no_reader(rig: Rig) -> None:
    rig.reader.open()
    rig.lay(TEMPLE)
    for answer in (True, False):
        rig.reader.signal(answer)
        assert rig.reader.poll() == (TEMPLE,)


@pytest.mark.parametrize("path", ["usb", "usb:072f:2200", "usb:001:005", "usb:072F"])
@pytest.mark.parametrize(
    ("number", "fault", "words"),
    [
        (errno.EACCES, "permission", "udev rule"),
        (errno.EBUSY, "busy", "pcscd"),
        (errno.ENODEV, "missing", "plug"),
        (errno.EIO, "failed", "disconnected"),
    ],
)
def test_why_a_usb_reader_does_not_open_is_told_truly(
    monkeypatch: pytest.MonkeyPatch, path: str, number: int, fault: str, words: str
) -> None:
    device = Acr122(refuses=number)
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(device))
    with pytest.raises(ReaderError, match=words) as exception_info:
        NfcpyReader(path).open()
    assert exception_info.value.fault == fault
    assert device.open_handles == 0


def test_a_reader_that_refuses_does_not_hide_one_that_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = Acr122(number=3, vendor=0x1D6B, product=2)
    acr122, free = Acr122(number=4, refuses=errno.EBUSY), Acr122(number=5)
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(other, acr122, free))
    reader = NfcpyReader("usb")
    reader.open()
    assert (acr122.open_handles, free.open_handles) == (0, 1)
    reader.close()


def test_two_identical_readers_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = Acr122(number=4), Acr122(number=5)
    monkeypatch.setattr("nfc.clf.transport.USB", usb_with(one, two))
    reader = NfcpyReader("usb:001:005")
    reader.open()
    assert (one.open_handles, two.open_handles) == (0, 1)
    reader.close()


def test_a_missing_serial_port() -> None:
    with pytest.raises(ReaderError, match="was not found") as exception_info:
        NfcpyReader("/dev/serial/by-id/no-such-reader").open()
    assert exception_info.value.fault == "missing"
