"""Readers as written in settings: the paths of those here (``usb``, ``usb@1-2``, ``pcsc``, a device
file), and the URLs of those on the network, with how one connects to a broker.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

from common import NamedTuple
from common.sentences import Sentence

if TYPE_CHECKING:
    import ssl


Driver = Literal["nfcpy", "pcsc"]

PORTS = {"tcp": None, "mqtt": 1883, "mqtts": 8883, "zaparoo": 7497}
"""The schemes, each with its usual port; a bridge has none."""

INTERVAL = 1.0
"""Seconds between two looks of a reader that does not say its interval: ESPHome's default."""

OPTIONS = ("interval", "password-file", "ca-file")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+")
_LONGEST = 300


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

SERIAL_ADAPTERS: dict[str, str] = {
    "1a86:5523": "CH341",
    "1a86:7522": "CH340",
    "1a86:7523": "CH340",
    "1a86:55d3": "CH343, as of the PN532Killer",
    "1a86:55d4": "CH9102",
    "10c4:ea60": "CP210x",
    "0403:6001": "FTDI FT232R",
    "0403:6010": "FTDI FT2232",
    "0403:6014": "FTDI FT232H",
    "0403:6015": "FTDI FT231X",
    "067b:2303": "PL2303",
    "067b:23a3": "PL2303GC",
    "303a:1001": "ESP32",
}
"""USB serial adapters used for PN532 boards, by id; other devices use them too."""

NFCPY = frozenset(usb_id for usb_id, kind in KINDS.items() if kind.driver == "nfcpy")
"""The ids of the readers that nfcpy drives."""


_USB = re.compile(
    r"usb(:[0-9a-fA-F]{4}(:[0-9a-fA-F]{4})?|:[0-9]{1,3}:[0-9]{1,3}|@[0-9]{1,3}-[0-9]+(\.[0-9]+)*)?"
)
_TTY = re.compile(r"(?:tty|com):(?P<port>/.+?|[^:]+)(:pn532)?")
_NAMED = re.compile(r"(S|ACM|AMA|USB|THS|AP)\d+")


Bus: TypeAlias = Literal["usb", "serial", "pcsc", "wedge", "file", "tcp", "mqtt", "zaparoo", "line"]


@dataclass(frozen=True)
class ReaderPlace:
    """Where a reader is.

    ``address`` is, by bus: ``usb``, ``usb:VID:PID``, ``usb:BUS:DEV`` or ``usb@PORT``; a serial
    port's device file; a part of the PC/SC reader's name, or nothing; the device file of a
    keyboard-like reader; a file of taps, ``-`` for standard input; ``HOST:PORT`` of a bridge; the
    URL of a broker or of Zaparoo; the port of a reader that writes lines.
    """

    bus: Bus
    address: str


def parse_place(path: str) -> ReaderPlace:
    """Parse a reader path.

    Accepted are ``usb``, ``usb:VID``, ``usb:VID:PID`` (4 hex digits each), ``usb:BUS:DEV`` (1 to 3
    digits each), ``usb@PORT`` (the port it is in, as the kernel names it: ``usb@1-2.3``),
    ``tty:PORT`` and ``tty:PORT:pn532`` (nfcpy's names for a port), a device file, ``COM3``,
    ``pcsc`` and ``pcsc:PART OF ITS NAME``, ``wedge:/dev/input/...``, ``file:PATH`` and ``file:-``,
    ``serial-line:PORT`` and the URLs of ``addresses.parse_address``.
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
    if rest.startswith("//"):
        return _parse_url(path)
    if kind == "serial-line" and (rest.startswith("/") or re.fullmatch(r"COM\d+", rest)):
        return ReaderPlace("line", rest)
    if kind == "pcsc" and (path == "pcsc" or rest.strip()):
        return ReaderPlace("pcsc", rest.strip())
    if kind == "file" and rest:
        return ReaderPlace("file", rest)
    if kind == "wedge" and rest.startswith("/"):
        return ReaderPlace("wedge", rest)
    raise ValueError(
        Sentence(
            "“{path}” is not a reader; write usb, usb:BUS:DEV, usb:VID:PID, usb@PORT, "
            "tty:USB0 or the path of a serial port, pcsc, pcsc:NAME, "
            "wedge:/dev/input/by-id/NAME, file:PATH, serial-line:PORT, tcp://HOST:PORT, "
            "mqtt://HOST/TOPIC or zaparoo://HOST.",
            path=path,
        )
    )


def _parse_url(path: str) -> ReaderPlace:
    """The place of a reader on the network. Raises ``ValueError`` with one sentence."""

    address = parse_address(path)
    match address.scheme:
        case "tcp":
            return ReaderPlace("tcp", address.location)
        case "zaparoo":
            return ReaderPlace("zaparoo", path)
        case _:
            return ReaderPlace("mqtt", path)


def _device_file(port: str) -> str:
    """The device file behind nfcpy's short port names; a path stays as it is."""
    if port.startswith("/") or sys.platform == "win32":
        return port
    if _NAMED.fullmatch(port):
        return f"/dev/tty{port}"
    return f"/dev/cu.{port}" if port.startswith("usbserial") else f"/dev/{port}"


