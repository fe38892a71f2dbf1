"""A PN532 on a serial port for nfcpy, always at 115200 baud.

nfcpy raises the speed to 921600 baud.  The chip keeps that after a crash, and the frame that
completes the change is often flushed away before it is sent; either way the next open fails
(nfcpy #68, #188).  At 115200 a poll takes a few milliseconds more and none of it can happen.
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

_ATTEMPTS = ((SPEED, 100), (921600, 100), (460800, 100), (230400, 100), (SPEED, 1500))
"""Baud and milliseconds: the usual speed first, those a crashed program may have left behind,
and at last a long wait, because some USB converters sit on the first bytes for a second."""

_PATIENCE = 0.05
"""Seconds to wait at least for an answer to begin, and at most from one piece to the next."""

_KNOWN_PATIENCE = 1.0
"""The same for the beginning, once a chip has answered here: a busy computer may keep it waiting,
and the 0.1 that nfcpy gives an acknowledgement would take that for a broken reader."""

_WAKING = 0.005
"""Seconds that a sleeping PN532 takes until it hears what it is told; libnfc waits as long."""

_USUAL_FIRMWARE = bytes.fromhex("32010607")
"""What a PN532 says of itself; some clones answer this question with something else."""

_ACK = bytes.fromhex("0000ff00ff00")
_WAKE = b"\x55\x55\x55"
_PREAMBLE = bytes(3)
_GET_VERSION = bytes.fromhex("02")
_NORMAL_MODE = bytes.fromhex("140100")
_USUAL_SPEED = bytes.fromhex("1004")


class SerialLine:
    """A serial port with the face of nfcpy's TTY transport, failing only with ``OSError``."""

    TYPE = "TTY"
    manufacturer_name = None
    product_name = None

    def __init__(self, path: str, speed: int = SPEED) -> None:
        """Open ``path`` for this program alone.  Raises ``OSError``."""
        self.patience = _PATIENCE
        self._port: Any = None
        self._unread = bytearray()
        self.open(path, speed)

    @property
    def port(self) -> str:
        """The path of the device file."""
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
        self._port = _guarded(
            serial.Serial, path, baudrate, timeout=0, write_timeout=1.0, exclusive=True
        )

    def read(self, timeout: float) -> bytearray:
        """One frame, waiting ``timeout`` milliseconds (at least ``patience``) for its bytes.

        Raises ``OSError``: ETIMEDOUT when nothing came, EIO when a frame was cut short.
        """
        head = self._take(6, max(timeout / 1000, self.patience))
        if head == _ACK:
            return head
        if head[3] == 0xFF:
            head += self._take(3, _PATIENCE)
        length = head[5] << 8 | head[6] if len(head) == 9 else head[3]
        return head + self._take(length + 1, _PATIENCE)

    def _take(self, count: int, seconds: float) -> bytearray:
        """The next ``count`` bytes.  Raises ``OSError``: EIO when only some came in time."""
        port, end = self._open_port(), time.monotonic() + seconds
        while len(self._unread) < count:
            more = _guarded(_receive, port, max(end - time.monotonic(), 0))
            if not more and self._unread:
                raise OSError(errno.EIO, "the reader's answer was cut short")
            if not more:
                raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            self._unread += more
            end = time.monotonic() + _PATIENCE
        taken = self._unread[:count]
        del self._unread[:count]
        return taken

    def write(self, frame: bytes) -> None:
        """Send ``frame``, dropping what had come in unread.  Raises ``OSError``."""
        port = self._open_port()
        self._unread.clear()
        _guarded(port.reset_input_buffer)
        _guarded(_send, port, frame)

    def drain(self) -> None:
        """Wait until everything written has left the port.  Raises ``OSError``."""
        _guarded(self._open_port().flush)

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


def open_pn532(path: str) -> Any:
    """An nfcpy device for the PN532 on the port ``path``.  Raises ``OSError``."""
    line = SerialLine(path)
    try:
        device = start_pn532(line)
    except BaseException:
        line.close()
        raise
    device._path = path
    device.close = partial(_close, device, line)
    return device


