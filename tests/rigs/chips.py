"""Emulated chips: NTAG213, 215 and 216 with their memory, chips with only an id, and phones.

Follows the NXP data sheet NTAG213/215/216 (rev. 3.2): memory layout 8.5, commands 10, locking
8.5.2-8.5.3, password 8.8. A wrong command gets a NAK and ends the selection, as on a real chip.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

ACK = b"\x0a"
NAK_ARGUMENT = b"\x00"
NAK_AUTH = b"\x04"
PAGE = 4

_CC_MAGIC = b"\xe1\x10"
_LOCK_CONTROL_TLV = bytes.fromhex("0103A00C34")


class Chip(Protocol):
    """A chip's interface to the reader."""

    uid: bytes
    sens_res: bytes
    sel_res: bytes

    def select(self) -> None:
        """The reader has chosen this chip."""

    def field_off(self) -> None:
        """The chip has lost its power; memory stays."""

    def command(self, data: bytes) -> bytes | None:
        """The answer without checksum (one byte: a 4-bit ACK or NAK), or None for silence."""


@dataclass(frozen=True)
class Model:
    """The numbers by which the three NTAG21x differ; ``size_code`` and ``version`` as read."""

    name: str
    pages: int
    size_code: int
    version: int

    @property
    def config_page(self) -> int:
        """The first of the four configuration pages."""
        return self.pages - 4


NTAG213 = Model("NTAG213", 45, 0x12, 0x0F)
NTAG215 = Model("NTAG215", 135, 0x3E, 0x11)
NTAG216 = Model("NTAG216", 231, 0x6D, 0x13)
MODELS = (NTAG213, NTAG215, NTAG216)


