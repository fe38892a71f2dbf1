"""A PN532 on a serial port for nfcpy, always at 115200 baud.

nfcpy raises the speed to 921600 baud.  The chip keeps that after a crash, and the frame that
completes the change is often flushed away before it is sent; either way the next open fails
(nfcpy #68, #188).  At 115200 a poll takes a few milliseconds more and none of it can happen.
"""

from __future__ import annotations

import errno
import importlib
import logging
import os
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

_ACK = bytes.fromhex("0000ff00ff00")
_WAKE = bytes(10)
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
        self._port: Any = None
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
        self._port = _guarded(
            serial.Serial, path, baudrate, timeout=0.1, write_timeout=1.0, exclusive=True
        )

    def read(self, timeout: float) -> bytearray:
        """One frame, waiting ``timeout`` milliseconds (at least 50) for its bytes.

        Raises ``OSError``: ETIMEDOUT when nothing came, EIO when a frame was cut short.
        """
        port = self._open_port()
        seconds = max(timeout / 1000, 0.05)
        if port.timeout != seconds:
            _guarded(setattr, port, "timeout", seconds)
        frame = bytearray(_guarded(port.read, 6))
        if not frame:
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        if frame == _ACK:
            return frame
        if len(frame) == 6 and frame[3] == 0xFF:
            frame += _guarded(port.read, 3)
        long = len(frame) == 9
        if len(frame) < 6 or (frame[3] == 0xFF and not long):
            raise OSError(errno.EIO, "the reader's answer was cut short")
        length = frame[5] << 8 | frame[6] if long else frame[3]
        frame += _guarded(port.read, length + 1)
        return frame

    def write(self, frame: bytes) -> None:
        """Send ``frame``, dropping what had come in unread.  Raises ``OSError``."""
        port = self._open_port()
        _guarded(port.reset_input_buffer)
        _guarded(port.write, frame)

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
        _wake_up(line)
        _ask(line, _NORMAL_MODE, 100)
        pn532 = nfc.clf.pn532
        device = pn532.Device(pn532.Chipset(line, logger=pn532.log), logger=pn532.log)
    except BaseException:
        line.close()
        raise
    device._path = path
    device.close = partial(_close, device, line)
    return device


def open_arygon(path: str) -> Any:
    """An nfcpy device for the Arygon reader on the port ``path``.  Raises ``OSError``."""
    arygon = importlib.import_module("nfc.clf.arygon")
    # This driver reaches through to the pyserial port, so it needs nfcpy's own transport.
    line = nfc.clf.transport.TTY(path)
    try:
        device = arygon.init(line)
    except BaseException:
        line.close()
        raise
    device._path = path
    return device


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


def _ask(line: SerialLine, command: bytes, patience: float) -> bytearray:
    """Send ``command`` to a chip that may be asleep; its answer.  Raises ``OSError``."""
    body = b"\xd4" + command
    head = bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF))
    line.write(_WAKE + head + body + bytes((-sum(body) & 0xFF, 0)))
    if line.read(patience) != _ACK:
        raise OSError(errno.EIO, "the reader did not acknowledge a command")
    answer = line.read(100)
    if bytes(answer[5:7]) != bytes((0xD5, command[0] + 1)):
        raise OSError(errno.EIO, "the reader gave an answer to another question")
    return answer


def _close(device: Any, line: SerialLine) -> None:
    """Cancel what is under way, switch the field off, and close the port whatever happens."""
    try:
        device.chipset.send_ack()
        time.sleep(0.01)
        device.mute()
    finally:
        line.close()


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
