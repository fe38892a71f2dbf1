"""Readers found on Linux: everything comes from /sys, /dev and /proc."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tags.readers.finding import Computer, Finding, pcsc
from tags.readers.known import KINDS, Kind

_KERNEL_DRIVERS = ("pn533_usb", "port100")
_ACR122U = "072f:2200"
_HANGS = ("0215", "0216")
_TYPES_IDS = re.compile(r"rfid|reader|sycreader|proximity|ic_card|nfc", re.IGNORECASE)

_PINS = ("serial0", "ttyAMA*")
"""Ports that no plug has: those on the pins of a Raspberry Pi."""


def find(here: Computer) -> Iterator[Finding]:
    """Everything that is or may be a reader."""
    plugged = list(_known(here))
    for device, usb_id, kind in plugged:
        if kind.driver != "pcsc":
            yield _usb_reader(here, device, usb_id, kind)
    yield from pcsc(
        here,
        [kind for _, _, kind in plugged if kind.driver == "pcsc"],
        "sudo apt install pcscd && sudo systemctl start pcscd.socket",
        "sudo apt install libccid libacsccid1 && sudo systemctl restart pcscd",
    )
    yield from _serial(here)
    yield from _keyboards(here)


def _known(here: Computer) -> Iterator[tuple[Path, str, Kind]]:
    """The USB readers of known kinds."""
    for device in sorted(here.root.glob("sys/bus/usb/devices/*")):
        usb_id = f"{_text(device / 'idVendor')}:{_text(device / 'idProduct')}".lower()
        kind = KINDS.get(usb_id)
        if kind is not None:
            yield device, usb_id, kind


def _usb_reader(here: Computer, device: Path, usb_id: str, kind: Kind) -> Finding:
    path, name = f"usb@{device.name}", kind.name
    holder = _driver(device)
    if holder in _KERNEL_DRIVERS:
        mend = (
            f"sudo modprobe -r {holder}; echo 'blacklist {holder}' | "
            "sudo tee -a /etc/modprobe.d/blacklist-nfc.conf"
        )
        return Finding(path, "kernel", name, mend, holder)
    if not here.has_libusb:
        return Finding(path, "libusb", name, "sudo apt install libusb-1.0-0")
    node = here.root / f"dev/bus/usb/{_padded(device, 'busnum')}/{_padded(device, 'devnum')}"
    if not here.may(node):
        return Finding(path, "permission", name, _udev_rule(usb_id))
    if holder == "usbfs" and _runs(here, "pcscd"):
        return Finding(path, "pcscd", name, "sudo systemctl stop pcscd.socket pcscd", "pcscd")
    if holder == "usbfs":
        return Finding(path, "in-use", name)
    hangs = usb_id == _ACR122U and _text(device / "bcdDevice") in _HANGS
    return Finding(path, "may-hang" if hangs else "fine", name)


def _udev_rule(usb_id: str) -> str:
    vendor, product = usb_id.split(":")
    rule = (
        f'SUBSYSTEM=="usb", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", '
        'MODE="0660", TAG+="uaccess"'
    )
    return (
        f"echo {shlex.quote(rule)} | sudo tee -a /etc/udev/rules.d/60-nfc-reader.rules && "
        "sudo udevadm control --reload"
    )


def _serial(here: Computer) -> Iterator[Finding]:
    """The serial ports by their stable names; none is opened."""
    ports = sorted(here.root.glob("dev/serial/by-id/*"))
    ports += [port for name in _PINS for port in sorted(here.root.glob(f"dev/{name}"))]
    for port in ports:
        path = f"/{port.relative_to(here.root)}"
        if here.may(port):
            mend = f"companion doctor --tap 3 --reader {shlex.quote(path)}"
            yield Finding(path, "serial", mend=mend)
        else:
            yield Finding(path, "port-permission", mend=_join(port))


def _keyboards(here: Computer) -> Iterator[Finding]:
    """The devices that type; those whose names say so are readers, the rest may be."""
    for device in sorted(here.root.glob("dev/input/by-id/*-event-kbd")):
        path = f"wedge:/{device.relative_to(here.root)}"
        if not _TYPES_IDS.search(device.name):
            yield Finding(path, "keyboard")
        elif not here.module("evdev"):
            yield Finding(path, "evdev", mend=".venv/bin/python -m pip install -e '.[wedge]'")
        elif not here.may(device):
            yield Finding(path, "input-permission", mend=_join(device))
        else:
            yield Finding(path, "fine-typing")


def _runs(here: Computer, program: str) -> bool:
    """Whether a process of that name runs."""
    return any(_text(comm) == program for comm in here.root.glob("proc/[0-9]*/comm"))


def _driver(device: Path) -> str:
    """The driver of the device's first interface that has one."""
    for link in sorted(device.glob(f"{device.name}:*/driver")):
        return link.resolve().name
    return ""


def _padded(device: Path, name: str) -> str:
    return _text(device / name).zfill(3)


def _join(device: Path) -> str:
    """The command that joins the group to which the device belongs."""
    try:
        group = device.group()
    except (OSError, KeyError, NotImplementedError):
        group = "dialout"
    return f"sudo usermod -aG {group} $USER"


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
