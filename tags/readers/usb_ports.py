"""USB readers by port, the only permanent difference between two identical ones.

A device's number changes whenever it is plugged in; a port's name does not. Ports are named as
Linux names them: ``1-2.3`` is port 3 of the hub in port 2 of bus 1.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

SYSFS = Path("/sys/bus/usb/devices")


def find_address(address: str, sysfs: Path = SYSFS) -> str:
    """``usb:BUS:DEV`` for ``usb@PORT``; any other address unchanged.

    Raises ``OSError`` ENODEV if nothing is plugged in there.
    """
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
