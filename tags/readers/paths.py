"""Readers as written in settings: ``usb``, ``usb@1-2``, ``pcsc``, a device file, a file of lines;
and the roads that are gone, with the lines that replace them.
"""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

from common.sentences import Sentence

Driver = Literal["nfcpy", "pcsc"]


class Kind(NamedTuple):
    """A kind of reader: its name and its driver."""

    name: str
    driver: Driver


KINDS: dict[str, Kind] = {
    "072f:2200": Kind("ACS ACR122U", "nfcpy"),
    "04e6:5591": Kind("SCM SCL3711", "nfcpy"),
    "04e6:5593": Kind("SCM SCL3712", "nfcpy"),
    "04cc:2533": Kind("NXP PN533 demo board", "nfcpy"),
    "054c:06c1": Kind("Sony RC-S380/S", "nfcpy"),
    "054c:06c3": Kind("Sony RC-S380/P", "nfcpy"),
    "054c:02e1": Kind("Sony RC-S330, RC-S360 or RC-S370", "nfcpy"),
    "054c:0193": Kind("Sony PN531", "nfcpy"),
    "04cc:0531": Kind("Philips PN531 or SCM SCL3710", "nfcpy"),
    "072f:90cc": Kind("ACS ACR38 or an old ACR122", "pcsc"),
    "072f:221a": Kind("ACS ACR1251U", "pcsc"),
    "072f:223b": Kind("ACS ACR1252U", "pcsc"),
    "072f:223e": Kind("ACS ACR1252U", "pcsc"),
    "072f:2206": Kind("ACS ACR1255U-J1", "pcsc"),
    "072f:2308": Kind("ACS ACR1552U", "pcsc"),
    "076b:5022": Kind("HID OMNIKEY 5022 CL", "pcsc"),
    "076b:5422": Kind("HID OMNIKEY 5422", "pcsc"),
    "076b:5427": Kind("HID OMNIKEY 5427 CK", "pcsc"),
    "04e6:5790": Kind("Identiv uTrust 3700 F", "pcsc"),
    "04e6:5724": Kind("Identiv uTrust 4701 F", "pcsc"),
}
"""By ``vendor:product``, four hex digits each, in lower case."""

NFCPY = frozenset(usb_id for usb_id, kind in KINDS.items() if kind.driver == "nfcpy")
"""The ids of the readers that nfcpy drives."""


_USB = re.compile(
    r"usb(:[0-9a-fA-F]{4}(:[0-9a-fA-F]{4})?|:[0-9]{1,3}:[0-9]{1,3}|@[0-9]{1,3}-[0-9]+(\.[0-9]+)*)?"
)
_TTY = re.compile(r"(?:tty|com):(?P<port>/.+?|[^:]+)(:pn532)?")
_NAMED = re.compile(r"(S|ACM|AMA|USB|THS|AP)\d+")


Bus: TypeAlias = Literal["usb", "serial", "pcsc", "wedge", "file"]


@dataclass(frozen=True)
class ReaderPlace:
    """Where a reader is.

    ``address`` is, by bus: ``usb``, ``usb:VID:PID``, ``usb:BUS:DEV`` or ``usb@PORT``; a serial
    port's device file; a part of the PC/SC reader's name, or nothing; the device file of a
    keyboard-like reader; a file of lines, ``-`` for standard input.
    """

    bus: Bus
    address: str


def parse_place(path: str) -> ReaderPlace:
    """Parse a reader path.

    Accepted are ``usb``, ``usb:VID``, ``usb:VID:PID`` (4 hex digits each), ``usb:BUS:DEV`` (1 to 3
    digits each), ``usb@PORT`` (the port it is in, as the kernel names it: ``usb@1-2.3``),
    ``tty:PORT`` and ``tty:PORT:pn532`` (nfcpy's names for a port), a device file, ``COM3``,
    ``pcsc`` and ``pcsc:PART OF ITS NAME``, ``wedge:/dev/input/...``, ``file:PATH`` and ``file:-``.
    Raises ``ValueError`` with one sentence for anything else. Serial ports are never guessed:
    probing one would disturb any other device on it.
    """
    if _USB.fullmatch(path):
        return ReaderPlace("usb", path)
    if path.startswith("/") or re.fullmatch(r"COM\d+", path):
        return ReaderPlace("serial", path)
    match = _TTY.fullmatch(path)
    if match:
        return ReaderPlace("serial", _device_file(match["port"]))
    kind, _, rest = path.partition(":")
    if kind == "pcsc" and (path == "pcsc" or rest.strip()):
        return ReaderPlace("pcsc", rest.strip())
    if kind == "file" and rest:
        return ReaderPlace("file", rest)
    if kind == "wedge" and rest.startswith("/"):
        return ReaderPlace("wedge", rest)
    if (gone := find_replacement(path)) is not None:
        raise ValueError(gone)
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


def find_replacement(path: str) -> Sentence | None:
    """For a reader on a road that is gone, the sentence with the lines that replace it."""
    lines = _replace_road(path)
    if lines is None:
        return None
    return Sentence(
        "The reader {path} can no longer be reached directly. These lines do it: {lines}",
        path=path.partition("?")[0],
        lines=lines,
    )


def _replace_road(path: str) -> str | None:
    kind, _, rest = path.partition(":")
    if kind == "serial-line":
        port = shlex.quote(rest)
        return (
            f"stty -F {port} 115200 raw; mkfifo taps; cat {port} >taps & "
            "companion play --reader file:taps"
        )
    if kind not in ("tcp", "mqtt", "mqtts", "zaparoo"):
        return None
    try:
        parts = urlsplit(path)
        host, port_number = parts.hostname or "HOST", parts.port
    except ValueError:
        parts, host, port_number = urlsplit(f"{kind}://HOST"), "HOST", None
    if kind == "tcp":
        address = f"tcp:{host}:{port_number or 'PORT'}"
        return (
            f"socat pty,raw,echo=0,link=pn532 {shlex.quote(address)} & "
            'companion play --reader "$PWD/pn532"'
        )
    if kind == "zaparoo":
        url = f"ws://{host}:{port_number or 7497}/api/v0.1"
        hear = f"websocat -u {shlex.quote(url)}"
    else:
        topic = unquote(parts.path.strip("/")) or "TOPIC"
        port_option = f" -p {port_number}" if port_number else ""
        hear = f"mosquitto_sub -h {shlex.quote(host)}{port_option} -t {shlex.quote(topic)}"
    return f"mkfifo taps; {hear} >taps & companion play --reader file:taps"
