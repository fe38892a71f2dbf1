"""The memory of an NFC Forum Type 2 tag (NTAG21x, Ultralight): finding and changing its message.

Follows the NFC Forum Type 2 Tag specification 1.0 (layout, TLV blocks, life cycle) and NXP's data
sheet NTAG213/215/216 rev. 3.2 (locking, 8.5). Independent of readers: commands are sent through a
function. After every step the message is complete or of length zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

Transceive: TypeAlias = Callable[[bytes], bytes]
"""One command to the selected chip and its answer without checksum; raises ``ChipSilent``."""

ChipProblem: TypeAlias = Literal[
    "locked", "protected", "small", "blank", "damaged", "altered", "unprepared", "unsupported"
]
"""Of the chips without a message, ``format`` makes the blank and the damaged ones fit."""

PAGE = 4
FIRST = 4 * PAGE  # start of the data area, in bytes
_READ, _WRITE, _VERSION = 0x30, 0xA2, 0x60
_NAK_PROTECTED = 0x04
_ACK = 0x0A  # of 4 bits, whatever stands above; any other is a NAK: chips and clones differ
_NULL, _LOCKS, _RESERVED, _MESSAGE, _END = 0x00, 0x01, 0x02, 0x03, 0xFE
_CC_MAGIC, _READ_ONLY = 0xE1, 0x0F

_STATIC_PAGE, _CC_PAGE = 2, 3
_ALL_STATIC = b"\xff\xff"
_CONFIGURATION_LOCK = 0x40  # CFGLCK, in the first byte of the second configuration page


class ChipSilent(Exception):
    """The chip gave no answer, or an invalid one."""


class UnsuitableChip(Exception):
    """The chip answers but cannot do what was asked; ``why`` is the reason."""

    def __init__(self, why: ChipProblem) -> None:
        super().__init__(why)
        self.why: ChipProblem = why


class WriteRefused(UnsuitableChip):
    """The chip refused to write ``page``; its NAK has ended the selection, so select it again."""

    def __init__(self, page: int) -> None:
        super().__init__("locked")
        self.page = page


class LockBits(NamedTuple):
    """The position of a chip model's dynamic lock bits, and their value when set."""

    page: int
    bits: bytes
    covers: int
    """The number of pages one bit locks, from page 16 on."""
    size: int
    """The size of the data area in 8 bytes, as the capability container says it."""
    reserved: bytes
    """The block at the start of the data area that says where these bits are, if needed."""

    @property
    def configuration(self) -> int:
        """The page whose first byte says whether the configuration can still be written."""
        return self.page + 2


# By the storage size in GET_VERSION's answer (data sheet, table 28) and sections 8.5.3, 8.5.6.
_LOCK_BITS = {
    0x0F: LockBits(0x28, b"\xff\x0f", 2, 0x12, bytes.fromhex("0103A00C34")),
    0x11: LockBits(0x82, b"\xff\x00", 16, 0x3E, b""),
    0x13: LockBits(0xE2, b"\xff\x3f", 16, 0x6D, b""),
}


class MessagePlace(NamedTuple):
    """The message block in the data area: offsets of its tag, its length and its first byte."""

    tag: int
    length: int
    start: int
    size: int


