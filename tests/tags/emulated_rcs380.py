"""A Sony RC-S380 below nfcpy's real driver: takes the place of ``nfc.clf.transport.USB``.

Sony publishes no manual of this reader (NFC Port-100); the only sources are its drivers, nfcpy's
own and the Linux kernel's ``port100.c``. So this answers their commands, checks them against ISO
14443-3 type A, and emulates neither timing nor other functions.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.rigs.chips import Chip
from tests.rigs.pn532 import crc_a

VENDOR, PRODUCT = 0x054C, 0x06C1
ACK = bytes.fromhex("0000ff00ff00")
_TIMEOUT, _CRC_ERROR, _COLLISION = 0x80, 0x04, 0x08
_ADD_CRC, _CHECK_CRC, _LAST_BITS = 1, 2, 7
_CASCADES = b"\x93\x95\x97"


@dataclass
class Rcs380:
    """One reader on the bus; ``refuses`` is an errno that opening it gives."""

    chips: tuple[Chip, ...] = ()
    plugged: bool = True
    refuses: int = 0
    open_handles: int = 0
    field_on: bool = False
    command_type: int = 0
    _protocol: dict[int, int] = field(default_factory=dict)
    _chip_in_field: Chip | None = None

    def lay(self, *chips: Chip) -> None:
        """Replace the chips on the reader with these."""
        for chip in chips:
            chip.field_off()
        self.chips = chips

    def answers(self, frame: bytes) -> Iterator[bytes]:
        """The answers to a frame of the computer."""
        if frame == ACK:  # cancels the current command
            return
        assert frame[:5] == b"\x00\x00\xff\xff\xff"
        (length,) = struct.unpack("<H", frame[5:7])
        body = frame[8 : 8 + length]
        assert body[0] == 0xD6
        assert sum(frame[8 : 9 + length]) & 0xFF == 0
        yield ACK
        answer = bytes((0xD7, body[1] + 1)) + self._execute(body[1], body[2:])
        size = struct.pack("<H", len(answer))
        head = b"\x00\x00\xff\xff\xff" + size + bytes((-sum(size) & 0xFF,))
        yield head + answer + bytes((-sum(answer) & 0xFF, 0))

    def _execute(self, command: int, data: bytes) -> bytes:
        match command:
            case 0x20:  # GetFirmwareVersion
                return b"\x11\x01"
            case 0x22:  # GetPDDataVersion
                return b"\x00\x01"
            case 0x2A:  # SetCommandType
                self.command_type = data[0]
            case 0x06:  # SwitchRF
                self._switch(bool(data[0]))
            case 0x00:  # InSetRF
                pass
            case 0x02:  # InSetProtocol
                self._protocol |= dict(zip(data[::2], data[1::2], strict=True))
            case 0x04:  # InCommRF
                return self._exchange(data[2:])
            case _:
                return b"\x07"  # COMMANDTYPE_ERROR
        return b"\x00"

    def _switch(self, on: bool) -> None:
        self.field_on = on
        if not on:
            self._chip_in_field = None
            for chip in self.chips:
                chip.field_off()

    def _exchange(self, data: bytes) -> bytes:
        """The status of an exchange, the number of bits in its last byte, and the chip's answer."""
        self.field_on = True
        answer = self._answer_chip(data) if self.command_type == 1 else _TIMEOUT
        if isinstance(answer, int):
            return struct.pack("<I", answer)
        return bytes(4) + b"\x08" + answer

    def _answer_chip(self, data: bytes) -> bytes | int:
        bits, crc = self._protocol.get(_LAST_BITS), self._protocol.get(_ADD_CRC)
        if data == b"\x26":
            is_heard = bits == 7 and not crc and bool(self.chips)
            self._chip_in_field = None
            return self.chips[0].sens_res if is_heard else _TIMEOUT
        if bits != 8:
            return _TIMEOUT
        if data[:1] in (b"\x93", b"\x95", b"\x97") and data[1:2] == b"\x20":
            return self._anticollision(_CASCADES.index(data[0])) if not crc else _TIMEOUT
        if data[:1] in (b"\x93", b"\x95", b"\x97") and data[1:2] == b"\x70":
            return self._select(_CASCADES.index(data[0]), data[2:]) if crc else _TIMEOUT
        return self._command(data) if crc else _TIMEOUT

    def _anticollision(self, level: int) -> bytes | int:
        parts = {part for chip in self.chips if (part := _part(chip.uid, level))}
        if len(parts) > 1:
            return _COLLISION  # this reader does not distinguish them
        return parts.pop() if parts else _TIMEOUT

    def _select(self, level: int, data: bytes) -> bytes | int:
        for chip in self.chips:
            if _part(chip.uid, level) == data:
                if _part(chip.uid, level + 1):
                    return b"\x04"
                self._chip_in_field = chip
                chip.select()
                return chip.sel_res
        return _TIMEOUT

    def _command(self, data: bytes) -> bytes | int:
        there = self._chip_in_field is not None and self._chip_in_field in self.chips
        answer = (
            self._chip_in_field.command(data) if there and self._chip_in_field is not None else None
        )
        if answer is None:
            return _TIMEOUT
        if self._protocol.get(_CHECK_CRC):
            return answer if len(answer) > 1 else _CRC_ERROR
        return answer + crc_a(answer) if len(answer) > 1 else answer


def _part(uid: bytes, level: int) -> bytes:
    """A chip's answer at that level of the anticollision, with its check byte."""
    parts = [b"\x88" + uid[i : i + 3] for i in range(0, len(uid) - 4, 3)] + [uid[-4:]]
    if level >= len(parts):
        return b""
    check = 0
    for byte in parts[level]:
        check ^= byte
    return parts[level] + bytes((check,))


def usb_with(reader: Rcs380) -> type:
    """A class like nfcpy's USB transport, on a bus with this reader."""

    class EmulatedUsb:
        TYPE = "USB"
        manufacturer_name = "SONY"
        product_name = "RC-S380/P"

        @classmethod
        def find(cls, path: str) -> list[tuple[int, int, int, int]] | None:
            return [(VENDOR, PRODUCT, 1, 5)] if path.startswith("usb") and reader.plugged else []

        def __init__(self, bus: int, number: int) -> None:
            self._inbox: list[bytes] = []
            if not reader.plugged or reader.refuses:
                raise _os_error(reader.refuses or errno.ENODEV)
            reader.open_handles += 1

        def write(self, frame: Any, timeout: int = 0) -> None:
            self._need_plug()
            self._inbox += reader.answers(bytes(frame))

        def read(self, timeout: int = 0) -> bytearray:
            self._need_plug()
            if not self._inbox:
                raise _os_error(errno.ETIMEDOUT)
            return bytearray(self._inbox.pop(0))

        def close(self) -> None:
            reader.open_handles -= 1

        def _need_plug(self) -> None:
            if not reader.plugged:
                raise _os_error(errno.ENODEV)

    return EmulatedUsb


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
