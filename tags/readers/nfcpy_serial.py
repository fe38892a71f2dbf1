"""A PN532 on a serial port for nfcpy, always at 115200 baud.

nfcpy raises the speed to 921600 baud. The chip keeps that speed after a crash, and the frame that
completes the change is often flushed before it is sent; either way the next open fails (nfcpy #68,
#188). At 115200 neither can happen, and a poll takes only a few milliseconds more.
"""

from __future__ import annotations

import errno
import logging
import os
import select
import sys
import time
from functools import partial
from typing import Any

import nfc.clf.pn532
import nfc.clf.transport
import serial

log = logging.getLogger(__name__)

SPEED = 115200

ATTEMPTS = ((SPEED, 1500), (921600, 100), (460800, 100), (230400, 100), (SPEED, 100))
"""Baud and milliseconds: the usual speed, then those a crashed program may have left behind. The
first wait is long, because a busy computer or a USB converter may delay the answer by a second: it
would be taken for one at the next speed, where the chip then hears nothing."""

_PATIENCE = 0.05
"""Least seconds to wait for an answer to begin; most seconds between its pieces."""

_KNOWN_PATIENCE = 1.0
"""The same for the beginning once a chip has answered: a busy computer may be late, and with
nfcpy's 0.1 for an acknowledgement the reader would seem broken."""

_WAKING = 0.005
"""Seconds that a PN532 takes to wake up; the same as in libnfc."""

_USUAL_FIRMWARE = bytes.fromhex("32010607")
"""The firmware version of a PN532; some clones report something else."""

_ACK = bytes.fromhex("0000ff00ff00")
_NACK = bytes.fromhex("0000ffff0000")
_START = bytes.fromhex("0000ff")

NACKS = 2
"""How often a damaged answer is asked for again before it counts as an error."""

_WAKE = b"\x55\x55\x55"
_PREAMBLE = bytes(3)
_GET_VERSION = bytes.fromhex("02")
_NORMAL_MODE = bytes.fromhex("140100")
_USUAL_SPEED = bytes.fromhex("1004")


class SerialLine:
    """A serial port with the interface of nfcpy's TTY transport, raising only ``OSError``."""

    TYPE = "TTY"
    _awaits_ack = False
    manufacturer_name = None
    product_name = None

    def __init__(self, path: str) -> None:
        """Open ``path`` exclusively. Raises ``OSError``."""
        self.patience = _PATIENCE
        self._port: Any = None
        self._unread = bytearray()
        self.open(path)

    @property
    def port(self) -> str:
        return self._path

    @property
    def speed(self) -> int:
        """The line's speed in baud, 0 when closed."""
        return int(self._port.baudrate) if self._port is not None else 0

    def open(self, path: str, baudrate: int = SPEED) -> None:
        """Open ``path``, closing what was open before.  Raises ``OSError``."""
        self.close()
        self._path = path
        self._unread.clear()
        self._port = call_port(
            serial.Serial, path, baudrate, timeout=0, write_timeout=1.0, exclusive=True
        )

    def read(self, timeout: float) -> bytearray:
        """One frame, waiting ``timeout`` milliseconds (at least ``patience``) for its bytes.

        A damaged one is asked for again (UM0701-02, 6.2.1.5). Raises ``OSError``: ETIMEDOUT if
        nothing came, EIO if a frame was damaged again and again.
        """
        is_first, self._awaits_ack = self._awaits_ack, False
        for _ in range(NACKS):
            frame = self._read_once(timeout)
            if frame is not None:
                return frame
            if is_first:  # a damaged acknowledgement: the answer follows
                return bytearray(_ACK)
            log.debug("a damaged frame from %s", self._path)
            self._skip()
            call_port(self._send, self._open_port(), _NACK)
        frame = self._read_once(timeout)
        if frame is None:
            raise OSError(errno.EIO, "its answers arrive damaged")
        return frame

    def _read_once(self, timeout: float) -> bytearray | None:
        """The next frame; None if it is damaged. Raises ``OSError``."""
        try:
            head = self._take(6, max(timeout / 1000, self.patience))
            if head == _ACK:
                return head
            if head[:3] != _START:
                return None
            if head[3:5] == b"\xff\xff":
                head += self._take(3, _PATIENCE)
                length, is_whole = head[5] << 8 | head[6], not sum(head[5:8]) & 0xFF
            else:
                length, is_whole = head[3], not sum(head[3:5]) & 0xFF
            if not is_whole:
                return None
            frame = head + self._take(length + 1, _PATIENCE)
        except OSError as error:
            if error.errno != errno.EIO or self._port is None or not self._unread:
                raise
            return None  # only a part has arrived
        return None if sum(frame[len(head) - 1 :]) & 0xFF else frame

    def _skip(self) -> None:
        """Skip the rest of a damaged frame."""
        self._unread.clear()
        while call_port(self._receive, self._open_port(), _PATIENCE):
            pass

    def _take(self, count: int, seconds: float) -> bytearray:
        """The next ``count`` bytes. Raises ``OSError``: EIO if only some came in time."""
        port, end = self._open_port(), time.monotonic() + seconds
        while len(self._unread) < count:
            more = call_port(self._receive, port, max(end - time.monotonic(), 0))
            if not more and self._unread:
                raise OSError(errno.EIO, "the reader's answer was cut short")
            if not more:
                raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            self._unread += more
            end = time.monotonic() + _PATIENCE
        part = self._unread[:count]
        del self._unread[:count]
        return part

    def write(self, frame: bytes) -> None:
        """Send ``frame``, discarding unread input. Raises ``OSError``."""
        port = self._open_port()
        self._unread.clear()
        self._awaits_ack = frame != _ACK
        call_port(port.reset_input_buffer)
        call_port(self._send, port, frame)

    def drain(self) -> None:
        """Wait until all output is sent. Raises ``OSError``."""
        call_port(self._open_port().flush)

    def close(self) -> None:
        """Close the port; never raises."""
        port, self._port = self._port, None
        if port is None:
            return
        try:
            port.close()
        except Exception:
            log.debug("%s did not close cleanly", self._path, exc_info=True)

    def _open_port(self) -> Any:
        if self._port is None:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return self._port

    def _send(self, port: Any, frame: bytes) -> None:
        """Write ``frame`` to the port, without waiting if there is room, as there nearly always is.

        pyserial's own write then waits until there is room for more.
        """
        sent = 0
        if sys.platform != "win32":
            try:
                sent = os.write(port.fileno(), frame)
            except BlockingIOError:
                log.debug("no room for a frame yet")
        if sent < len(frame):
            port.write(frame[sent:])

    def _receive(self, port: Any, seconds: float) -> bytes:
        """The next available bytes; empty after ``seconds`` of silence.

        Where select works, this costs a third of pyserial's read, twenty times a second for the
        whole game.
        """
        if sys.platform == "win32":
            port.timeout = seconds
            return bytes(port.read(1) + port.read(port.in_waiting))
        ready, _, _ = select.select([port.fileno()], [], [], seconds)
        if not ready:
            return b""
        data = os.read(port.fileno(), 512)
        if not data:
            raise OSError(errno.EIO, "the serial port has hung up")
        return data


