"""One chip on a PC/SC reader, and the reader's commands for passing commands to a chip.

After PC/SC part 3, 2.01.09 (``FF CA`` 3.2.2.1.3, ``FF B0`` 3.2.2.1.8, ``FF D6`` 3.2.2.1.9; names of
chips in the ATR 3.1.3.2.3), its supplement for transparent exchanges (``FF C2``), and ACS's API of
the ACR122U 2.04 (``FF 00``). Needs no package: its dependencies are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tags.access import ChipError
from tags.links import LENGTHS
from tags.presence import UnfitKind
from tags.type2 import ChipSilent, Transceive

GET_UID = bytes.fromhex("FFCA000000")

_READ, _WRITE, _ACK = 0x30, 0xA2, b"\x0a"
_NAK, _NAK_PROTECTED = b"\x00", b"\x04"

_DONE, _PROTECTED = 0x9000, 0x6982
_NO_SUCH_COMMAND = {0x6800, 0x6881, 0x6A81, 0x6D00, 0x6E00}

_START, _END = bytes.fromhex("FFC20000028100"), bytes.fromhex("FFC20000028200")
_TRANSCEIVE, _RECEIVED = 0x95, 0x97
_IN_COMMUNICATE_THRU = b"\xd4\x42"

_STORAGE_CHIP = bytes.fromhex("804F0CA000000306")
"""The start of the historical bytes of a storage chip; its standard (1 byte) and its name (2 bytes)
follow."""
_MIFARE_CLASSIC = {0x0001, 0x0002, 0x0026, 0x0036, 0x0037, 0x0038, 0x0039}
_STANDARDS: dict[int, UnfitKind] = {
    0x05: "type b", 0x06: "type b", 0x07: "type b", 0x08: "type b", 0x11: "felica",
}  # fmt: skip
"""The standards of cards that cannot be used: ISO 14443 B parts 1 to 4, and FeliCa."""
_BY_SAK = 0xFF
"""Replaces a name's first byte if the second one is the chip's SAK."""


class ConnectedChip:
    """The chip on ``slot``, connected to.

    ``there`` tells from a PC/SC code whether the chip is still there, and raises ``ReaderError``
    for codes not about the chip.
    """

    def __init__(self, scard: Any, handle: Any, protocol: int, there: Callable[[int], bool]):
        self._scard = scard
        self._handle = handle
        self._protocol = protocol
        self._there = there
        self.refuses_uid = False
        """Whether the chip is there and its id cannot be had."""

    def transmit(self, command: bytes) -> tuple[bytes, int]:
        """The answer and its status word. Raises ``ChipSilent`` if the chip has left."""
        t0 = self._protocol == self._scard.SCARD_PROTOCOL_T0
        frame = self._scard.SCARD_PCI_T0 if t0 else self._scard.SCARD_PCI_T1
        code, answer = self._scard.SCardTransmit(self._handle, frame, list(command))
        if not self._there(code) or len(answer) < 2:
            raise ChipSilent
        return bytes(answer[:-2]), answer[-2] << 8 | answer[-1]

    def uid(self) -> bytes | None:
        """Its id; None if it has none or has left. Raises ``ReaderError``, like all methods."""
        try:
            uid, status = self.transmit(GET_UID)
        except ChipSilent:
            return None
        self.refuses_uid = status != _DONE or len(uid) not in LENGTHS
        return None if self.refuses_uid else uid

    def find_kind(self) -> UnfitKind | None:
        """The kind of a card that cannot be used, as its ATR says."""
        atr = self._read_atr()
        if atr is None:
            return None
        _head, storage, rest = atr.partition(_STORAGE_CHIP)
        if not storage or not rest:
            return "iso-dep"
        return _STANDARDS.get(rest[0])

    def is_type_2(self) -> bool:
        """Whether its ATR may be a Type 2 tag's: not a smart card's, not a MIFARE Classic's."""
        atr = self._read_atr()
        if atr is None:
            return True
        _head, storage, rest = atr.partition(_STORAGE_CHIP)
        if not storage or len(rest) < 3:
            return False
        name = rest[1] << 8 | rest[2]
        return rest[2] == 0 if rest[1] == _BY_SAK else name not in _MIFARE_CLASSIC

    def _read_atr(self) -> bytes | None:
        """Its ATR; None if it has left or sent none."""
        code, _slot, _state, _protocol, atr = self._scard.SCardStatus(self._handle)
        return bytes(atr) or None if self._there(code) else None

    def reset(self) -> None:
        """Have the reader find the chip again. Raises ``ChipSilent`` if it is not there."""
        code, self._protocol = self._scard.SCardReconnect(
            self._handle, self._scard.SCARD_SHARE_SHARED, self._protocol,
            self._scard.SCARD_RESET_CARD,
        )  # fmt: skip
        if not self._there(code):
            raise ChipSilent

    @contextmanager
    def lock(self) -> Iterator[bool]:
        """Lock the chip against other programs meanwhile; yields whether it is still there."""
        there = self._there(self._scard.SCardBeginTransaction(self._handle))
        try:
            yield there
        finally:
            if there:
                self._scard.SCardEndTransaction(self._handle, self._scard.SCARD_LEAVE_CARD)


