"""Open a reader through nfcpy 1.0.4, working around that version's bugs.

Only ``nfcpy_reader`` imports this module, and only when a reader is opened. nfcpy is not patched:
transports are wrapped, and ``close`` is replaced on the opened device only.

A PN532 may be behind a bridge from the network to its serial line (Tasmota's `TCPStart`, ESPHome's
stream server, ser2net): the bytes of the line over a socket, at the speed set on the bridge.
pyserial's own `socket://` hides the number of an error, waits 5 seconds for a silent host and 0.3
to close; the standard library's socket does neither.
"""

from __future__ import annotations

import errno
import importlib
import logging
import os
import select
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nfc.clf
import nfc.clf.device
import nfc.clf.transport

from tags.readers.nfcpy_serial import SPEED, SerialLine, open_on_line, open_pn532
from tags.readers.paths import ReaderPlace

SYSFS = Path("/sys/bus/usb/devices")

CONNECTING = 3.0
"""Most seconds to connect."""

UNANSWERED_MS = 2500
"""Milliseconds without an acknowledgement after which the system gives up the connection."""

DELAY = 0.8
"""Seconds a frame, or the rest of it, may be under way: a bridge sends single bytes over a Wi-Fi
that can delay each by 0.2 seconds."""


def find_address(address: str, sysfs: Path = SYSFS) -> str:
    """``usb:BUS:DEV`` for ``usb@PORT``; any other address unchanged.

    Raises ``OSError`` ENODEV if nothing is plugged in there.
    """
    kind, at, port = address.partition("@")
    if not at:
        return address
    match = _find_in_sysfs(port, sysfs) if "linux" in sys.platform else _find_with_libusb(port)
    if match is None:
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
    return f"{kind}:{match[0]:03}:{match[1]:03}"


def _find_in_sysfs(port: str, sysfs: Path) -> tuple[int, int] | None:
    try:
        bus, number = ((sysfs / port / name).read_text("ascii") for name in ("busnum", "devnum"))
        return int(bus), int(number)
    except (OSError, ValueError):
        return None


def _find_with_libusb(port: str) -> tuple[int, int] | None:
    import usb1

    with usb1.USBContext() as context:
        for device in context.getDeviceIterator(skip_on_error=True):
            ports = ".".join(map(str, device.getPortNumberList()))
            if f"{device.getBusNumber()}-{ports}" == port:
                return device.getBusNumber(), device.getDeviceAddress()
    return None


log = logging.getLogger(__name__)

# nfcpy logs a pulled cable as errors; without a handler they would be printed over the screen.
logging.getLogger("nfc").addHandler(logging.NullHandler())

CCID_TIMEOUT_MS = 1000
"""Milliseconds an ACR122U may take for its first answers; nfcpy allows 100 (nfcpy #105)."""


def open_frontend(place: ReaderPlace) -> Any:
    """An nfcpy ``ContactlessFrontend`` on the reader at ``place``.

    Raises ``OSError``, ``termios.error`` or ``usb1.USBError``, depending on the cause.
    """
    frontend = nfc.clf.ContactlessFrontend()
    frontend.device = _find_opener(place)(place.address)
    return frontend


def _find_opener(place: ReaderPlace) -> Callable[[str], Any]:
    if place.bus == "tcp":
        return open_bridged
    return open_pn532 if place.bus == "serial" else _open_usb


def _open_usb(address: str) -> Any:
    """Open the first supported reader that matches ``address`` and can be opened.

    nfcpy's own search reports a reader without permission as "no such device"; this one reports the
    first real cause.
    """
    reason: Exception = OSError(errno.ENODEV, os.strerror(errno.ENODEV))
    failures = []
    match = nfc.clf.transport.USB.find(find_address(address))
    for vendor, product, bus, number in match or ():
        driver = nfc.clf.device.usb_device_map.get((vendor, product))
        if driver is None:
            continue
        try:
            device = _start_usb(driver, bus, number)
        except Exception as error:
            log.debug("usb:%03d:%03d: %r", bus, number, error)
            failures.append(error)
            continue
        device._path = f"usb:{bus:03}:{number:03}"
        return device
    raise failures[0] if failures else reason


