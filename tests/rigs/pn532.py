"""An emulated PN532: host commands in, answers out, with chips on its antenna.

The commands that nfcpy sends, as specified in the PN532 user manual (UM0701-02, chapter 7).
Independent of the transport.
"""

from __future__ import annotations

from dataclasses import dataclass

from tags.presence import Clock
from tests.rigs.antenna import Antenna
from tests.rigs.chips import Chip, PlainChip

SPEEDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
"""Baud, by the number that SetSerialBaudRate carries."""

RADIO_COMMANDS = (0x42, 0x4A)
"""InCommunicateThru and InListPassiveTarget: those that take time."""

FIRMWARE = b"\x32\x01\x06\x07"

_RX_MODE = 0x6303
_CONTROL = 0x633C  # the bits of the last byte received
_CRC_ON = 0x80
_TIMEOUT, _CRC_ERROR = b"\x01", b"\x02"
_RF_FIELD, _RF_TIMINGS = 0x01, 0x02
_NORMAL = 1
_WAKES_ON_SERIAL = 0x10
_ISO_DEP = 0x20
_ATS = bytes.fromhex("0578807002")


@dataclass
class Faults:
    """The active faults; may be changed at any time from any thread.

    ``die_after``: the chip is lifted when this many more exchanges with it have been made.
    ``corrupt``: this many of the chip's next answers arrive with a wrong checksum.
    ``unseen_until``: no chip is detected before this second of the emulation's clock. ``garble``:
    this many of the reader's next answers to the computer arrive damaged. ``stall``: the reader
    receives commands but does not answer. ``late``: seconds by which every answer is late, as on a
    busy computer. ``held_until``: the converter keeps what it receives until that second of the
    clock. ``unplug_after``: the cable is pulled after this many more bytes in either direction.
    """

    die_after: int | None = None
    corrupt: int = 0
    unseen_until: float = float("-inf")
    garble: int = 0
    stall: bool = False
    late: float = 0.0
    held_until: float = float("-inf")
    unplug_after: int | None = None

    def chip_dies(self) -> bool:
        """Count one exchange; whether the chip is lifted before it can answer."""
        if self.die_after is None:
            return False
        if self.die_after > 0:
            self.die_after -= 1
            return False
        self.die_after = None
        return True

    def spoil_answer(self) -> bool:
        """Count one answer of the chip; whether its checksum is wrong."""
        hit = self.corrupt > 0
        self.corrupt -= hit
        return hit

    def spoil_frame(self) -> bool:
        """Count one frame to the computer; whether it is damaged."""
        hit = self.garble > 0
        self.garble -= hit
        return hit

    def cut(self, data: bytes) -> tuple[bytes, bool]:
        """The part of ``data`` that still passes through the cable, and whether it is pulled
        now."""
        if self.unplug_after is None:
            return data, False
        content = data[: self.unplug_after]
        self.unplug_after -= len(content)
        if self.unplug_after > 0:
            return content, False
        self.unplug_after = None
        return content, True


class Classic(PlainChip):
    """A MIFARE Classic card, which answers nothing before authentication (MF1S50, 9.1.1)."""

    sel_res = b"\x08"

    def command(self, data: bytes) -> bytes | None:
        """The NAK for a command that is not allowed."""
        return b"\x04"