def open_pn532(path: str) -> Any:
    """An nfcpy device for the PN532 on the port ``path``.  Raises ``OSError``."""
    line = SerialLine(path)
    try:
        device = start_pn532(line)
    except BaseException:
        line.close()
        raise
    device._path = line.port
    device.close = partial(_close, device, line)
    return device


def start_pn532(line: SerialLine) -> Any:
    """An nfcpy device for the PN532 at the end of ``line``.  Raises ``OSError``."""
    _wake_up(line)
    _ask(line, _NORMAL_MODE, 100)
    pn532 = nfc.clf.pn532
    return pn532.Device(_Chipset(line, logger=pn532.log), logger=pn532.log)


class _Chipset(nfc.clf.pn532.Chipset):  # type: ignore[misc]  # nfcpy has no types
    """A PN532 whose version is not queried, since clones answer differently."""

    def get_firmware_version(self) -> bytes:
        """The original's version."""
        return _USUAL_FIRMWARE


def _wake_up(line: SerialLine) -> None:
    """Find the chip at the speed it was left at, and set it to ``SPEED``. Raises ``OSError``
    ETIMEDOUT if no PN532 answers at any speed."""
    for speed, patience in ATTEMPTS:
        if line.speed != speed:
            line.open(line.port, speed)
        try:
            _ask(line, _GET_VERSION, patience)
        except OSError as error:
            if error.errno not in (errno.ETIMEDOUT, errno.EIO):
                raise
            continue
        line.patience = _KNOWN_PATIENCE
        if speed != SPEED:
            _slow_down(line)
        return
    raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))


def _slow_down(line: SerialLine) -> None:
    """Reset a chip left at a higher speed to the usual one."""
    log.info("%s was left at %d baud", line.port, line.speed)
    _ask(line, _USUAL_SPEED, 100)
    line.write(_ACK)
    # The chip changes speed after receiving this ACK at the old speed.
    line.drain()
    time.sleep(0.01)
    line.open(line.port, SPEED)


def _ask(line: SerialLine, command: bytes, patience: float) -> None:
    """Send ``command`` to a chip that may be asleep, and read its answer. Raises ``OSError``.

    Only checks that a PN532 answers, not the content: clones answer these commands under wrong
    numbers.
    """
    body = b"\xd4" + command
    head = bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF))
    line.write(_WAKE)
    line.drain()
    time.sleep(_WAKING)
    line.write(_PREAMBLE + head + body + bytes((-sum(body) & 0xFF, 0)))
    if line.read(patience) != _ACK:
        raise OSError(errno.EIO, "the reader did not acknowledge a command")
    if line.read(patience)[5] != 0xD5:
        raise OSError(errno.EIO, "the reader refused a command")


def _close(device: Any, line: SerialLine) -> None:
    """Cancel the current command, switch the field off, and always close the port."""
    line.patience = _PATIENCE  # the answer does not matter
    try:
        device.chipset.send_ack()
        time.sleep(0.01)
        device.mute()
    finally:
        line.close()


def call_port(call: Any, *args: Any, **options: Any) -> Any:
    """Run ``call(...)``, converting pyserial's other exceptions to ``OSError``.

    These are ``termios.error``, ``TypeError`` and ``ValueError``, if the port vanishes during the
    call.
    """
    try:
        return call(*args, **options)
    except OSError:
        raise
    except Exception as error:
        raise OSError(errno.EIO, str(error)) from error
