"""The names under which people write down a reader: ``usb``, ``usb@1-2``, ``pcsc``, a path, ..."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tags.sentences import Sentence

SERIAL_DRIVERS = ("pn532", "arygon")

_USB = re.compile(
    r"usb(:[0-9a-fA-F]{4}(:[0-9a-fA-F]{4})?|:[0-9]{1,3}:[0-9]{1,3}|@[0-9]{1,3}-[0-9]+(\.[0-9]+)*)?"
)
_UDP = re.compile(r"udp:[A-Za-z0-9._-]+:(?P<port>[0-9]{1,5})")
_TTY = re.compile(r"(?:tty|com):(?P<port>.+?)(?::(?P<driver>[a-z0-9]+))?")
_NAMED = re.compile(r"(S|ACM|AMA|USB|THS|AP)\d+")


Bus: TypeAlias = Literal["usb", "serial", "udp", "pcsc", "wedge", "file"]


@dataclass(frozen=True)
class Place:
    """Where a reader is and which driver it takes.

    ``address`` is, by bus: ``usb``, ``usb:VID:PID``, ``usb:BUS:DEV`` or ``usb@PORT``; a serial
    port's device file; ``udp:HOST:PORT``; a part of the PC/SC reader's name, or nothing; the
    device file of a reader that types; a file of taps, ``-`` for standard input.
    """

    bus: Bus
    address: str
    driver: str = ""


def parse_place(path: str) -> Place:
    """The place that ``path`` names.

    Understood are ``usb``, ``usb:VID``, ``usb:VID:PID`` (4 hex digits each), ``usb:BUS:DEV``
    (1 to 3 digits each), ``usb@PORT`` (the plug it is in, as the kernel names it: ``usb@1-2.3``),
    ``tty:PORT`` and ``tty:PORT:DRIVER`` (the driver is pn532 or arygon), a device file, ``COM3``,
    ``udp:HOST:PORT``, ``pcsc`` and ``pcsc:PART OF ITS NAME``, ``wedge:/dev/input/...``,
    ``file:PATH`` and ``file:-``.  Raises ``ValueError`` with one sentence for anything else.
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
                Sentence(
                    "There is no driver “{driver}” for serial readers; it is one of {drivers}.",
                    driver=driver,
                    drivers=", ".join(SERIAL_DRIVERS),
                )
            )
        return Place("serial", _device_file(port), driver)
    return _without_nfcpy(path)


def _without_nfcpy(path: str) -> Place:
    """The place of a reader that needs no driver of nfcpy, or none at all."""
    udp = _UDP.fullmatch(path)
    if udp and 0 < int(udp["port"]) < 65536:
        return Place("udp", path)
    kind, _, rest = path.partition(":")
    if kind == "pcsc" and (path == "pcsc" or rest.strip()):
        return Place("pcsc", rest.strip())
    if kind == "file" and rest:
        return Place("file", rest)
    if kind == "wedge" and rest.startswith("/"):
        return Place("wedge", rest)
    raise ValueError(
        Sentence(
            "“{path}” is no reader; write usb, usb:BUS:DEV, usb:VID:PID, usb@PORT, tty:USB0 or "
            "the path of a serial port, pcsc, pcsc:NAME, wedge:/dev/input/by-id/NAME, "
            "udp:HOST:PORT or file:PATH.",
            path=path,
        )
    )


def _device_file(port: str) -> str:
    """The device file behind nfcpy's short port names; a path stays as it is."""
    if port.startswith("/") or sys.platform == "win32":
        return port
    if _NAMED.fullmatch(port):
        return f"/dev/tty{port}"
    return f"/dev/cu.{port}" if port.startswith("usbserial") else f"/dev/{port}"