class Address(NamedTuple):
    """A reader's URL. ``topic`` is "" for whatever scanners announce themselves; ``interval`` is
    the scanner's, in seconds; the files are paths or ""."""

    scheme: str
    host: str
    port: int
    user: str = ""
    topic: str = ""
    interval: float = INTERVAL
    password_file: str = ""
    ca_file: str = ""

    @property
    def location(self) -> str:
        """``HOST:PORT``, with brackets around an IPv6 address."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_encrypted(self) -> bool:
        """Whether TLS is used."""
        return self.scheme in ("mqtts", "https")

    def read_password(self) -> str | None:
        """The first line of the password file; None without one. Raises ``OSError``."""
        if not self.password_file:
            return None
        with open(self.password_file, encoding="utf-8", errors="replace") as file:
            return file.readline(1024).rstrip("\r\n")

    def make_context(self) -> ssl.SSLContext:
        """The TLS context, which trusts the given authority or else the system's.

        Raises ``OSError`` for a file that cannot be read or is no certificate.
        """
        import ssl  # lazy: only a broker is reached by TLS

        return ssl.create_default_context(cafile=self.ca_file or None)


def parse_address(url: str) -> Address:
    """Parse ``tcp://HOST:PORT``, ``mqtt://[USER@]HOST[:PORT][/TOPIC]``, ``mqtts://…`` or
    ``zaparoo://HOST[:PORT]``, the MQTT ones also with ``?interval=SECONDS``, ``password-file=PATH``
    and ``ca-file=PATH`` (joined by ``&``).

    Raises ``ValueError`` with one sentence that says what is wrong.
    """
    scheme = url.partition(":")[0]
    if len(url) > _LONGEST or not url.isprintable():
        raise ValueError(
            Sentence("A reader's address has at most {most} characters.", most=_LONGEST)
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS[scheme]
    except (KeyError, ValueError):
        host, port = "", None
    if not _HOST.fullmatch(host) or port is None:
        raise ValueError(
            Sentence(
                "“{path}” is not the address of a reader; write tcp://HOST:PORT, "
                "mqtt://USER@HOST/TOPIC, mqtts://USER@HOST/TOPIC or zaparoo://HOST.",
                path=url,
            )
        )
    if parts.password is not None:
        raise ValueError(
            Sentence(
                "Write no password into “{path}”: others can read it. Put it into a file, and the "
                "file's path into the option password-file.",
                path=f"{scheme}://{host}",
            )
        )
    topic = unquote(parts.path.strip("/"))
    if not scheme.startswith("mqtt") and (topic or parts.query or parts.username):
        raise ValueError(
            Sentence("“{path}” has more than a host and a port; leave out the rest.", path=url)
        )
    if any(sign in topic for sign in "+#"):
        raise ValueError(
            Sentence(
                "“{path}” names several topics; write one, or none for every scanner that "
                "announces itself.",
                path=url,
            )
        )
    options = read_options(url, parts.query, OPTIONS)
    return Address(
        scheme,
        host,
        port,
        unquote(parts.username or ""),
        topic,
        _read_interval(url, options.get("interval", str(INTERVAL))),
        options.get("password-file", ""),
        options.get("ca-file", ""),
    )


def read_options(url: str, query: str, allowed: Sequence[str]) -> dict[str, str]:
    """The options after the ``?`` of an address. Raises ``ValueError`` for one that is not among
    those allowed, or is empty."""
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name, value in options.items():
        if name not in allowed or not value:
            raise ValueError(
                Sentence(
                    "“{name}” in “{path}” is not one of {values}, each with a value.",
                    name=name,
                    path=url.partition("?")[0],
                    values=", ".join(allowed),
                )
            )
    return options


def _read_interval(url: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0.02 <= seconds <= 60:
        raise ValueError(
            Sentence(
                "The interval of “{path}” is a number of seconds from 0.02 to 60.",
                path=url.partition("?")[0],
            )
        )
    return seconds
