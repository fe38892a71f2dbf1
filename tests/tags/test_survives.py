"""Faults that a reader survives without the game noticing, over both emulated readers.

`rig` is a PN532 on a pseudo terminal and an ACR122U, each below nfcpy's own driver.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from companion import chips
from companion.chips.entries import CrownChip
from companion.chips.registry import Registry
from tags import access
from tags.readers import ReaderError
from tags.readers.nfcpy_reader import NfcpyReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.rigs.chips import Ntag
from tests.rigs.simulator import EmulatedReader
from tests.sizes import pick_size
from tests.tags.conftest import CASTLE, TEMPLE, Recorder, Rig

pytestmark = pytest.mark.outer

Watch = Callable[..., Recorder]

TRIES = 5
"""Times that something is tried: on a busy machine the emulated reader may answer too late, and
counts as gone."""

OLD, NEW = b"\xd1\x01\x04T\x02enA", b"\xd1\x01\x08T\x02enTempl"


# -- pulled ------------------------------------------------------------------------------------


def use(rig: Rig, chip: Ntag) -> None:
    """Use all functions of a reader once. Raises ReaderError."""
    rig.chip.lay(chip)
    rig.reader.open()
    assert rig.reader.poll() == (TEMPLE,)
    access.perform(rig.reader, "write", TEMPLE, NEW)  # and reads it back
    rig.chip.lay()
    assert rig.reader.poll() == ()


def read_again(rig: Rig) -> bytes:
    """The chip's content, read after plugging the reader in again."""
    for _time in range(TRIES - 1):
        with suppress(ReaderError):
            rig.reader.open()
            return access.perform(rig.reader, "read", TEMPLE)
    rig.reader.open()
    return access.perform(rig.reader, "read", TEMPLE)


def is_pulled_during_use(rig: Rig, chip: Ntag, place: int) -> bool:
    """Pull the cable at that byte or transfer during use; whether use got that far. A pull raises
    ReaderError, during use or, at its last byte, at the next poll."""
    faults = rig.chip.faults
    for _time in range(TRIES):
        faults.unplug_after = place
        try:
            use(rig, chip)
        except ReaderError:
            if faults.unplug_after is None:
                return True
        else:
            break
    else:
        raise AssertionError(f"lost {TRIES} times before it was pulled at {place}")
    if faults.unplug_after is not None:
        return False
    with pytest.raises(ReaderError):
        rig.reader.poll()
    return True


@pytest.mark.sweep
def test_pulled_anywhere_and_plugged_in_again(rig: Rig) -> None:
    """During opening, polling, writing a chip and reading it back; `make test` samples the PN532's
    bytes. Their number varies: a slow machine repeats commands."""
    usb = rig.reader.path == "usb"
    every = 1 if usb else pick_size(29, 13, 1)
    place, chip = 0, Ntag(TEMPLE, OLD)
    while is_pulled_during_use(rig, chip, place):
        rig.plug()
        rig.chip.lay(chip)
        assert read_again(rig) in (OLD, b"", NEW), place
        rig.unplug()  # for the next round; closing would take ten milliseconds
        with pytest.raises(ReaderError):
            rig.reader.poll()
        rig.plug()
        place, chip = place + every, Ntag(TEMPLE, OLD)
    assert place > (70 if usb else 1000), place


@pytest.mark.sweep
def test_pulled_anywhere_under_the_watch(rig: Rig, watch: Watch) -> None:
    """At the bytes, or transfers, of more than one poll with a chip; in the soak at each."""
    events = watch(rig.reader, interval=0.001, backoff=(0.001, 0.002))
    events.wait_for(ReaderConnected)
    rig.lay(TEMPLE)
    assert events.wait_for_next() == Tap(TEMPLE)
    for place in range(0, 160, pick_size(3, 2, 1)):
        rig.chip.faults.unplug_after = place
        assert isinstance(events.wait_for_next(), ReaderDisconnected)
        rig.plug()
        assert events.wait_for(ReaderConnected)
    rig.lay()
    assert events.wait_for_next() == Lift(TEMPLE)
    assert events.drain() == []


# -- silent and stalled ------------------------------------------------------------------


def test_a_stalled_reader_is_lost_and_comes_back(rig: Rig, watch: Watch) -> None:
    events = watch(rig.reader)
    events.wait_for(ReaderConnected)
    rig.chip.faults.stall = True
    assert isinstance(events.wait_for_next(), ReaderDisconnected)
    rig.chip.faults.stall = False
    events.wait_for(ReaderConnected)
    rig.lay(TEMPLE)
    assert events.wait_for_next() == Tap(TEMPLE)


class StallingChip(Ntag):
    """A chip that silences the reader at its next page."""

    rig: Rig

    def command(self, data: bytes) -> bytes | None:
        self.rig.chip.faults.stall = data[0] == 0xA2
        return super().command(data)


def test_stalled_in_the_middle_of_a_write(rig: Rig) -> None:
    rig.reader.open()
    chip = StallingChip(TEMPLE, OLD)
    chip.rig = rig
    rig.chip.lay(chip)
    with pytest.raises(ReaderError):
        access.perform(rig.reader, "write", TEMPLE, NEW)
    rig.chip.faults.stall = False
    whole = Ntag(TEMPLE)
    whole.memory = chip.memory
    rig.chip.lay(whole)
    rig.reader.open()
    assert access.perform(rig.reader, "read", TEMPLE) in (OLD, b"", NEW)


# -- killed ------------------------------------------------------------------------------------

WRITER = """
import sys
from tags import access
from tags.readers.nfcpy_reader import NfcpyReader
reader = NfcpyReader(sys.argv[1])
reader.open()
access.perform(reader, "write", bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3]))
reader.close()
"""


class KillingChip(Ntag):
    """A chip that kills the program when it writes page `last`."""

    process: subprocess.Popen[bytes]
    last = 0
    pages = 0

    def command(self, data: bytes) -> bytes | None:
        answer = super().command(data)
        self.pages += data[0] == 0xA2
        if data[0] == 0xA2 and self.pages == self.last:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        return answer


def test_a_program_killed_at_any_page_of_a_write(emulator: EmulatedReader) -> None:
    path = str(emulator.path)
    reader = NfcpyReader(path)
    for last in range(1, 20):
        chip = KillingChip(TEMPLE, OLD)
        chip.last = last
        words = [sys.executable, "-c", WRITER, path, TEMPLE.hex(), NEW.hex()]
        chip.process = subprocess.Popen(words)
        emulator.chip.lay(chip)
        code = chip.process.wait(60)
        chip.last = 0
        reader.open()
        assert access.perform(reader, "read", TEMPLE) in (OLD, b"", NEW), last
        access.perform(reader, "write", TEMPLE, NEW)
        assert access.perform(reader, "read", TEMPLE) == NEW
        reader.close()
        if code == 0:
            break
    assert 3 < last < 19


# -- a full disk -------------------------------------------------------------------------------


def test_a_full_disk_keeps_the_old_mapping(tmp_path: Path) -> None:
    """The kernel refuses the new file from its first byte on, as a full disk does."""
    path = str(tmp_path / "tags.yaml")
    chips.save(path, Registry({TEMPLE: CrownChip()}))
    resource = pytest.importorskip("resource")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, old[1]))
    try:
        with pytest.raises(chips.ChipsError, match="cannot be saved"):
            chips.save(path, Registry({CASTLE: CrownChip()}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, before)
    assert chips.load(path).find(CrownChip()) == [TEMPLE]
    assert os.listdir(tmp_path) == ["tags.yaml"]
