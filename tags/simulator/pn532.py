"""An emulated PN532: host commands in, answers out, with an antenna on which chips can lie.

Only the commands that nfcpy's drivers send, as the PN532 user manual (UM0701-02, chapter 7)
gives them.  Knows nothing of how the commands travel.
"""

from __future__ import annotations

import time

from tags.simulator.faults import Faults
from tags.simulator.ntag import Chip

SPEEDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
"""Baud, by the number that SetSerialBaudRate carries."""

RADIO_COMMANDS = (0x40, 0x42, 0x4A)
"""InDataExchange, InCommunicateThru and InListPassiveTarget: those that take time."""

_RX_MODE, _TX_CONTROL, _FIFO_DATA = 0x6303, 0x6304, 0x6339
_CRC_ON = 0x80
_REQA = 0x26
_TIMEOUT, _CRC_ERROR = b"\x01", b"\x02"
_RF_FIELD, _RF_TIMINGS = 0x01, 0x02


class Pn532:
    """The chip on the reader board.

    ``rf_delay`` is how long one radio exchange takes and ``poll_time`` how much longer the search
    takes when no chip answers, both in seconds.  ``field`` holds the chips on the antenna and may
    be replaced, never changed in place, from any thread; ``field_on`` is whether it is powered.
    """

    def __init__(
        self, *, rf_delay: float = 0.005, poll_time: float = 0.01, faults: Faults | None = None
    ) -> None:
        self.rf_delay = rf_delay
        self.poll_time = poll_time
        self.faults = faults or Faults()
        self.field: tuple[Chip, ...] = ()
        self.speed = 115200
        self.sightings = 0
        self._registers: dict[int, int] = {}
        self.field_on = False
        self._target: Chip | None = None
        self._answer_timeout = 0.0512

    def lay(self, *chips: Chip) -> None:
        """Put these chips on the antenna, instead of what lay there."""
        for chip in chips:
            chip.field_off()
        self.field = chips

    def execute(self, command: int, data: bytes) -> bytes | None:
        """The answer's data to one host command, or None for an unknown or broken one."""
        try:
            return self._execute(command, data)
        except IndexError:
            return None

    def _execute(self, command: int, data: bytes) -> bytes | None:
        match command:
            case 0x00:  # Diagnose: the line test sends its data back
                return data if data[:1] == b"\x00" else b"\x00"
            case 0x02:  # GetFirmwareVersion
                return b"\x32\x01\x06\x07"
            case 0x04:  # GetGeneralStatus
                return bytes((0, self.field_on, 0, 0x80))
            case 0x06:
                return self._read_registers(data)
            case 0x08:
                return self._write_registers(data)
            case 0x10:  # SetSerialBaudRate; the line changes when the host acknowledges
                return b"" if data[0] < len(SPEEDS) else None
            case 0x12 | 0x14:  # SetParameters, SAMConfiguration
                return b""
            case 0x16:  # PowerDown
                self._switch_off()
                return b"\x00"
            case 0x32:
                return self._configure_rf(data)
            case 0x40:  # InDataExchange, after the target's number
                return self._exchange(data[1:])
            case 0x42:  # InCommunicateThru
                return self._exchange(data)
            case 0x44 | 0x52 | 0x54:  # InDeselect, InRelease, InSelect
                return b"\x00"
            case 0x4A:
                return self._list_passive_target(data)
        return None

    def _read_registers(self, data: bytes) -> bytes:
        defaults = {
            _FIFO_DATA: _REQA,
            _RX_MODE: _CRC_ON,
            _TX_CONTROL: 3 if self.field_on else 0,
        }
        names = (data[i] << 8 | data[i + 1] for i in range(0, len(data), 2))
        return bytes(self._registers.get(name, defaults.get(name, 0)) for name in names)

    def _write_registers(self, data: bytes) -> bytes:
        for i in range(0, len(data), 3):
            self._registers[data[i] << 8 | data[i + 1]] = data[i + 2]
        return b""

    def _configure_rf(self, data: bytes) -> bytes:
        if data[0] == _RF_FIELD:
            if data[1] & 1:
                self.field_on = True
            else:
                self._switch_off()
        elif data[0] == _RF_TIMINGS and len(data) >= 4:
            self._answer_timeout = 1e-4 * 2 ** (data[3] - 1) if data[3] else 10.0
        return b""

    def _switch_off(self) -> None:
        self.field_on, self._target = False, None
        for chip in self.field:
            chip.field_off()

    def _list_passive_target(self, data: bytes) -> bytes:
        """Search for one chip; of several the first answers, as nfcpy asks for one only."""
        self.field_on, self._target = True, None
        self._registers.pop(_RX_MODE, None)
        time.sleep(self.rf_delay)
        wanted = data[2:].removeprefix(b"\x88")
        found = [chip for chip in self.field if wanted in (b"", chip.uid)] if not data[1] else []
        if not found:
            time.sleep(self.poll_time)
            return b"\x00"
        chip = self._target = found[0]
        chip.select()
        self.sightings += 1
        head = b"\x01\x01" + chip.sens_res[::-1] + chip.sel_res
        return head + bytes((len(chip.uid),)) + chip.uid

    def _exchange(self, data: bytes) -> bytes:
        """One command to the selected chip and its answer, checksums as the registers say."""
        time.sleep(self.rf_delay)
        if self.faults.chip_dies():
            self.field = ()
        target = self._target
        answer = target.command(data) if target is not None and target in self.field else None
        if answer is None:
            time.sleep(self._answer_timeout)
            return _TIMEOUT
        checked = bool(self._registers.get(_RX_MODE, _CRC_ON) & _CRC_ON)
        if len(answer) == 1:
            # A 4-bit ACK or NAK carries no checksum and fails the check.
            return _CRC_ERROR if checked else b"\x00" + answer
        damaged = self.faults.damages_answer()
        if checked:
            return _CRC_ERROR if damaged else b"\x00" + answer
        checksum = crc_a(answer)
        return b"\x00" + answer + (bytes(b ^ 0xFF for b in checksum) if damaged else checksum)


def crc_a(data: bytes) -> bytes:
    """The ISO 14443-3 type A checksum, low byte first."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return (crc & 0xFFFF).to_bytes(2, "little")
