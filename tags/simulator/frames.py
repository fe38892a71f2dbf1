"""The frames of a PN532's serial protocol (UM0701-02, chapter 6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

ACK = bytes.fromhex("0000ff00ff00")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")

Message: TypeAlias = tuple[int, bytes] | None
"""A host command and its data, or None for an ACK, which cancels or confirms."""

_START = b"\x00\xff"
_LONGEST = 265


def answer_frame(command: int, data: bytes) -> bytes:
    """The frame that answers ``command``."""
    body = bytes((0xD5, command + 1)) + data
    if len(body) < 256:
        head = bytes((len(body), -len(body) & 0xFF))
    else:
        length = len(body).to_bytes(2, "big")
        head = b"\xff\xff" + length + bytes((-sum(length) & 0xFF,))
    return b"\x00\x00\xff" + head + body + bytes((-sum(body) & 0xFF, 0))


class FrameParser:
    """Parses the host's messages from a stream of bytes."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """Parse more ``data``; yields the messages it completes. Frames with a wrong checksum are
        dropped."""
        self._buffer += data
        while True:
            start = self._buffer.find(_START)
            if start < 0:
                del self._buffer[:-1]
                return
            del self._buffer[:start]
            size = self._head()
            if size is None:
                return
            offset, length = size
            if length == 0 or length > _LONGEST:
                del self._buffer[:offset]
                if length == 0:
                    yield None
                continue
            if len(self._buffer) < offset + length + 1:
                return
            body = bytes(self._buffer[offset : offset + length + 1])
            del self._buffer[: offset + length + 1]
            if sum(body) & 0xFF == 0 and body[0] == 0xD4 and length >= 2:
                yield body[1], body[2:-1]

    def _head(self) -> tuple[int, int] | None:
        """The offset and length of the body; None while the head is incomplete."""
        head = self._buffer
        if len(head) < 4:
            return None
        if head[2:4] == b"\xff\xff":
            return (7, head[4] << 8 | head[5]) if len(head) >= 7 else None
        return 4, head[2]
