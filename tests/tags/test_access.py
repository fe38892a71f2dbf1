"""Chips read, written, erased and locked through nfcpy's real drivers, lifted at every exchange."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.chips.entries import CrownChip, DistrictChip
from companion.chips.ndef import decode, encode
from tags import access
from tags.access import ChipError
from tags.readers import ReaderError
from tags.readers.simulated import SimulatedReader
from tags.watch import ReaderConnected, Watcher
from tests.rigs.chips import NTAG213, NTAG215, NTAG216, Model, Ntag, Phone, PlainChip
from tests.rigs.pn532 import Classic
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE, Recorder, Rig

pytestmark = pytest.mark.outer

OLD = encode(CrownChip(), "Crown")
NEW = encode(DistrictChip("temple", 2), "Temple")


def laid(rig: Rig, ndef: bytes | None = b"") -> Ntag:
    """A chip on the reader, which is open."""
    chip = Ntag(TEMPLE, ndef)
    rig.reader.open()
    rig.chip.lay(chip)
    return chip


def fault(work: Callable[[], object]) -> str:
    with pytest.raises(ChipError, match=r"\.$") as exception_info:
        work()
    return exception_info.value.fault


def whole(work: Callable[[], object]) -> bool:
    """Whether it succeeded; it may fail only because the chip was lifted."""
    try:
        work()
    except ChipError as error:
        answer = error.fault
    else:
        return True
    assert answer == "lifted"
    return False


@pytest.mark.parametrize("message", [b"", NEW, bytes(137), OLD], ids=len)
def test_what_is_written_is_read_and_the_field_is_off(rig: Rig, message: bytes) -> None:
    laid(rig, OLD)
    access.perform(rig.reader, "write", TEMPLE, message)
    assert access.perform(rig.reader, "read", TEMPLE) == message
    assert rig.reader.poll() == (TEMPLE,)
    rig.wait_until_off()


@pytest.mark.parametrize("model", [NTAG215, NTAG216], ids=lambda model: model.name)
@pytest.mark.parametrize("size", [254, 255, 480])
def test_long_messages(emulator: EmulatedReader, model: Model, size: int) -> None:
    reader = emulator.reader()
    reader.open()
    emulator.chip.lay(Ntag(TEMPLE, OLD, model))
    for message in (bytes(range(250)) * 2, b"x" * size, OLD):
        access.perform(reader, "write", TEMPLE, message[:size])
        assert access.perform(reader, "read", TEMPLE) == message[:size]


def test_a_chip_lifted_at_any_exchange_of_a_read_says_so(rig: Rig) -> None:
    chip = laid(rig, NEW)
    for exchanges in range(100):
        rig.chip.lay(chip)
        rig.chip.faults.die_after = exchanges
        if whole(lambda: access.perform(rig.reader, "read", TEMPLE)):
            break
    rig.chip.faults.die_after = None
    assert exchanges > 5


@pytest.mark.parametrize("message", [NEW, b""], ids=len)
def test_a_chip_lifted_at_any_exchange_of_a_write_is_whole_or_empty(
    rig: Rig, message: bytes
) -> None:
    rig.reader.open()
    for exchanges in range(200):
        chip = Ntag(TEMPLE, OLD)
        rig.chip.lay(chip)
        rig.chip.faults.die_after = exchanges
        if whole(lambda: access.perform(rig.reader, "write", TEMPLE, message)):
            break
        rig.chip.lay(chip)
        assert access.perform(rig.reader, "read", TEMPLE) in (OLD, b"", message)
        access.perform(rig.reader, "write", TEMPLE, message)
        assert access.perform(rig.reader, "read", TEMPLE) == message
    rig.chip.faults.die_after = None
    assert exchanges > 5


def test_a_lock_broken_off_at_any_exchange_can_be_finished(rig: Rig) -> None:
    rig.reader.open()
    for exchanges in range(100):
        chip = Ntag(TEMPLE, NEW)
        rig.chip.lay(chip)
        rig.chip.faults.die_after = exchanges
        if whole(lambda: access.perform(rig.reader, "lock", TEMPLE)):
            break
        rig.chip.lay(chip)
        access.perform(rig.reader, "lock", TEMPLE)
        assert access.perform(rig.reader, "read", TEMPLE) == NEW
    rig.chip.faults.die_after = None
    assert exchanges > 5


@pytest.mark.parametrize("damaged", [1, 2])
def test_a_damaged_answer_is_asked_for_again(rig: Rig, damaged: int) -> None:
    laid(rig)
    rig.chip.faults.corrupt = damaged
    access.perform(rig.reader, "write", TEMPLE, NEW)
    assert access.perform(rig.reader, "read", TEMPLE) == NEW


def test_a_locked_chip_is_read_and_never_changed(rig: Rig) -> None:
    chip = laid(rig, NEW)
    access.perform(rig.reader, "lock", TEMPLE)
    access.perform(rig.reader, "lock", TEMPLE)
    before = bytes(chip.memory)
    assert fault(lambda: access.perform(rig.reader, "write", TEMPLE, OLD)) == "locked"
    assert fault(lambda: access.perform(rig.reader, "erase", TEMPLE)) == "locked"
    assert bytes(chip.memory) == before
    assert access.perform(rig.reader, "read", TEMPLE) == NEW


def test_erasing_leaves_no_bytes(rig: Rig) -> None:
    chip = laid(rig, NEW)
    access.perform(rig.reader, "erase", TEMPLE)
    assert access.perform(rig.reader, "read", TEMPLE) == b""
    assert b"temple" not in bytes(chip.memory)


def test_what_does_not_fit_changes_nothing(rig: Rig) -> None:
    chip = laid(rig, OLD)
    before = bytes(chip.memory)
    assert fault(lambda: access.perform(rig.reader, "write", TEMPLE, bytes(138))) == "small"
    assert bytes(chip.memory) == before


def test_only_the_chip_that_is_meant_is_touched(rig: Rig) -> None:
    rig.reader.open()
    other, ntag = Ntag(CASTLE, OLD), Ntag(TEMPLE, OLD)
    before = bytes(other.memory)
    rig.chip.lay(other)
    assert fault(lambda: access.perform(rig.reader, "write", TEMPLE, NEW)) == "lifted"
    rig.chip.lay(other, ntag)
    access.perform(rig.reader, "write", TEMPLE, NEW)
    assert bytes(other.memory) == before
    assert decode(access.perform(rig.reader, "read", TEMPLE)) == DistrictChip("temple", 2)


def test_chips_of_other_kinds_are_told_apart(rig: Rig) -> None:
    laid(rig, None)
    assert fault(lambda: access.perform(rig.reader, "read", TEMPLE)) == "blank"
    for chip in (PlainChip, Classic, Phone):
        rig.chip.lay(chip(bytes.fromhex("12345678")))
        assert (
            fault(lambda: access.perform(rig.reader, "read", bytes.fromhex("12345678")))
            == "unsupported"
        )


@pytest.mark.parametrize("nak", [0x00, 0x01, 0x03, 0x04, 0x05, 0x07])
@pytest.mark.parametrize("first", [5, 20])
def test_a_password_is_no_lock(rig: Rig, nak: int, first: int) -> None:
    chip = laid(rig, OLD)
    config = chip.model.config_page * 4
    chip.refusal = bytes((nak,))
    chip.memory[config + 3] = first  # AUTH0: writing needs the password from this page on
    before = bytes(chip.memory)
    message = b"\xd1\x01\x50T\x02en" + b"x" * 77
    assert fault(lambda: access.perform(rig.reader, "write", TEMPLE, message)) == "protected"
    assert fault(lambda: access.perform(rig.reader, "lock", TEMPLE)) == "protected"
    chip.memory[config + 4] |= 0x80  # PROT: reading as well
    chip.memory[config + 3] = 4
    assert fault(lambda: access.perform(rig.reader, "read", TEMPLE)) == "protected"
    assert bytes(chip.memory)[80:config] == before[80:config]
    chip.memory[config + 3] = 0xFF
    access.perform(rig.reader, "write", TEMPLE, NEW)


@pytest.mark.parametrize("nak", [0x00, 0x04, 0x05])
@pytest.mark.parametrize("page", [10, 22])
def test_a_page_that_is_locked_is_not_called_guarded(rig: Rig, nak: int, page: int) -> None:
    chip = laid(rig, OLD)
    chip.refusal = bytes((nak,))
    if page < 16:
        chip.memory[10:12] = (1 << page).to_bytes(2, "little")
    else:
        chip.memory[160:162] = (1 << (page - 16) // 2).to_bytes(2, "little")
    message = b"\xd1\x01\x50T\x02en" + b"x" * 77
    assert fault(lambda: access.perform(rig.reader, "write", TEMPLE, message)) == "locked"


def test_requests_are_done_between_polls(rig: Rig) -> None:
    events = Recorder()
    watcher = Watcher(rig.reader, events, interval=0.002)
    watcher.start()
    events.wait_for(ReaderConnected)
    rig.lay(TEMPLE)
    events.wait_for_next()
    watcher.request(lambda reader: access.perform(reader, "write", TEMPLE, NEW)).result(60)
    assert watcher.request(lambda reader: access.perform(reader, "read", TEMPLE)).result(60) == NEW
    with pytest.raises(ChipError):
        watcher.request(lambda reader: access.perform(reader, "read", CASTLE)).result(60)
    rig.unplug()
    with pytest.raises(ReaderError):
        watcher.request(lambda reader: access.perform(reader, "read", TEMPLE)).result(60)
    watcher.stop()
    assert watcher.join(60)
    with pytest.raises(ReaderError):
        watcher.request(lambda reader: access.perform(reader, "read", TEMPLE)).result(60)


def test_the_simulated_reader_only_tells_ids() -> None:
    reader = SimulatedReader()
    reader.hold(TEMPLE)
    assert fault(lambda: access.perform(reader, "read", TEMPLE)) == "reader"


@pytest.mark.parametrize("model", [NTAG213, NTAG215, NTAG216], ids=lambda model: model.name)
def test_a_blank_chip_is_formatted_as_its_maker_would(rig: Rig, model: Model) -> None:
    rig.reader.open()
    for exchanges in range(200):
        chip = Ntag(TEMPLE, None, model)
        rig.chip.lay(chip)
        assert fault(lambda: access.perform(rig.reader, "read", TEMPLE)) == "blank"
        rig.chip.faults.die_after = exchanges
        if whole(lambda: access.perform(rig.reader, "format", TEMPLE)):
            break
        rig.chip.faults.die_after = None
        rig.chip.lay(chip)
        access.perform(rig.reader, "format", TEMPLE)
    rig.chip.faults.die_after = None
    assert exchanges > 3
    assert chip.memory[:32] == Ntag(TEMPLE, b"", model).memory[:32]
    access.perform(rig.reader, "write", TEMPLE, NEW)
    assert access.perform(rig.reader, "read", TEMPLE) == NEW


def test_a_damaged_chip_is_not_called_blank(rig: Rig) -> None:
    rig.reader.open()
    chip = Ntag(TEMPLE, OLD)
    chip.memory[21:24] = b"\x03\xff\xff"  # a length beyond the end
    rig.chip.lay(chip)
    assert fault(lambda: access.perform(rig.reader, "read", TEMPLE)) == "damaged"
    access.perform(rig.reader, "format", TEMPLE)
    assert access.perform(rig.reader, "read", TEMPLE) == b""


def test_a_container_with_bits_that_cannot_be_cleared_is_left_alone(rig: Rig) -> None:
    rig.reader.open()
    chip = Ntag(TEMPLE, None)
    chip.memory[12:16] = b"\xe1\xff\x12\x00"
    rig.chip.lay(chip)
    assert fault(lambda: access.perform(rig.reader, "read", TEMPLE)) == "altered"
    assert fault(lambda: access.perform(rig.reader, "format", TEMPLE)) == "altered"


@pytest.mark.parametrize("container", ["E1201200", "E110FF00"], ids=["version 2", "wrong size"])
def test_an_ntag_that_another_program_altered_is_not_called_another_chip(
    rig: Rig, container: str
) -> None:
    rig.reader.open()
    chip = laid(rig, OLD)
    chip.memory[12:16] = bytes.fromhex(container)
    assert fault(lambda: access.perform(rig.reader, "read", TEMPLE)) == "altered"


def test_a_chip_that_lies_there_silent_was_not_taken_away(rig: Rig) -> None:
    rig.reader.open()
    chip = laid(rig)
    chip.command = lambda data: None  # type: ignore[method-assign]
    assert fault(lambda: access.perform(rig.reader, "read", TEMPLE)) == "mute"


def test_an_acknowledgement_is_one_whatever_stands_in_its_upper_bits(rig: Rig) -> None:
    rig.reader.open()
    chip, command = laid(rig), Ntag.command

    def answer(data: bytes) -> bytes | None:
        got = command(chip, data)
        return b"\x2a" if got == b"\x0a" else got

    chip.command = answer  # type: ignore[method-assign]
    access.perform(rig.reader, "write", TEMPLE, NEW)
    assert access.perform(rig.reader, "read", TEMPLE) == NEW


def test_a_chip_that_can_only_be_read_is_found_out_without_writing(rig: Rig) -> None:
    rig.reader.open()
    chip = laid(rig, OLD)
    access.perform(rig.reader, "check", TEMPLE)
    chip.memory[15] |= 0x0F
    assert fault(lambda: access.perform(rig.reader, "check", TEMPLE)) == "locked"
