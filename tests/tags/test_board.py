"""The emulated PN532 is as strict as the real one about waking, SAM set-up and timing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tags.presence import Clock
from tests.rigs import pn532_board as frames
from tests.rigs.chips import Ntag, Phone
from tests.rigs.pn532 import Pn532
from tests.rigs.pn532_board import WAKING, Board, host_frame
from tests.tags.conftest import TEMPLE

VERSION, SAM, POWER_DOWN, LIST, FIELD = 0x02, 0x14, 0x16, 0x4A, 0x32
NORMAL, HSU, I2C = b"\x01\x00\x00", b"\x10\x00", b"\x80\x00"
WAKE = b"\x55" * 3


class Counted(Clock):
    """Simulated time."""

    def __init__(self) -> None:
        self.now = 100.0

    def seconds(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 0)


class Computer:
    """The other end of the line."""

    def __init__(self, **board: float) -> None:
        self.clock = Counted()
        self.chip = Pn532(clock=self.clock)
        self.board = Board(self.chip, wired=bool(board), **board)

    def send(self, data: bytes) -> bytes:
        return b"".join(self.board.receive(data))

    def ask(self, command: int, data: bytes = b"") -> bytes:
        """The answer to a command, with its ACK; empty for silence."""
        return self.send(host_frame(command, data))

    def wake(self) -> None:
        assert self.send(WAKE) == b""
        self.clock.sleep(2 * WAKING)

    def start(self) -> Computer:
        self.wake()
        assert self.ask(SAM, NORMAL)
        return self


def answered(command: int, data: bytes) -> bytes:
    return frames.ACK + frames.answer_frame(command, data)


def test_a_cold_chip_hears_nothing_until_it_is_woken_and_has_had_time() -> None:
    computer = Computer()
    assert computer.ask(VERSION) == b""
    assert computer.ask(VERSION), "what woke it is lost, not what follows"
    computer = Computer()
    assert computer.send(WAKE + host_frame(VERSION, b"")) == b"", "too soon"
    computer = Computer()
    computer.wake()
    assert computer.ask(VERSION) == answered(VERSION, b"\x32\x01\x06\x07")


def test_without_being_told_about_its_sam_it_has_no_radio() -> None:
    computer = Computer()
    computer.wake()
    computer.chip.lay(Ntag(TEMPLE))
    assert computer.ask(LIST, b"\x01\x00").endswith(frames.SYNTAX_ERROR)
    computer.ask(SAM, NORMAL)
    assert TEMPLE in computer.ask(LIST, b"\x01\x00")


@pytest.mark.parametrize(("by", "wakes"), [(HSU, True), (I2C, False)])
def test_from_its_sleep_only_what_it_was_told_wakes_it(by: bytes, wakes: bool) -> None:
    computer = Computer().start()
    assert computer.ask(POWER_DOWN, by)
    computer.clock.sleep(1)
    assert computer.ask(VERSION) == b""
    computer.wake()
    assert bool(computer.ask(VERSION)) is wakes


def test_a_phone_shows_another_id_each_time() -> None:
    computer = Computer().start()
    computer.chip.lay(Phone(bytes.fromhex("08112233")))
    sightings = set()
    for _ in range(5):
        sightings.add(computer.ask(LIST, b"\x01\x00"))
        computer.ask(FIELD, b"\x01\x02")
    assert len(sightings) == 5


def test_a_chip_out_of_sight_is_not_listed_and_has_lost_its_power() -> None:
    computer = Computer().start()
    computer.chip.lay(Ntag(TEMPLE))
    computer.chip.faults.unseen_until = computer.clock.now + 0.12
    assert TEMPLE not in computer.ask(LIST, b"\x01\x00")
    computer.clock.sleep(0.2)
    assert TEMPLE in computer.ask(LIST, b"\x01\x00")


@pytest.mark.parametrize("adapter", [0.001, 0.016])
def test_line_and_converter_take_their_time(adapter: float) -> None:
    computer = Computer(adapter=adapter)
    computer.start()
    now, data = computer.clock.now, host_frame(VERSION, b"")
    got = computer.send(data)
    line = (len(data) + len(got)) * 10 / 115200
    assert computer.clock.now - now == pytest.approx(line + adapter)


def pieces(computer: Computer) -> Iterator[float]:
    for _ in computer.board.receive(host_frame(LIST, b"\x01\x00")):
        yield computer.clock.now


def test_a_quick_converter_hands_on_the_ack_before_the_radio_is_done() -> None:
    for adapter, count in ((0.001, 2), (0.016, 1)):
        computer = Computer(adapter=adapter).start()
        computer.chip.lay(Ntag(TEMPLE))
        assert len(list(pieces(computer))) == count


@pytest.mark.parametrize("preamble", [bytes(10), b"\x55\x55" + bytes(14)])
@pytest.mark.parametrize("adapter", [0.0, 0.001])
def test_a_long_preamble_wakes_it_in_time(preamble: bytes, adapter: float) -> None:
    computer = Computer(adapter=adapter) if adapter else Computer()
    assert computer.send(preamble + host_frame(VERSION, b""))
    computer = Computer()
    assert computer.send(preamble) == b""
    assert computer.ask(VERSION), "on a line without delays, too, it had the preamble's time"


def test_a_frame_with_a_wrong_checksum_is_not_answered() -> None:
    computer = Computer().start()
    frame = host_frame(VERSION, b"")
    for place in (4, len(frame) - 2):
        wrong = frame[:place] + bytes((frame[place] ^ 0x11,)) + frame[place + 1 :]
        assert computer.send(wrong) == b""
    assert computer.send(frame)
