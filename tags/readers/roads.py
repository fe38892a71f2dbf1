"""The roads by which a reader's chips come in.

Each is declared here once: how it is named in settings, what opens it, what its faults mean to
people.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from common.sentences import N_, Sentence
from tags.readers import Fault
from tags.readers.gone_roads import find_replacement

if TYPE_CHECKING:
    from common.extras import Extra


@dataclass(frozen=True, eq=False)
class Road:
    """A road, as `ROADS` has it.

    ``words`` are the paths as people write them, and ``about`` what is there: both are shown in
    ``config.yaml``. ``read`` is the address in a path, or None for a path of another road, and
    ``reader`` the module and class of this room that are called with it, a display name and an
    `IsKnown`; that loads no driver and touches no hardware. ``faults`` are the sentences about its
    readers where those in `tags.readers.faults`, of cables and plugs, do not help: they may say
    ``{name}``, and what the system says, ``{detail}``. ``extra`` is what drives them, if it is one.
    ``is_shared`` tells whether several readers may have the same path, because each of their lines
    may name its reader; for any other, two readers of one path are a mistake in the settings.
    """

    words: str
    about: str
    read: Callable[[str], str | None]
    reader: str
    faults: Mapping[Fault, str] = field(default_factory=dict)
    extra: Extra | None = None
    is_shared: bool = False


def _after(name: str, address: str = ".+") -> Callable[[str], str | None]:
    """Reads a path that begins with that name and a colon; what follows is an ``address``."""
    pattern = re.compile(f"{name}:({address})")

    def read(path: str) -> str | None:
        match = pattern.fullmatch(path)
        return match and match[1]

    return read


_USB = re.compile(
    r"usb(:[0-9a-fA-F]{4}(:[0-9a-fA-F]{4})?|:[0-9]{1,3}:[0-9]{1,3}|@[0-9]{1,3}-[0-9]+(\.[0-9]+)*)?"
)
_TTY = re.compile(r"(?:tty|com):(?P<port>/.+?|[^:]+)(:pn532)?")
_NAMED = re.compile(r"(S|ACM|AMA|USB|THS|AP)\d+")


def _read_usb(path: str) -> str | None:
    """Four hex digits of the maker and of the kind, or up to three digits of bus and device, or the
    port as the kernel names it: ``usb@1-2.3``."""
    return path if _USB.fullmatch(path) else None


def _read_port(path: str) -> str | None:
    """A serial port's device file, also behind nfcpy's names for one: ``tty:USB0:pn532``."""
    if path.startswith("/") or re.fullmatch(r"COM\d+", path):
        return path
    match = _TTY.fullmatch(path)
    if match is None:
        return None
    port = match["port"]
    if port.startswith("/") or sys.platform == "win32":
        return port
    if _NAMED.fullmatch(port):
        return f"/dev/tty{port}"
    return f"/dev/cu.{port}" if port.startswith("usbserial") else f"/dev/{port}"


def _read_pcsc(path: str) -> str | None:
    """A part of the reader's name; empty for the first reader."""
    if path == "pcsc":
        return ""
    return path.removeprefix("pcsc:").strip() or None if path.startswith("pcsc:") else None


ROADS = {
    "usb": Road(
        words="usb, usb:072f:2200, usb:1:5, usb@1-2",
        about="on USB, by its kind, its number or its port",
        read=_read_usb,
        reader="nfcpy_reader.NfcpyReader",
        faults={
            "permission": N_(
                "No permission to use the reader {name}; add a udev rule with "
                'SUBSYSTEM=="usb", ATTRS{{idVendor}}=="072f", TAG+="uaccess" (with the vendor '
                "that lsusb shows) as /etc/udev/rules.d/60-nfc-reader.rules and plug the "
                "reader in again."
            ),
            "busy": N_(
                "Another program is using the reader {name}; stop pcscd (systemctl stop "
                "pcscd.socket pcscd) or unload the kernel's driver (modprobe -r pn533_usb "
                "port100)."
            ),
        },
    ),
    "serial": Road(
        words="/dev/serial/by-id/NAME, tty:USB0, COM3",
        about="a PN532 on that serial port",
        read=_read_port,
        reader="nfcpy_reader.NfcpyReader",
        faults={
            "failed": N_(
                "The connection to the reader {name} is disturbed; it is being tried again. Check "
                "its cable."
            ),
        },
    ),
    "pcsc": Road(
        words="pcsc, pcsc:NAME",
        about="through PC/SC, by a part of its name",
        read=_read_pcsc,
        reader="pcsc_reader.PcscReader",
        faults={
            "permission": N_(
                "No permission to use the reader {name}: pcscd refuses; log in at the computer "
                "itself, or allow org.debian.pcsc-lite.access_pcsc in a polkit rule."
            ),
            "software": N_(
                "The reader {name} cannot be used because the PC/SC service is not running; "
                "start pcscd (systemctl start pcscd.socket)."
            ),
        },
        extra="pcsc",
    ),
    "wedge": Road(
        words="wedge:/dev/input/by-id/NAME",
        about="one that types like a keyboard",
        read=_after("wedge", "/.*"),
        reader="wedge.WedgeReader",
        faults={
            "permission": N_(
                "No permission to read from {name}; join the group that owns it (input) and log in "
                "again."
            ),
            "software": N_(
                "The reader {name} cannot be used; readers that type like a keyboard work on Linux "
                "only."
            ),
        },
        extra="wedge",
    ),
    "file": Road(
        words="file:PATH, file:-",
        about="a chip's id on each line, from any program; - is standard input",
        read=_after("file"),
        reader="file_reader.FileReader",
        faults={
            "permission": N_("No permission to read {name}; allow reading it (chmod)."),
            "missing": N_("There is no tap file {name}; create it, or choose another reader."),
            "failed": N_("The tap file {name} cannot be read any further: {detail}"),
        },
        is_shared=True,
    ),
}
"""Every road by its name."""


@dataclass(frozen=True)
class ReaderPlace:
    """Where a reader is: its road by name, and its address on it."""

    road: str
    address: str


def find_place(path: str) -> ReaderPlace | None:
    """The place that a path names, if any. Serial ports are never guessed: probing one would
    disturb any other device on it."""
    for name, road in ROADS.items():
        if (address := road.read(path)) is not None:
            return ReaderPlace(name, address)
    return None


def parse_place(path: str) -> ReaderPlace:
    """The place that a path names. Raises ``ValueError`` with one sentence if it names none."""
    place = find_place(path)
    if place is None:
        unknown = Sentence(
            "“{path}” is not a reader; write one of these: {words}.",
            path=path,
            words=", ".join(road.words for road in ROADS.values()),
        )
        raise ValueError(find_replacement(path) or unknown)
    return place
