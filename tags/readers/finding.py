"""What is plugged in that may be a reader, and what stands in its way: looked up, never opened.

On Linux everything comes from /sys, /dev and /proc below one root, so that tests can make their
own computer.  Serial ports are only listed: talking to one disturbs whatever else it is.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
from collections.abc import Callable, Iterator
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path

from tags.readers.known import KINDS, Kind

_KERNEL_DRIVERS = ("pn533_usb", "port100")
_HANGS = ("0215", "0216")
_TYPES_IDS = re.compile(r"rfid|reader|sycreader|proximity|ic_card|nfc", re.IGNORECASE)

USABLE, UNKNOWN, BROKEN = "usable", "unknown", "broken"


@dataclass(frozen=True)
class Finding:
    """One thing found: its ``path`` as settings take it, a sentence on it, and what to type.

    ``state`` is ``usable``, ``broken`` (a reader that cannot be used as things are) or ``unknown``
    (it may be a reader, and nobody asked it).
    """

    path: str
    what: str
    state: str
    said: str
    mend: str = ""


@dataclass(frozen=True)
class Computer:
    """Where to look; everything has the real computer as its default."""

    root: Path = Path("/")
    may: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    library: Callable[[str], str | None] = find_library
    module: Callable[[str], bool] = lambda name: importlib.util.find_spec(name) is not None

    def runs(self, program: str) -> bool:
        """Whether a process of that name runs."""
        return any(_text(comm) == program for comm in self.root.glob("proc/[0-9]*/comm"))


def find(computer: Computer | None = None) -> list[Finding]:
    """Everything that is or may be a reader."""
    here = computer or Computer()
    return [*usb(here), *serial(here), *keyboards(here)]


def usb(here: Computer) -> Iterator[Finding]:
    """The USB readers of known kinds."""
    for device in sorted(here.root.glob("sys/bus/usb/devices/*")):
        usb_id = f"{_text(device / 'idVendor')}:{_text(device / 'idProduct')}".lower()
        kind = KINDS.get(usb_id)
        if kind is not None:
            yield _usb_reader(here, device, usb_id, kind)


def _usb_reader(here: Computer, device: Path, usb_id: str, kind: Kind) -> Finding:
    if kind.driver == "pcsc":
        return _pcsc_only(here, kind)
    path = f"usb@{device.name}"
    holder = _driver(device)
    if holder in _KERNEL_DRIVERS:
        return _broken(
            path,
            kind.name,
            f"the kernel's own driver {holder} holds it.",
            f"sudo modprobe -r {holder}; echo 'blacklist {holder}' | "
            "sudo tee -a /etc/modprobe.d/blacklist-nfc.conf",
        )
    if not (here.library("usb-1.0") or here.library("libusb-1.0")):
        return _broken(
            path, kind.name, "the library libusb 1.0 is missing.", "sudo apt install libusb-1.0-0"
        )
    node = here.root / f"dev/bus/usb/{_padded(device, 'busnum')}/{_padded(device, 'devnum')}"
    if not here.may(node):
        vendor, product = usb_id.split(":")
        rule = (
            f'SUBSYSTEM=="usb", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", '
            'MODE="0660", TAG+="uaccess"'
        )
        return _broken(
            path,
            kind.name,
            "this user may not use it; after the command plug it in again.",
            f"echo {shlex.quote(rule)} | sudo tee -a /etc/udev/rules.d/60-nfc-reader.rules && "
            "sudo udevadm control --reload",
        )
    if holder == "usbfs" and here.runs("pcscd"):
        return _broken(path, kind.name, "pcscd holds it.", "sudo systemctl stop pcscd.socket pcscd")
    if holder == "usbfs":
        return Finding(
            path, kind.name, UNKNOWN, "another program uses it, perhaps our own reader service."
        )
    said = "it can be used."
    if usb_id == "072f:2200" and _text(device / "bcdDevice") in _HANGS:
        said += (
            " Its firmware hangs after other programs have put it to sleep; if it does not answer, "
            "plug it in again."
        )
    return Finding(path, kind.name, USABLE, said)


def _pcsc_only(here: Computer, kind: Kind) -> Finding:
    # as PC/SC names it: without the letters that say only how it is plugged in
    path = f"pcsc:{kind.name.split()[1].removesuffix('-J1').removesuffix('U')}"
    if not here.module("smartcard"):
        return _broken(
            path,
            kind.name,
            "it speaks PC/SC, and pyscard is missing.",
            "pip install 'citadels-companion[pcsc]'",
        )
    if not (here.runs("pcscd") or os.path.exists(here.root / "run/pcscd/pcscd.comm")):
        return _broken(
            path,
            kind.name,
            "it speaks PC/SC, and pcscd does not run.",
            "sudo apt install pcscd && sudo systemctl start pcscd.socket",
        )
    return Finding(path, kind.name, USABLE, "it can be used through PC/SC.")


def serial(here: Computer) -> Iterator[Finding]:
    """The serial ports by their stable names; none is opened."""
    for port in sorted(here.root.glob("dev/serial/by-id/*")):
        path = f"/{port.relative_to(here.root)}"
        if here.may(port):
            yield Finding(
                path,
                "a serial port",
                UNKNOWN,
                "if that is a PN532, try it.",
                f"companion doctor --tap 3 --reader {shlex.quote(path)}",
            )
        else:
            yield _broken(
                path,
                "a serial port",
                "this user may not use it; after the command log in again.",
                f"sudo usermod -aG {_group(port)} $USER",
            )


def keyboards(here: Computer) -> Iterator[Finding]:
    """The devices that type; those whose names say so are readers, the rest may be."""
    for device in sorted(here.root.glob("dev/input/by-id/*-event-kbd")):
        path = f"wedge:/{device.relative_to(here.root)}"
        if not _TYPES_IDS.search(device.name):
            yield Finding(path, "a keyboard", UNKNOWN, "leave it alone unless it types chips' ids.")
        elif not here.module("evdev"):
            yield _broken(
                path,
                "a reader that types",
                "evdev is missing.",
                "pip install 'citadels-companion[wedge]'",
            )
        elif not here.may(device):
            yield _broken(
                path,
                "a reader that types",
                "this user may not read it; after the command log in again.",
                f"sudo usermod -aG {_group(device)} $USER",
            )
        else:
            yield Finding(path, "a reader that types", USABLE, "it can be used.")


def _broken(path: str, what: str, said: str, mend: str) -> Finding:
    return Finding(path, what, BROKEN, said, mend)


def _driver(device: Path) -> str:
    """The driver of the device's first interface that has one."""
    for link in sorted(device.glob(f"{device.name}:*/driver")):
        return link.resolve().name
    return ""


def _padded(device: Path, name: str) -> str:
    return _text(device / name).zfill(3)


def _group(device: Path) -> str:
    try:
        return device.group()
    except (OSError, KeyError, NotImplementedError):
        return "dialout"


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