@contextmanager
def connect(
    scard: Any, context: Any, slot: str, there: Callable[[int], bool]
) -> Iterator[ConnectedChip | None]:
    """Connect to the chip on that slot, None if there is none. Raises ``ReaderError``."""
    both = scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1
    code, handle, protocol = scard.SCardConnect(context, slot, scard.SCARD_SHARE_SHARED, both)
    if not there(code):
        yield None
        return
    try:
        yield ConnectedChip(scard, handle, protocol, there)
    finally:
        scard.SCardDisconnect(handle, scard.SCARD_LEAVE_CARD)


def exchange_with(card: ConnectedChip, uid: bytes) -> Transceive:
    """An exchange with the chip of this id, like one with a chip selected by radio."""

    def exchange(command: bytes) -> bytes:
        if command[0] == _READ:
            return _send_memory_command(card, uid, bytes((0xFF, 0xB0, 0, command[1], 16)))
        if command[0] == _WRITE:
            update = bytes((0xFF, 0xD6, 0, command[1], 4)) + command[2:]
            return _send_memory_command(card, uid, update) or _ACK
        return _pass_on(card, command)

    return exchange


def _send_memory_command(card: ConnectedChip, uid: bytes, command: bytes) -> bytes:
    """Send a memory command; returns its data, or a refusal as a radio exchange reports it.

    Readers report a refusing and a silent chip with the same status: it counts as refused if it
    comes twice and the chip is there.
    """
    for _ in range(2):
        answer, status = card.transmit(command)
        if status == _DONE:
            return answer
        if status in _NO_SUCH_COMMAND:
            raise ChipError("reader")
        card.reset()
        if card.uid() != uid:
            raise ChipSilent
    return _NAK_PROTECTED if status == _PROTECTED else _NAK


def _pass_on(card: ConnectedChip, command: bytes) -> bytes:
    """The chip's answer to a command without a PC/SC equivalent. Raises ``ChipError`` if the reader
    passes on none, ``ChipSilent``."""
    for way in (_exchange_transparently, _exchange_through_pn532):
        answer = way(card, command)
        if answer:
            return answer
        if answer is not None:
            raise ChipSilent
    raise ChipError("unpassed")


def _exchange_transparently(card: ConnectedChip, command: bytes) -> bytes | None:
    """Use a transparent exchange; empty for a silent chip, None if the reader supports none."""
    if card.transmit(_START)[1] != _DONE:
        return None
    try:
        block = bytes((_TRANSCEIVE, len(command))) + command
        answer, status = card.transmit(bytes((0xFF, 0xC2, 0, 1, len(block))) + block + b"\x00")
    finally:
        card.transmit(_END)
    return _block(answer, _RECEIVED) if status == _DONE else None


def _exchange_through_pn532(card: ConnectedChip, command: bytes) -> bytes | None:
    """Use a command to an ACR122U's PN532; same result."""
    block = _IN_COMMUNICATE_THRU + command
    answer, status = card.transmit(bytes((0xFF, 0, 0, 0, len(block))) + block)
    if status != _DONE or answer[:2] != b"\xd5\x43":
        return None
    return answer[3:] if answer[2:3] == b"\x00" else b""


def _block(answer: bytes, tag: int) -> bytes:
    """The value of the block with that tag, empty if there is none."""
    while len(answer) >= 2:
        kind, value, answer = answer[0], answer[2 : 2 + answer[1]], answer[2 + answer[1] :]
        if kind == tag:
            return value
    return b""
