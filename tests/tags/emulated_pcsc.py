"""An emulated PC/SC reader's handling of commands for the NTAG21x on it.

Follows PC/SC part 3 and ACS's manuals, like `tags.readers.pcsc_chip`; like real readers, it reports
a refusing and a silent chip with the same status, and finds a chip that lost its selection only
after a reset.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.rigs.chips import ACK, Ntag

Way = Literal["transparent", "direct", "none"]
"""How the reader passes on commands without a PC/SC equivalent: like the ACR1252, like the ACR122U,
or not at all."""

_STORAGE = "3B8F8001804F0CA000000306"
ULTRALIGHT = bytes.fromhex(_STORAGE + "03000300000000" + "68")
CLASSIC = bytes.fromhex(_STORAGE + "03000100000000" + "6A")
BY_SAK_08 = bytes.fromhex(_STORAGE + "03FF0800000000" + "9C")
CHIP_CARD = bytes.fromhex("3B8980014A434F503431563232 4A".replace(" ", ""))

DONE, FAILED, UNKNOWN = b"\x90\x00", b"\x63\x00", b"\x6a\x81"


@dataclass
class Firmware:
    """The reader's firmware, with ``chip`` on it and its ATR.

    ``dies_after``: the chip is lifted when this many more exchanges with it have been made.
    ``deaf``: this many of the next exchanges are lost, with the chip's selection.
    """

    chip: Ntag | None = None
    way: Way = "transparent"
    atr: bytes = ULTRALIGHT
    memory: bool = True
    dies_after: int | None = None
    deaf: int = 0
    exchanges: int = 0
    _session: bool = False

    def reset(self) -> None:
        """Find the chip again."""
        self._session = False
        if self.chip is not None:
            self.chip.field_off()
            self.chip.select()

    def answer(self, command: bytes) -> bytes:
        """The answer with its status."""
        if command == bytes.fromhex("FFCA000000") and self.chip is not None:
            return self.chip.uid + DONE
        match command[:2]:
            case b"\xff\xb0" if self.memory:
                return self._read(command[3], command[4])
            case b"\xff\xd6" if self.memory:
                return self._write(command[3], command[5:])
            case b"\xff\xc2" if self.way == "transparent":
                return self._transparent(command[3], command[5:])
            case b"\xff\x00" if self.way == "direct" and command[5:7] == b"\xd4\x42":
                answer = self._exchange(command[7:])
                return b"\xd5\x43" + (b"\x01" if answer is None else b"\x00" + answer) + DONE
        return UNKNOWN

    def _read(self, page: int, length: int) -> bytes:
        answer = self._exchange(bytes((0x30, page)))
        return answer[:length] + DONE if answer is not None and len(answer) == 16 else FAILED

    def _write(self, page: int, data: bytes) -> bytes:
        return DONE if self._exchange(bytes((0xA2, page)) + data) == ACK else FAILED

    def _transparent(self, what: int, blocks: bytes) -> bytes:
        if what == 0:
            self._session = blocks[:1] == b"\x81"
            return bytes.fromhex("C003009000") + DONE
        if not self._session or blocks[0] != 0x95:
            return UNKNOWN
        answer = self._exchange(blocks[2 : 2 + blocks[1]])
        if answer is None:
            return bytes.fromhex("C003006401") + DONE
        data = bytes((0x97, len(answer))) + answer
        return bytes.fromhex("C003009000 920100 96020000") + data + DONE

    def _exchange(self, command: bytes) -> bytes | None:
        self.exchanges += 1
        if self.dies_after == 0:
            self.chip, self.dies_after = None, None
        elif self.dies_after is not None:
            self.dies_after -= 1
        if self.chip is None:
            return None
        if self.deaf:
            self.deaf -= 1
            self.chip.field_off()
            return None
        return self.chip.command(command)
