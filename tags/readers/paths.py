"""Reader paths as written in settings: ``usb``, ``usb@1-2``, ``pcsc``, a device file, ..."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Literal, TypeAlias

from common.sentences import Sentence

_USB = re.compile(
    r"usb(:[0-9a-fA-F]{4}(:[0-9a-fA-F]{4})?|:[0-9]{1,3}:[0-9]{1,3}|@[0-9]{1,3}-[0-9]+(\.[0-9]+)*)?"
)
_TTY = re.compile(r"(?:tty|com):(?P<port>/.+?|[^:]+)(:pn532)?")
_NAMED = re.compile(r"(S|ACM|AMA|USB|THS|AP)\d+")


Bus: TypeAlias = Literal["usb", "serial", "pcsc", "wedge", "file"]


@dataclass(frozen=True)
class Place:
    """Where a reader is.

    ``address`` is, by bus: ``usb``, ``usb:VID:PID``, ``usb:BUS:DEV`` or ``usb@PORT``; a serial
    port's device file; a part of the PC/SC reader's name, or nothing; the device file of a
    keyboard-like reader; a file of taps, ``-`` for standard input.
    """

    bus: Bus
    address: str


def parse_place(path: str) -> Place:
    """Parse a reader path.

    Accepted are ``usb``, ``usb:VID``, ``usb:VID:PID`` (4 hex digits each), ``usb:BUS:DEV`` (1 to 3
    digits each), ``usb@PORT`` (the port it is in, as the kernel names it: ``usb@1-2.3``),
    ``tty:PORT`` and ``tty:PORT:pn532`` (nfcpy's names for a port), a device file, ``COM3``,
    ``pcsc`` and ``pcsc:PART OF ITS NAME``, ``wedge:/dev/input/...``, ``file:PATH`` and ``file:-``.
    Raises ``ValueError`` with one sentence for anything else. Serial ports are never guessed:
    probing one would disturb any other device on it.
    """
    if _USB.fullmatch(path):
        return Place("usb", path)
    if path.startswith("/") or re.fullmatch(r"COM\d+", path):
        return Place("serial", path)
    found = _TTY.fullmatch(path)
    if found:
        return Place("serial", _device_file(found["port"]))
    kind, _, rest = path.partition(":")
    if kind == "pcsc" and (path == "pcsc" or rest.strip()):
        return Place("pcsc", rest.strip())
    if kind == "file" and rest:
        return Place("file", rest)
    if kind == "wedge" and rest.startswith("/"):
        return Place("wedge", rest)
    raise ValueError(
        Sentence(
            "“{path}” is not a reader; write usb, usb:BUS:DEV, usb:VID:PID, usb@PORT, "
            "tty:USB0 or the path of a serial port, pcsc, pcsc:NAME, "
            "wedge:/dev/input/by-id/NAME or file:PATH.",
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
