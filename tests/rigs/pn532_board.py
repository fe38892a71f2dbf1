"""The PN532 board at the end of a serial line: frames, waking, and the timing of answers.

Follows the PN532 data sheet (rev. 3.6, 8.3.3.3 and 12.25: waking) and UM0701-02 (6.2: frames).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from tests.rigs.pn532 import RADIO_COMMANDS, SPEEDS, Pn532

ACK = bytes.fromhex("0000ff00ff00")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")

NACK = -1
"""A message that asks for the last answer again."""

Message: TypeAlias = tuple[int, bytes] | None
"""A host command and its data, or None for an ACK, which confirms."""

_START = b"\x00\xff"
_ACKS, _NACKS = b"\x00\xff", b"\xff\x00"
_LONGEST = 265

WAKING = 0.0004
"""Seconds from waking until its clock runs; input meanwhile is lost. The ten zeros of nfcpy's long
preamble, the shortest that boards are known to wake by, leave it half a millisecond."""

_RISING_EDGES = 5  # that wake it
_BITS = 10  # per byte on the line, start and stop included
_SET_SPEED = 0x10


def host_frame(command: int, data: bytes) -> bytes:
    """The frame of a command from the computer."""
    return _frame(bytes((0xD4, command)) + data)


def answer_frame(command: int, data: bytes) -> bytes:
    """The frame that answers ``command``."""
    return _frame(bytes((0xD5, command + 1)) + data)


def _frame(body: bytes) -> bytes:
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
        """Parse more ``data``; yields the messages it completes. Frames with a wrong checksum, of
        the length or the rest, are dropped."""
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
            offset, length, is_whole = size
            if self._buffer[2:4] in (_ACKS, _NACKS):
                is_nack = self._buffer[2:4] == _NACKS
                del self._buffer[:4]
                yield (NACK, b"") if is_nack else None
                continue
            if not is_whole or length == 0 or length > _LONGEST:
                del self._buffer[: len(_START)]
                continue
            if len(self._buffer) < offset + length + 1:
                return
            body = bytes(self._buffer[offset : offset + length + 1])
            del self._buffer[: offset + length + 1]
            if sum(body) & 0xFF == 0 and body[0] == 0xD4 and length >= 2:
                yield body[1], body[2:-1]

    def _head(self) -> tuple[int, int, bool] | None:
        """The offset and length of the body, and whether the length's checksum fits; None while the
        head is incomplete."""
        head = self._buffer
        if len(head) < 4:
            return None
        if head[2:4] == b"\xff\xff":
            if len(head) < 7:
                return None
            return 7, head[4] << 8 | head[5], not sum(head[4:7]) & 0xFF
        return 4, head[2], not sum(head[2:4]) & 0xFF


class Board:
    """``chip`` behind a serial line.

    ``wired`` simulates each byte's transmission time, and ``adapter`` is the USB serial converter's
    latency timer in seconds.
    """

    def __init__(self, chip: Pn532, *, wired: bool = False, adapter: float = 0.0) -> None:
        self.chip = chip
        self._wired = wired
        self._adapter = adapter
        self._clock = chip.clock
        self._parser = FrameParser()
        self._edges = 0
        self._deaf_until = self._line_free = float("-inf")
        self._next_speed: int | None = None
        self._last = b""

    def hears_at(self, speed: int | None) -> bool:
        """Whether input at ``speed``, in baud, is understood.

        Input at a new speed confirms that: on a pseudo terminal the acknowledgement may be read
        after the computer has changed, or be thrown away unread when it does (nfcpy flushes), while
        it would have left a real port.
        """
        if speed == self._next_speed:
            self._change_speed()
        return speed == self.chip.speed

    def _change_speed(self) -> None:
        self.chip.speed, self._next_speed = self._next_speed or self.chip.speed, None

    def receive(self, data: bytes) -> Iterator[bytes]:
        """Process the computer's input; yields the answer in pieces."""
        if self._wired:
            self._clock.sleep(self._time_on_line(data))
        for message in self._parser.feed(self._receive_awake(data)):
            yield from self._answer(message)

    def _time_on_line(self, data: bytes) -> float:
        return len(data) * _BITS / self.chip.speed

    def _receive_awake(self, data: bytes) -> bytes:
        """The bytes received after the chip has woken and its clock runs."""
        # Without its transmission time what comes at once still comes byte by byte.
        duration = self._time_on_line(data)
        moment = max(self._clock.seconds() - self._wired * duration, self._line_free)
        self._line_free = moment + duration
        if not self.chip.asleep and moment >= self._deaf_until:
            return data
        for place, byte in enumerate(data):
            when = moment + self._time_on_line(data[:place])
            if self.chip.asleep:
                self._edges += _rising_edges(byte)
                if self._edges >= _RISING_EDGES:
                    self._edges, self._deaf_until = 0, when + WAKING
                    self.chip.wake()
            elif when >= self._deaf_until:
                return data[place:]
        return b""

    def _answer(self, message: Message) -> Iterator[bytes]:
        if message is None:
            self._change_speed()
            return
        command, data = message
        if command == NACK:
            yield self._deliver(self._spoil(self._last), 0.0)
            return
        self._clock.sleep(self.chip.faults.late)
        answer = ACK
        if command in RADIO_COMMANDS and self._adapter < self.chip.rf_delay:
            # The computer gets the ACK before a radio exchange ends; otherwise both arrive
            # together.
            yield self._deliver(ACK, 0.0)
            answer = b""
        duration = self._clock.seconds()
        result = self.chip.execute(command, data)
        if command == _SET_SPEED and result is not None:
            self._next_speed = SPEEDS[data[0]]
        number = self.chip.misnames.get(command, command)
        self._last = SYNTAX_ERROR if result is None else answer_frame(number, result)
        frame = self._spoil(self._last)
        yield self._deliver(answer + frame, self._clock.seconds() - duration if answer else 0.0)

    def _spoil(self, frame: bytes) -> bytes:
        """The frame as it arrives, damaged at the start, in the length or at the end."""
        if not self.chip.faults.spoil_frame():
            return frame
        place = (len(frame) - 2, 3, 2)[self.chip.faults.garble % 3]
        return frame[:place] + bytes((frame[place] ^ 0x55,)) + frame[place + 1 :]

    def _deliver(self, data: bytes, duration: float) -> bytes:
        """Deliver ``data`` to the computer, after its first bytes waited in the converter."""
        if self._wired:
            self._clock.sleep(self._time_on_line(data))
        self._clock.sleep(self._adapter - duration if duration < self._adapter else self._adapter)
        self._clock.sleep(self.chip.faults.held_until - self._clock.seconds())
        return data


def _rising_edges(byte: int) -> int:
    """The rising edges of this byte on the line: a start bit, eight bits, a stop bit."""
    bits = [0, *(byte >> place & 1 for place in range(8)), 1]
    return sum(after > before for before, after in pairwise(bits))