class Ntag:
    """One NTAG21x; ``ndef`` is the initial message, None leaves it unformatted."""

    sens_res = b"\x44\x00"
    sel_res = b"\x00"

    def __init__(self, uid: bytes, ndef: bytes | None = b"", model: Model = NTAG213) -> None:
        """Raises ``ValueError`` for an id that is not 7 bytes, or a message that does not fit."""
        if len(uid) != 7:
            raise ValueError("an NTAG has an id of 7 bytes")
        self.uid = bytes(uid)
        self.model = model
        self.memory = bytearray(model.pages * PAGE)
        self.refusal = NAK_AUTH  # to writing a locked or protected page; chips and clones differ
        self._is_selected = False
        self._write_ids()
        config = model.config_page * PAGE
        self.memory[config : config + 16] = bytes.fromhex("040000FF00050000FFFFFFFF00000000")
        if ndef is not None:
            self._format(ndef)

    @classmethod
    def with_memory(cls, uid: bytes, memory: bytes) -> Ntag:
        """A chip with that memory. Raises ``StopIteration`` for a size of no model."""
        model = next(model for model in MODELS if model.pages * PAGE == len(memory))
        chip = cls(uid, model=model)
        chip.memory[:] = memory
        return chip

    def _write_ids(self) -> None:
        head, tail = self.uid[:3], self.uid[3:]
        self.memory[0:9] = head + _xor(b"\x88" + head) + tail + _xor(tail)
        self.memory[9] = 0x48

    def _format(self, ndef: bytes) -> None:
        self.memory[12:16] = _CC_MAGIC + bytes((self.model.size_code, 0))
        lead = _LOCK_CONTROL_TLV if self.model is NTAG213 else b""
        short = len(ndef) < 0xFF
        length = bytes((len(ndef),)) if short else b"\xff" + len(ndef).to_bytes(2, "big")
        area = lead + b"\x03" + length + ndef
        room = self.model.size_code * 8
        if len(area) > room:
            raise ValueError(f"a message of {len(ndef)} bytes does not fit on {self.model.name}")
        area = (area + b"\xfe")[:room]
        self.memory[16 : 16 + len(area)] = area

    def select(self) -> None:
        """The reader has chosen this chip."""
        self._is_selected = True

    def field_off(self) -> None:
        """The chip has lost its power."""
        self._is_selected = False

    def command(self, data: bytes) -> bytes | None:
        """The answer to one command, or None if the chip is not selected."""
        if not self._is_selected or not data:
            return None
        match data[0], len(data):
            case 0x30, 2:
                answer = self._read(data[1])
            case 0xA2, 6:
                answer = self._write(data[1], data[2:])
            case 0x60, 1:
                answer = bytes((0, 4, 4, 2, 1, 0, self.model.version, 3))
            case _:
                answer = NAK_ARGUMENT
        if len(answer) == 1 and answer != ACK:
            self.field_off()
        return answer

    def _read(self, page: int) -> bytes:
        if page >= self.model.pages:
            return NAK_ARGUMENT
        if self._is_protected(page, writing=False):
            return self.refusal
        image, answer, place = self._readable(), b"", page
        for _ in range(4):
            if place >= self.model.pages or self._is_protected(place, writing=False):
                place = 0  # it rolls over, also before password-protected pages (10.2)
            answer += image[place * PAGE : (place + 1) * PAGE]
            place += 1
        return answer

    def _readable(self) -> bytearray:
        """The memory as a reader sees it: password and its answer read as zeros."""
        image = bytearray(self.memory)
        image[-8:] = bytes(8)
        return image

    def _write(self, page: int, data: bytes) -> bytes:
        if not 2 <= page < self.model.pages:
            return NAK_ARGUMENT
        if self._is_locked(page) or self._is_protected(page, writing=True):
            return self.refusal
        start = page * PAGE
        if page == 2:
            self._set_bits(10, data[2:])
        elif page == 3:
            self._set_bits(12, data)
        elif page == self.model.config_page - 1:
            self._set_bits(start, data[:3])
        else:
            self.memory[start : start + PAGE] = data
        return ACK

    def _set_bits(self, start: int, data: bytes) -> None:
        """Lock bits and the capability container can be set once and never cleared."""
        for offset, value in enumerate(data, start):
            self.memory[offset] |= value

    def _is_locked(self, page: int) -> bool:
        """Whether the static or dynamic lock bits forbid writing ``page``."""
        config = self.model.config_page
        if 3 <= page < 16:
            return bool(int.from_bytes(self.memory[10:12], "little") >> page & 1)
        if 16 <= page < config - 1:
            start = (config - 1) * PAGE
            bits = int.from_bytes(self.memory[start : start + 2], "little")
            return bool(bits >> (page - 16) // (2 if self.model is NTAG213 else 16) & 1)
        if config <= page < config + 2:
            return bool(self.memory[config * PAGE + 4] & 0x40)
        return False

    def _is_protected(self, page: int, *, writing: bool) -> bool:
        """Whether ``page`` needs the password, which nobody gives."""
        config = self.model.config_page * PAGE
        is_covered = page >= self.memory[config + 3]
        return is_covered and (writing or bool(self.memory[config + 4] & 0x80))


class PlainChip:
    """A card or phone with only an id; it answers no command."""

    sel_res = b"\x20"

    def __init__(self, uid: bytes) -> None:
        """Raises ``ValueError`` if ``uid`` is not 4, 7 or 10 bytes."""
        sizes = {4: b"\x04\x00", 7: b"\x44\x00", 10: b"\x84\x00"}
        if len(uid) not in sizes:
            raise ValueError("a chip id has 4, 7 or 10 bytes")
        self.uid = bytes(uid)
        self.sens_res = sizes[len(uid)]

    def select(self) -> None:
        """Nothing to do."""

    def field_off(self) -> None:
        """Nothing to do."""

    def command(self, data: bytes) -> bytes | None:
        """Silence."""
        return None


class Phone(PlainChip):
    """A phone or a bank card, which generates a new id each time it loses power."""

    sel_res = b"\x20"

    def __init__(self, uid: bytes) -> None:
        """``uid`` is the first one."""
        super().__init__(uid)
        self._shown = False

    def select(self) -> None:
        """Its id has been seen."""
        self._shown = True

    def field_off(self) -> None:
        """Forget the id that was seen."""
        if self._shown:
            self.uid = (
                self.uid[:1] + (int.from_bytes(self.uid[1:], "big") * 7 + 1).to_bytes(8, "big")[-3:]
            )
        self._shown = False


def _xor(data: bytes) -> bytes:
    result = 0
    for byte in data:
        result ^= byte
    return bytes((result,))