class Type2:
    """One selected chip, as long as it answers."""

    def __init__(self, exchange: Transceive) -> None:
        self._exchange = exchange
        self._size = 0
        self._memory = bytearray()

    def read(self) -> bytes:
        """The message, empty if there is none. Raises ``UnsuitableChip`` for a chip without data
        area or with a broken one, ``ChipSilent``."""
        self._capability()
        place = self._find()
        return bytes(self._data()[place.start : place.start + place.size])

    def write(self, message: bytes) -> None:
        """Replace the message.  Raises ``UnsuitableChip`` and ``ChipSilent``."""
        self._replace(message, wipe=False)

    def wipe(self) -> None:
        """Erase the message and all after it. Raises ``UnsuitableChip`` and ``ChipSilent``."""
        self._replace(b"", wipe=True)

    def format(self) -> None:
        """Give a blank or damaged NTAG21x its capability container and an empty message.

        The container comes last, so that a chip taken away meanwhile is still blank or damaged.
        Raises ``UnsuitableChip``: locked, not an NTAG21x, or bits of the container are set that
        cannot be cleared; and ``ChipSilent``.
        """
        bits = self._lock_bits()
        wanted = bytes((_CC_MAGIC, 0x10, bits.size, 0))
        container = self._read_pages(_CC_PAGE)[:PAGE]
        if container[3] & 0x0F == _READ_ONLY:
            raise UnsuitableChip("locked")
        if _lacks(wanted, container):
            raise UnsuitableChip("altered")
        data = bits.reserved + bytes((_MESSAGE, 0, _END))
        data += bytes(-len(data) % PAGE)
        pages = {page: _page(data, page) for page in range(len(data) // PAGE)}
        for page, new in pages.items():
            self._write_page(FIRST // PAGE + page, new)
        self._look_at(pages)
        if container != wanted:
            self._write_page(_CC_PAGE, wanted)

    def is_read_only(self) -> bool:
        """Whether the chip says that it can only be read.  Raises as ``read`` does."""
        return bool(self._capability()[3] & 0x0F)

    def is_locked(self) -> bool:
        """Whether every page of the data area can only be read.  Raises as ``lock`` does."""
        bits = self._lock_bits()
        return not any(self._find_unlocked(bits))

    def lock(self) -> None:
        """Set every lock bit; those of the first pages last, because they cannot be completed
        later. Raises ``UnsuitableChip`` (only NTAG21x can be locked) and ``ChipSilent``."""
        for page, data in self._find_unlocked(self._lock_bits()):
            self._write_page(page, data)

    def explain_refusal(self, page: int) -> ChipProblem:
        """Why the chip refused to write ``page``: locked according to its lock bits, else
        password-protected. Raises as ``lock`` does."""
        if page < 16:
            static = self._read_pages(_STATIC_PAGE)[2:PAGE]
            return "locked" if int.from_bytes(static, "little") >> page & 1 else "protected"
        bits = self._lock_bits()
        locked = int.from_bytes(self._read_pages(bits.page)[:2], "little")
        return "locked" if locked >> (page - 16) // bits.covers & 1 else "protected"

    def _replace(self, message: bytes, *, wipe: bool) -> None:
        if self._capability()[3] & 0x0F:
            raise UnsuitableChip("locked")
        place = self._find()
        short = len(message) < 0xFF
        size = bytes((len(message),)) if short else b"\xff" + len(message).to_bytes(2, "big")
        block = bytes((_MESSAGE,)) + size + message
        end = place.tag + len(block)
        if end > self._size:
            raise UnsuitableChip("small")
        self._byte(self._size - 1 if wipe else min(end, self._size - 1))
        old = self._data()
        new = old[: place.tag] + block + bytes((_END,)) * (end < self._size)
        new += bytes(len(old) - len(new)) if wipe else old[len(new) :]
        if new != old:
            self._change(old, new, place.length)

    def _change(self, old: bytes, new: bytes, length: int) -> None:
        """Turn the data area from ``old`` into ``new``; ``length`` is where its length is.

        The length is 0 before anything else changes, and set after everything else is verified.
        """
        last = length // PAGE
        page_bytes = bytearray(_page(old, last))
        page_bytes[length % PAGE] = 0
        if page_bytes != _page(old, last):
            self._write_page(FIRST // PAGE + last, bytes(page_bytes))
        changes = {
            page: _page(new, page)
            for page in range(len(new) // PAGE)
            if page != last and _page(new, page) != _page(old, page)
        }
        for page, data in changes.items():
            self._write_page(FIRST // PAGE + page, data)
        self._look_at(changes)
        self._write_page(FIRST // PAGE + last, _page(new, last))

    def _look_at(self, written: dict[int, bytes]) -> None:
        """Read these pages back. Raises ``ChipSilent`` if one differs from what was written."""
        seen: dict[int, bytes] = {}
        for page, data in written.items():
            if page not in seen:
                pages = self._read_pages(FIRST // PAGE + page)
                seen |= {page + i: _page(pages, i) for i in range(4)}
            if seen[page] != data:
                raise ChipSilent

    def _capability(self) -> bytes:
        """The capability container: 4 bytes, the third the size of the data area in 8 bytes."""
        # Other pages may follow it: for a protected one, reading wraps to page 0.
        container = self._read_pages(_CC_PAGE)[:PAGE]
        if container[0] != _CC_MAGIC or container[1] >> 4 != 1 or container[2] == 0:
            is_blank = self._is_formattable(container)
            raise UnsuitableChip("blank" if is_blank else self._explain_container("unprepared"))
        if container[3] >> 4:
            raise UnsuitableChip("protected")
        self._size = container[2] * 8
        self._memory.clear()
        return container

    def _is_formattable(self, container: bytes) -> bool:
        """Whether this is an NTAG21x whose container still lacks bits, and has no wrong ones."""
        try:
            size = self._lock_bits().size
        except UnsuitableChip:
            return False
        return not _lacks(bytes((_CC_MAGIC, 0x10, size, 0)), container)

    def _explain_container(self, otherwise: ChipProblem) -> ChipProblem:
        """What is wrong with a chip whose container does not fit it: an NTAG21x was altered."""
        try:
            self._lock_bits()
        except UnsuitableChip:
            return otherwise
        return "altered"

    def _byte(self, offset: int) -> int:
        """A byte of the data area, read on demand. Raises ``UnsuitableChip`` past its end."""
        if offset >= self._size:
            raise UnsuitableChip("damaged" if any(self._memory) else "blank")
        while offset >= len(self._memory):
            self._memory += self._read_pages((FIRST + len(self._memory)) // PAGE)
        return self._memory[offset]

    def _data(self) -> bytes:
        """The data area from its start at least to the end of the message."""
        return bytes(self._memory[: self._size])

    def _find(self) -> MessagePlace:
        """Find the message block, reading everything up to its end. Raises ``UnsuitableChip`` if
        there is none, or if lock bits lie within the data: such chips are no longer sold, and a
        message would have to be split around them."""
        offset = 0
        while (kind := self._byte(offset)) != _MESSAGE:
            if kind == _NULL:
                offset += 1
                continue
            if kind == _END:
                raise UnsuitableChip("damaged")
            start, size = self._length(offset + 1)
            if kind in (_LOCKS, _RESERVED):
                self._check_outside(start, size)
            offset = start + size
        start, size = self._length(offset + 1)
        if size:
            self._byte(start + size - 1)
        return MessagePlace(offset, offset + 1, start, size)

    def _length(self, offset: int) -> tuple[int, int]:
        """The start and length of a block's value."""
        size = self._byte(offset)
        if size < 0xFF:
            return offset + 1, size
        return offset + 3, self._byte(offset + 1) << 8 | self._byte(offset + 2)

    def _check_outside(self, start: int, size: int) -> None:
        if size != 3:
            raise UnsuitableChip("damaged")
        where, page = self._byte(start), self._byte(start + 2)
        position = (where >> 4) * (1 << (page & 0x0F)) + (where & 0x0F)
        if FIRST <= position < FIRST + self._size:
            raise UnsuitableChip(self._explain_container("unsupported"))

    def _lock_bits(self) -> LockBits:
        answer = self._exchange(bytes((_VERSION,)))
        ntag = len(answer) == 8 and answer[1:4] == b"\x04\x04\x02"
        if not ntag or answer[6] not in _LOCK_BITS:
            raise UnsuitableChip("unsupported")
        return _LOCK_BITS[answer[6]]

    def _find_unlocked(self, bits: LockBits) -> Iterator[tuple[int, bytes]]:
        """The pages still to be written to lock everything, in a safe order."""
        later = self._read_pages(bits.page)[:PAGE]
        if _lacks(later[:2], bits.bits):
            yield bits.page, bits.bits + bytes(2)
        access = self._read_pages(bits.configuration)[:PAGE]
        if not access[0] & _CONFIGURATION_LOCK:
            yield bits.configuration, bytes((access[0] | _CONFIGURATION_LOCK,)) + access[1:]
        static, container = (head := self._read_pages(_STATIC_PAGE))[:PAGE], head[PAGE : 2 * PAGE]
        if container[3] & 0x0F != _READ_ONLY:
            yield _CC_PAGE, container[:3] + bytes((container[3] | _READ_ONLY,))
        if _lacks(static[2:], _ALL_STATIC):
            yield _STATIC_PAGE, static[:2] + _ALL_STATIC

    def _read_pages(self, page: int) -> bytes:
        """Read four pages from ``page`` on. Raises ``UnsuitableChip`` if the chip refuses."""
        answer = self._exchange(bytes((_READ, page)))
        if _is_nak(answer):
            is_guarded = page >= FIRST // PAGE or answer[0] == _NAK_PROTECTED
            raise UnsuitableChip("protected" if is_guarded else "unsupported")
        if len(answer) != 4 * PAGE:
            raise ChipSilent
        return answer

    def _write_page(self, page: int, data: bytes) -> None:
        answer = self._exchange(bytes((_WRITE, page)) + data)
        if _is_nak(answer):
            raise WriteRefused(page)
        if len(answer) != 1:
            raise ChipSilent


def _page(data: bytes, page: int) -> bytes:
    return data[page * PAGE : page * PAGE + PAGE]


def _is_nak(answer: bytes) -> bool:
    return len(answer) == 1 and answer[0] & 0x0F != _ACK


def _lacks(before: bytes, after: bytes) -> bool:
    return any(have & want != want for have, want in zip(before, after, strict=True))
