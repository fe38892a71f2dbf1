"""Find readers on Linux, from /sys, /dev and /proc only."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tags.readers.finding import pcsc, serial_ports
from tags.readers.finding.computer import Computer, Finding
from tags.readers.finding.files import find_new_group, install, is_running, join, text
from tags.readers.known import KINDS, Kind

_KERNEL_DRIVERS = ("pn533_usb", "port100")
_ACR122U = "072f:2200"
_RULE_OF_POLKIT = (
    'polkit.addRule(function(action, subject) { if (subject.isInGroup("dialout") && '
    'action.id.indexOf("org.debian.pcsc-lite.") == 0) return polkit.Result.YES; });'
)
_ALLOW = (
    f"echo '{_RULE_OF_POLKIT}' | sudo tee /etc/polkit-1/rules.d/60-nfc-reader.rules && "
    "sudo usermod -aG dialout $USER"
)
_PYSCARD = ".venv/bin/python -m pip install -e '.[pcsc]'"
_HANGS = ("0215", "0216")
_TYPES_IDS = re.compile(r"rfid|reader|sycreader|proximity|ic_card|nfc", re.IGNORECASE)


def find(here: Computer) -> Iterator[Finding]:
    """Find everything that is or may be a reader."""
    plugged = list(_find_known(here))
    for device, usb_id, kind in plugged:
        if kind.driver != "pcsc":
            yield _usb_reader(here, device, usb_id, kind)
    yield from pcsc.find(
        here,
        [kind for _, _, kind in plugged if kind.driver == "pcsc"],
        f"{install(here, 'libpcsclite-dev', 'swig', 'gcc', 'python3-dev')} && {_PYSCARD}",
        f"{install(here, 'pcscd')} && sudo systemctl start pcscd.socket",
        f"{install(here, 'libccid', 'libacsccid1')} && sudo systemctl restart pcscd",
        _ALLOW,
    )
    yield from serial_ports.find(here)
    yield from _keyboards(here)


def _find_known(here: Computer) -> Iterator[tuple[Path, str, Kind]]:
    """The USB readers of known kinds."""
    for device in sorted(here.root.glob("sys/bus/usb/devices/*")):
        usb_id = f"{text(device / 'idVendor')}:{text(device / 'idProduct')}".lower()
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
        return Finding(path, "libusb", name, install(here, "libusb-1.0-0"))
    node = (
        here.root / f"dev/bus/usb/{_read_padded(device, 'busnum')}/{_read_padded(device, 'devnum')}"
    )
    if not here.may(node):
        group = find_new_group(here, node)
        if group:
            return Finding(path, "log-in", mend="sudo reboot", holder=group)
        return Finding(path, "permission", name, _udev_rule(here, usb_id))
    if holder == "usbfs" and is_running(here, "pcscd"):
        if here.module("smartcard"):
            return Finding(path, "untried-pcsc", name, "companion doctor --tap 3 --reader pcsc")
        return Finding(path, "pcscd", name, "sudo systemctl stop pcscd.socket pcscd", "pcscd")
    if holder == "usbfs":
        return Finding(path, "in-use", name)
    hangs = usb_id == _ACR122U and text(device / "bcdDevice") in _HANGS
    return Finding(path, "may-hang" if hangs else "fine", name)


def _udev_rule(here: Computer, usb_id: str) -> str:
    vendor, product = usb_id.split(":")
    rule = (
        f'SUBSYSTEM=="usb", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", '
        'MODE="0660", GROUP="dialout", TAG+="uaccess"'
    )
    return (
        f"echo {shlex.quote(rule)} | sudo tee -a /etc/udev/rules.d/60-nfc-reader.rules && "
        "sudo udevadm control --reload"
        + ("" if here.has_desktop else " && sudo usermod -aG dialout $USER")
    )


def _keyboards(here: Computer) -> Iterator[Finding]:
    """Keyboard devices: readers if their names say so, else possible readers."""
    for device in sorted(here.root.glob("dev/input/by-id/*-event-kbd")):
        path = f"wedge:/{device.relative_to(here.root)}"
        if not _TYPES_IDS.search(device.name):
            yield Finding(path, "keyboard")
        elif not here.module("evdev"):
            yield Finding(path, "evdev", mend=".venv/bin/python -m pip install -e '.[wedge]'")
        elif not here.may(device):
            yield Finding(path, "input-permission", mend=join(device))
        else:
            yield Finding(path, "fine-typing")


def _driver(device: Path) -> str:
    """The driver of the device's first interface that has one."""
    for link in sorted(device.glob(f"{device.name}:*/driver")):
        return link.resolve().name
    return ""


def _read_padded(device: Path, name: str) -> str:
    return text(device / name).zfill(3)
