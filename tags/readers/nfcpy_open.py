"""Open a reader through nfcpy 1.0.4, working around that version's bugs.

Only ``nfcpy_reader`` imports this module, and only when a reader is opened. nfcpy is not patched:
transports are wrapped, and ``close`` is replaced on the opened device only.
"""

from __future__ import annotations

import errno
import importlib
import logging
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import nfc.clf
import nfc.clf.device
import nfc.clf.transport

from tags.readers.nfcpy_serial import open_pn532
from tags.readers.roads import ReaderPlace

SYSFS = Path("/sys/bus/usb/devices")


def find_address(address: str, sysfs: Path = SYSFS) -> str:
    """``usb:BUS:DEV`` for ``usb@PORT``; any other address unchanged. Raises ``OSError`` ENODEV if
    nothing is plugged in there."""
    kind, at, port = address.partition("@")
    if not at:
        return address
    found = _find_in_sysfs(port, sysfs) if "linux" in sys.platform else _find_with_libusb(port)
    if found is None:
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
    return f"{kind}:{found[0]:03}:{found[1]:03}"


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
    """An nfcpy ``ContactlessFrontend`` on the reader at ``place``. Raises ``OSError``,
    ``termios.error`` or ``usb1.USBError``, depending on the cause."""
    frontend = nfc.clf.ContactlessFrontend()
    open_device = open_pn532 if place.road == "serial" else _open_usb
    frontend.device = open_device(place.address)
    return frontend


def _open_usb(address: str) -> Any:
    """Open the first supported reader that matches ``address`` and can be opened.

    nfcpy's own search reports a reader without permission as "no such device"; this one reports the
    first real cause.
    """
    reason: Exception = OSError(errno.ENODEV, os.strerror(errno.ENODEV))
    failures = []
    found = nfc.clf.transport.USB.find(find_address(address))
    for vendor, product, bus, number in found or ():
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
        self._usb.close()
