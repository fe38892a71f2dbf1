"""An ACR122U below nfcpy's real driver: takes the place of ``nfc.clf.transport.USB``.

Speaks the reader's CCID messages (ACR122U API 2.04, chapters 3 to 6) over the emulated PN532.
"""

from __future__ import annotations

import errno
import os
import struct
from dataclasses import dataclass, field
from typing import Any

from tests.rigs.pn532 import Pn532

VENDOR, PRODUCT = 0x072F, 0x2200


@dataclass
class Acr122:
    """One reader on the bus; ``refuses`` is an errno that opening it gives.

    The chip's faults also apply to the cable: ``unplug_after`` counts transfers, ``garble`` damages
    transfers to the computer, and ``stall`` stops them.
    """

    bus: int = 1
    number: int = 5
    chip: Pn532 = field(default_factory=lambda: Pn532(rf_delay=0, poll_time=0))
    plugged: bool = True
    refuses: int = 0
    product_name: str | None = "ACR122U PICC Interface"
    vendor: int = VENDOR
    product: int = PRODUCT
    commands: list[int] = field(default_factory=list)
    timeouts: list[int] = field(default_factory=list)
    sounds: list[int] = field(default_factory=list)
    """The buzzer's sounds, in tenths of a second."""
    open_handles: int = 0

    def __post_init__(self) -> None:
        self.plug()

    def plug(self) -> None:
        """Plug it in; its firmware wakes the chip and sets it up without a SAM."""
        self.plugged = True
        self.chip.power_up()
        self.chip.wake()
        self.chip.normal = True

    def answer(self, message: bytes) -> bytes:
        """The CCID message that answers ``message``."""
        kind, length, slot, sequence = struct.unpack_from("<BIBB", message)
        data = message[10 : 10 + length]
        body = self.apdu(data) if kind == 0x6F else b""
        return struct.pack("<BIBBBBB", 0x80, len(body), slot, sequence, 0, 0, 0) + body

    def apdu(self, data: bytes) -> bytes:
        """The answer to one pseudo APDU."""
        if data == bytes.fromhex("FF00480000"):
            return b"ACR122U216"
        if data[:3] == b"\xff\x00\x40" and data[8] & 1:  # LED and buzzer, 6.2: on during T1
            self.sounds += [data[5]] * data[7]
        if data[:3] in (b"\xff\x00\x51", b"\xff\x00\x40"):
            return b"\x90\x00"
        body = data[5 : 5 + data[4]] if data[:4] == b"\xff\x00\x00\x00" else b""
        if body[:1] != b"\xd4":
            return b"\x63\x00"
        self.commands.append(body[1])
        if self.chip.asleep:  # firmware 2.15 and 2.16 never wake it again (nfcpy #154)
            return b"\x63\x00"
        answer = self.chip.execute(body[1], body[2:])
        if answer is None:
            return b"\x63\x27"
        return bytes((0xD5, body[1] + 1)) + answer + b"\x90\x00"


def usb_with(*readers: Acr122) -> type:
    """A class like nfcpy's USB transport, on a bus with these readers."""

    class EmulatedUsb:
        TYPE = "USB"
        manufacturer_name = "ACS"

        @classmethod
        def find(cls, path: str) -> list[tuple[int, int, int, int]] | None:
            if not path.startswith("usb"):
                return None
            return [
                (r.vendor, r.product, r.bus, r.number)
                for r in readers
                if r.plugged and _matches(path, r)
            ]

        def __init__(self, bus: int, number: int) -> None:
            self._inbox: list[bytes] = []
            here = [r for r in readers if r.plugged and (r.bus, r.number) == (bus, number)]
            if not here or here[0].refuses:
                raise _os_error(here[0].refuses if here else errno.ENODEV)
            self._reader = here[0]
            self._reader.open_handles += 1
            self._open = True

        @property
        def product_name(self) -> str | None:
            return self._reader.product_name

        def write(self, frame: Any, timeout: int = 0) -> None:
            self._transfer()
            self._inbox.append(self._reader.answer(bytes(frame)))

        def read(self, timeout: int = 0) -> bytearray:
            self._transfer()
            self._reader.timeouts.append(timeout)
            faults = self._reader.chip.faults
            if not self._inbox or faults.stall:
                raise _os_error(errno.ETIMEDOUT)
            answer = bytearray(self._inbox.pop(0))
            answer[-1] ^= 0x55 * faults.spoil_frame()
            return answer

        def close(self) -> None:
            self._reader.open_handles -= self._open
            self._open = False

        def _transfer(self) -> None:
            passed, pulled = self._reader.chip.faults.cut(b".")
            if not passed or not self._reader.plugged:
                self._reader.plugged = False
                raise _os_error(errno.ENODEV)
            self._reader.plugged = not pulled

    return EmulatedUsb


def _matches(path: str, reader: Acr122) -> bool:
    parts = path.split(":")[1:]
    if len(parts) == 2 and len(parts[0]) == 4:
        return (int(parts[0], 16), int(parts[1], 16)) == (reader.vendor, reader.product)
    if len(parts) == 2:
        return (int(parts[0]), int(parts[1])) == (reader.bus, reader.number)
    return True


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