def start_pn532(line: SerialLine) -> Any:
    """An nfcpy device for the PN532 at the end of ``line``.  Raises ``OSError``."""
    _wake_up(line)
    line.patience = _KNOWN_PATIENCE
    _ask(line, _NORMAL_MODE, 100)
    pn532 = nfc.clf.pn532
    return pn532.Device(_Chipset(line, logger=pn532.log), logger=pn532.log)


class _Chipset(nfc.clf.pn532.Chipset):  # type: ignore[misc]  # nfcpy has no types
    """A PN532 that is not asked what it is: clones answer that in ways of their own."""

    def get_firmware_version(self) -> bytes:
        """What the original says."""
        return _USUAL_FIRMWARE


def _wake_up(line: SerialLine) -> None:
    """Find the chip at whatever speed it was left and bring it to ``SPEED``.

    Raises ``OSError`` ETIMEDOUT when nobody answers as a PN532 at any speed.
    """
    for speed, patience in _ATTEMPTS:
        if line.speed != speed:
            line.open(line.port, speed)
        try:
            _ask(line, _GET_VERSION, patience)
        except OSError as error:
            if error.errno not in (errno.ETIMEDOUT, errno.EIO):
                raise
            continue
        if speed != SPEED:
            _slow_down(line)
        return
    raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))


def _slow_down(line: SerialLine) -> None:
    """Tell a chip left at a higher speed to go back to the usual one."""
    log.info("%s was left at %d baud", line.port, line.speed)
    _ask(line, _USUAL_SPEED, 100)
    line.write(_ACK)
    # The chip changes speed when it has seen this ACK, at the old speed.
    line.drain()
    time.sleep(0.01)
    line.open(line.port, SPEED)


def _ask(line: SerialLine, command: bytes, patience: float) -> None:
    """Send ``command`` to a chip that may be asleep, and hear it out.  Raises ``OSError``.

    What it answers is not looked at, only that it does as a PN532: clones give the answers to these
    commands under wrong numbers.
    """
    body = b"\xd4" + command
    head = bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF))
    line.write(_WAKE)
    line.drain()
    time.sleep(_WAKING)
    line.write(_PREAMBLE + head + body + bytes((-sum(body) & 0xFF, 0)))
    if line.read(patience) != _ACK:
        raise OSError(errno.EIO, "the reader did not acknowledge a command")
    if line.read(100)[5] != 0xD5:
        raise OSError(errno.EIO, "the reader refused a command")


def _close(device: Any, line: SerialLine) -> None:
    """Cancel what is under way, switch the field off, and close the port whatever happens."""
    line.patience = _PATIENCE  # nothing depends on the answer
    try:
        device.chipset.send_ack()
        time.sleep(0.01)
        device.mute()
    finally:
        line.close()


def _send(port: Any, frame: bytes) -> None:
    """Hand ``frame`` to the port, at once where there is room for it: nearly always.

    pyserial's own write waits afterwards until there is room for more.
    """
    sent = 0
    if sys.platform != "win32":
        try:
            sent = os.write(port.fileno(), frame)
        except BlockingIOError:
            log.debug("no room for a frame yet")
    if sent < len(frame):
        port.write(frame[sent:])


def _receive(port: Any, seconds: float) -> bytes:
    """Whatever comes in next; empty after ``seconds`` of silence.

    Where select works it costs a third of pyserial's own read, which this does twenty times a
    second for as long as the table sits there.
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


def _guarded(call: Any, *args: Any, **options: Any) -> Any:
    """``call(...)`` with what pyserial lets through besides ``OSError`` made one.

    That is ``termios.error``, ``TypeError`` and ``ValueError`` from a port that vanished during
    the call.
    """
    try:
        return call(*args, **options)
    except OSError:
        raise
    except Exception as error:
        raise OSError(errno.EIO, str(error)) from error