class Pn532(Antenna):
    """The chip on the reader board.

    ``rf_delay`` is how long one radio exchange takes and ``poll_time`` how much longer a search
    takes that finds nothing, both in seconds of the ``clock``. ``field`` holds the chips on the
    antenna and may be replaced, never changed in place, from any thread; ``field_on`` is whether it
    is powered. ``asleep`` is whether it reacts only to a wake-up, and ``normal`` whether it was set
    up without a security module, before which it has no radio. Clones differ in ``firmware``, and
    may answer one command under the number of another one (``misnames``).
    """

    def __init__(
        self,
        *,
        rf_delay: float = 0.005,
        poll_time: float = 0.01,
        faults: Faults | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__()
        self.rf_delay = rf_delay
        self.poll_time = poll_time
        self.faults = faults or Faults()
        self.clock = clock or Clock()
        self.firmware = FIRMWARE
        self.foreign: int | None = None  # the kind (7.3.5) of a card that is not of type A
        self.misnames: dict[int, int] = {}
        self.commands = 0
        self.power_up()

    def power_up(self) -> None:
        """Reset to the power-on state: asleep, without radio, at the usual speed."""
        self.speed = 115200
        self.asleep, self._wakes_on = True, _WAKES_ON_SERIAL
        self.normal = False
        self.field_on = False
        self._registers: dict[int, int] = {}
        self._target: Chip | None = None
        self._answer_timeout = 0.0512

    def wake(self) -> None:
        """Wake over the serial line, if that is enabled."""
        if self._wakes_on & _WAKES_ON_SERIAL:
            self.asleep = False

    def execute(self, command: int, data: bytes) -> bytes | None:
        """The answer's data to one host command, or None for an unknown or broken one."""
        self.commands += 1
        if command in RADIO_COMMANDS and not self.normal:
            return None
        try:
            return self._execute(command, data)
        except IndexError:
            return None

    def _execute(self, command: int, data: bytes) -> bytes | None:
        match command:
            case 0x00:  # Diagnose: the line test sends its data back
                return data if data[:1] == b"\x00" else b"\x00"
            case 0x02:  # GetFirmwareVersion
                return self.firmware
            case 0x06:
                return self._read_registers(data)
            case 0x08:
                return self._write_registers(data)
            case 0x10:  # SetSerialBaudRate; the line changes when the host acknowledges
                return b"" if data[0] < len(SPEEDS) else None
            case 0x12:  # SetParameters
                return b""
            case 0x14:  # SAMConfiguration
                self.normal = data[0] == _NORMAL
                return b""
            case 0x16:  # PowerDown, with what may wake it
                self.switch_off()
                self.asleep, self._wakes_on = True, data[0]
                return b"\x00"
            case 0x32:
                return self._configure_rf(data)
            case 0x42:
                return self._communicate(data)
            case 0x4A:
                return self._list_passive_target(data)
        return None

    def _read_registers(self, data: bytes) -> bytes:
        names = (data[i] << 8 | data[i + 1] for i in range(0, len(data), 2))
        return bytes(
            self._registers.get(name, _CRC_ON if name == _RX_MODE else 0) for name in names
        )

    def _write_registers(self, data: bytes) -> bytes:
        for i in range(0, len(data), 3):
            self._registers[data[i] << 8 | data[i + 1]] = data[i + 2]
        return b""

    def _configure_rf(self, data: bytes) -> bytes:
        if data[0] == _RF_FIELD:
            if data[1] & 1:
                self.field_on = True
            else:
                self.switch_off()
        elif data[0] == _RF_TIMINGS and len(data) >= 4:
            self._answer_timeout = 1e-4 * 2 ** (data[3] - 1) if data[3] else 10.0
        return b""

    def switch_off(self) -> None:
        """Switch the field off; every chip loses power."""
        self.field_on, self._target = False, None
        super().switch_off()

    def find(self, most: int, data: bytes = b"") -> list[Chip]:
        """Select up to ``most`` chips that answer a search; ``data`` is an id or empty."""
        self.field_on, self._target = True, None
        if self._is_deaf():
            return []
        chips = super().find(most, data)
        if chips:
            self._target = chips[-1]
        return chips

    def _is_deaf(self) -> bool:
        """Whether no chip is detected now; a selected one has lost power."""
        deaf = self.clock.seconds() < self.faults.unseen_until
        if deaf:
            self.switch_off()
        return deaf

    def _list_passive_target(self, data: bytes) -> bytes | None:
        """Search once for one or two chips, or for the one whose id is given (7.3.5); nfcpy has it
        search no longer. Answers how many targets, and each."""
        most, kind, about = data[0], data[1], data[2:]
        if most not in (1, 2):
            return None
        self._registers.pop(_RX_MODE, None)  # a search sets it to check checksums
        self.clock.sleep(self.rf_delay)
        if kind and kind == self.foreign:
            self.field_on = True
            return b"\x01\x01" + bytes(18)
        chips = [] if kind else self.find(most, _one_id(about))
        if len(chips) < most:  # the search for another one is just one unanswered exchange
            self.clock.sleep(self.rf_delay if chips else self.poll_time)
        targets = (self._describe(number, chip) for number, chip in enumerate(chips, 1))
        return bytes((len(chips),)) + b"".join(targets)

    def _describe(self, number: int, chip: Chip) -> bytes:
        """A target of type A as a search lists it."""
        answer = bytes((number,)) + chip.sens_res[::-1] + chip.sel_res
        answer += bytes((len(chip.uid),)) + chip.uid
        if chip.sel_res[0] & _ISO_DEP:
            answer += _ATS
        return answer

    def _communicate(self, data: bytes) -> bytes:
        """InCommunicateThru: one frame as it is to the selected chip; its answer's checksum is
        checked as the register says."""
        answer = self._send(data)
        if answer is None:
            return _TIMEOUT
        checks_sum = bool(self._registers.get(_RX_MODE, _CRC_ON) & _CRC_ON)
        self._registers[_CONTROL] = 4 if len(answer) == 1 else 0
        if len(answer) == 1:
            # A 4-bit ACK or NAK carries no checksum and fails the check.
            return _CRC_ERROR if checks_sum else b"\x00" + answer
        is_damaged = self.faults.spoil_answer()
        if checks_sum:
            return _CRC_ERROR if is_damaged else b"\x00" + answer
        content = bytes((answer[0] ^ 0x55,)) + answer[1:] if is_damaged else answer
        return b"\x00" + content + crc_a(answer)

    def _send(self, data: bytes) -> bytes | None:
        """The selected chip's answer to a command without checksum; None for silence."""
        self.exchanges += 1
        self.clock.sleep(self.rf_delay)
        if self.faults.chip_dies():
            self.field = ()
        deaf = self._is_deaf()
        target = self._target
        there = not deaf and target is not None and target in self.field
        answer = target.command(data) if there and target is not None else None
        if answer is None:
            self.clock.sleep(self._answer_timeout)
        return answer


def _one_id(data: bytes) -> bytes:
    """The id from a search command, which has a cascade tag before each part but the last.

    Anything else matches no chip, as over the air.
    """
    if len(data) in (0, 4):
        return data
    parts = [data[i : i + 4] for i in range(0, len(data), 4)]
    if any(part[0] != 0x88 for part in parts[:-1]):
        return data
    return b"".join(part[1:] for part in parts[:-1]) + parts[-1]


def crc_a(data: bytes) -> bytes:
    """The ISO 14443-3 type A checksum, low byte first."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return (crc & 0xFFFF).to_bytes(2, "little")
