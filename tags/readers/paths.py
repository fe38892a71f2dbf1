"""The names under which people write down a reader: ``usb``, ``usb:1:5``, ``tty:USB0``, a path."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Literal, TypeAlias

SERIAL_DRIVERS = ("pn532", "arygon")

_USB = re.compile(r"usb(:[0-9a-fA-F]{4}(:[0-9a-fA-F]{4})?|:[0-9]{1,3}:[0-9]{1,3})?")
_TTY = re.compile(r"(?:tty|com):(?P<port>.+?)(?::(?P<driver>[a-z0-9]+))?")
_NAMED = re.compile(r"(S|ACM|AMA|USB|THS|AP)\d+")


Bus: TypeAlias = Literal["usb", "serial"]


@dataclass(frozen=True)
class Place:
    """Where a reader is and which driver it takes.

    ``address`` is an nfcpy path (``usb``, ``usb:VID:PID``, ``usb:BUS:DEV``) or a device file.
    """

    bus: Bus
    address: str
    driver: str = ""


def parse_place(path: str) -> Place:
    """The place that ``path`` names.

    Understood are ``usb``, ``usb:VID``, ``usb:VID:PID`` (4 hex digits each), ``usb:BUS:DEV``
    (1 to 3 digits each), ``tty:PORT`` and ``tty:PORT:DRIVER`` (the driver is pn532 or arygon),
    a device file, and ``COM3``.  Raises ``ValueError`` with one sentence for anything else.
    Serial ports are never guessed: talking to one disturbs whatever else is plugged in there.
    """
    if _USB.fullmatch(path):
        return Place("usb", path)
    if path.startswith("/") or re.fullmatch(r"COM\d+", path):
        return Place("serial", path, "pn532")
    found = _TTY.fullmatch(path)
    if found:
        port, driver = found["port"], found["driver"] or "pn532"
        if driver not in SERIAL_DRIVERS:
            raise ValueError(
                f"There is no driver {driver!r} for serial readers; it is one of "
                f"{', '.join(SERIAL_DRIVERS)}."
            )
        return Place("serial", _device_file(port), driver)
    raise ValueError(
        f"{path!r} is no reader; write usb, usb:BUS:DEV, usb:VID:PID, tty:USB0 or the path of a "
        "serial port."
    )


def _device_file(port: str) -> str:
    """The device file behind nfcpy's short port names; a path stays as it is."""
    if port.startswith("/") or sys.platform == "win32":
        return port
    if _NAMED.fullmatch(port):
        return f"/dev/tty{port}"
    return f"/dev/cu.{port}" if port.startswith("usbserial") else f"/dev/{port}"