def _start_usb(driver: str, bus: int, number: int) -> Any:
    transport = nfc.clf.transport.USB(bus, number)
    try:
        if driver == "acr122":
            return _start_acr122(transport)
        return importlib.import_module(f"nfc.clf.{driver}").init(transport)
    except Exception:
        transport.close()
        raise


def _start_acr122(usb: Any) -> Any:
    acr122 = importlib.import_module("nfc.clf.acr122")
    transport = PatientTransport(usb)
    device = acr122.Device(acr122.Chipset(transport))
    device._vendor_name = usb.manufacturer_name
    # The string descriptor cannot always be read; acr122.init() crashes then.
    device._device_name = (usb.product_name or "ACR122U").split()[0]
    device.close = partial(_close_awake, device, transport)
    return device


def _close_awake(device: Any, transport: PatientTransport) -> None:
    """Close an ACR122U without sending PowerDown, from which firmware 2.15 and 2.16 never wake.

    nfcpy sends it, and the reader is found again only after replugging (nfcpy #154, #171, #231).
    """
    try:
        device.mute()
    finally:
        transport.close()


class PatientTransport:
    """nfcpy's USB transport, with a timeout of at least ``CCID_TIMEOUT_MS`` for every answer."""

    TYPE = "USB"

    def __init__(self, usb: Any) -> None:
        self._usb = usb

    def read(self, timeout: int = 0) -> Any:
        """One message from the reader; ``timeout`` in milliseconds is raised to the minimum."""
        return self._usb.read(max(timeout, CCID_TIMEOUT_MS))

    def write(self, frame: bytes, timeout: int = 0) -> None:
        """Send one message; ``timeout`` in milliseconds, 0 waits forever."""
        self._usb.write(frame, timeout or CCID_TIMEOUT_MS)

    def close(self) -> None:
        """Release the device."""
        self._usb.close()


class TcpLine(SerialLine):
    """The line behind a bridge; ``port`` is ``HOST:PORT``."""

    attempts = ((SPEED, 500), (SPEED, 1500))  # the bridge sets the speed
    gap = DELAY

    def open(self, path: str, baudrate: int = SPEED) -> None:
        """Connect to ``HOST:PORT``, closing what was open before.  Raises ``OSError``."""
        self.close()
        self._path = path
        self._unread.clear()
        self._port = _SocketPort(path)

    def _receive(self, port: Any, seconds: float) -> bytes:
        ready, _, _ = select.select([port.socket], [], [], seconds)
        if not ready:
            return b""
        data: bytes = port.socket.recv(512)
        if not data:
            raise OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
        _acknowledge(port.socket)
        return data

    def _send(self, port: Any, frame: bytes) -> None:
        port.socket.sendall(frame)


class _SocketPort:
    """A socket with those methods of pyserial's port that a line calls."""

    baudrate = SPEED

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host.strip("[]"), int(port)), CONNECTING)
        self.socket.settimeout(DELAY)
        _notice_silence(self.socket)

    def reset_input_buffer(self) -> None:
        """Discard what has arrived. Raises ``OSError`` if the other end has hung up."""
        while select.select([self.socket], [], [], 0)[0]:
            if not self.socket.recv(4096):
                raise OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))

    def flush(self) -> None:
        """Nothing: a frame is sent at once."""

    def close(self) -> None:
        """Hang up."""
        self.socket.close()


def _notice_silence(connection: socket.socket) -> None:
    """Send every frame at once, and have the system notice a bridge that vanished: on a connection
    it still holds for open nothing would arrive for ever."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        for option, value in (
            (socket.TCP_KEEPIDLE, 1),
            (socket.TCP_KEEPINTVL, 1),
            (socket.TCP_KEEPCNT, 2),
            (socket.TCP_USER_TIMEOUT, UNANSWERED_MS),
        ):
            connection.setsockopt(socket.IPPROTO_TCP, option, value)


def _acknowledge(connection: socket.socket) -> None:
    """Have the system acknowledge at once what has arrived: many a bridge holds the answer to a
    command back until then (Nagle's algorithm), and the system would wait 40 milliseconds for
    something to send along. The option lasts for one acknowledgement, so it is set each time."""
    if sys.platform == "linux":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def open_bridged(address: str) -> Any:
    """An nfcpy device for the PN532 behind the bridge at ``HOST:PORT``.  Raises ``OSError``."""
    return open_on_line(TcpLine(address))
