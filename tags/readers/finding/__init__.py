"""Possible readers and what prevents their use, found without opening any: a finding, and the
computer that is searched; `systems` searches it.

Serial ports are only listed: probing one would disturb any other device on it.
"""

from __future__ import annotations

import getpass
import os
import re
import shlex
import sys
from collections.abc import Callable
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from common import extras

State = Literal["usable", "unknown", "broken"]
USABLE: State = "usable"
UNKNOWN: State = "unknown"
BROKEN: State = "broken"

Cause = Literal[
    "fine", "fine-pcsc", "fine-typing", "may-hang",
    "serial", "serial-twin", "keyboard", "in-use", "contacts", "untried-pcsc", "untried-winusb",
    "no-linger", "modem-manager", "brltty", "console", "log-in",
    "kernel", "libusb", "permission", "pcscd", "pyscard", "no-pcscd", "no-driver", "refused",
    "port-permission", "evdev", "input-permission",
]  # fmt: skip
"""The cause of a finding's state; the caller words it."""

_USABLE: frozenset[Cause] = frozenset(("fine", "fine-pcsc", "fine-typing", "may-hang"))
_UNKNOWN: frozenset[Cause] = frozenset(
    (
        *("serial", "serial-twin", "keyboard", "in-use", "contacts", "untried-pcsc"),
        *("untried-winusb", "no-linger", "modem-manager"),
    )
)


@dataclass(frozen=True)
class Finding:
    """One device found: its ``path`` for the settings, its name, and the cause of its state.

    ``mend`` is the command that fixes it, if any; ``holder`` is the program that has it.
    """

    path: str
    cause: Cause
    name: str = ""
    mend: str = ""
    holder: str = ""

    @property
    def state(self) -> State:
        """``usable``, ``broken`` (a reader that cannot be used at present) or ``unknown`` (possibly
        a reader, not probed)."""
        if self.cause in _USABLE:
            return USABLE
        return UNKNOWN if self.cause in _UNKNOWN else BROKEN


def _slots() -> list[str]:
    from tags.readers.pcsc_reader import PcscReader

    reader = PcscReader()
    try:
        reader.connect()
        return reader.slots()
    finally:
        reader.close()


def _devices() -> list[tuple[str, str]]:
    import usb1

    with usb1.USBContext() as context:
        return [
            (
                f"{one.getVendorID():04x}:{one.getProductID():04x}",
                f"usb@{one.getBusNumber()}-{'.'.join(map(str, one.getPortNumberList()))}",
            )
            for one in context.getDeviceIterator(skip_on_error=True)
        ]


def _ports() -> list[str]:
    from serial.tools.list_ports import comports

    return [port.device for port in comports()]


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without an entry
        return ""


def _groups() -> frozenset[int]:
    return frozenset(os.getgroups()) if hasattr(os, "getgroups") else frozenset()


def _may(path: Path) -> bool:
    # Check effective ids only if they differ: emulated devices support the plain check.
    is_borrowed = hasattr(os, "geteuid") and os.geteuid() != os.getuid()
    return os.access(path, os.R_OK | os.W_OK, effective_ids=is_borrowed)


@dataclass(frozen=True)
class Computer:
    """The places to search; by default those of the real computer.

    On Linux everything is read from files below ``root``, so that tests can build a computer;
    ``groups`` are this process's groups; its ``user`` may have joined others since. ``slots`` are
    the readers known to PC/SC (raises ``ReaderError``); ``devices`` (id and path) and ``ports`` are
    used on other systems only.
    """

    root: Path = Path("/")
    may: Callable[[Path], bool] = _may
    library: Callable[[str], str | None] = find_library
    has_extra: Callable[[extras.Extra], bool] = extras.is_installed
    slots: Callable[[], list[str]] = _slots
    devices: Callable[[], list[tuple[str, str]]] = _devices
    ports: Callable[[], list[str]] = _ports
    platform: str = sys.platform
    user: Callable[[], str] = _user
    groups: Callable[[], frozenset[int]] = _groups

    @property
    def has_desktop(self) -> bool:
        """Whether this is a Linux desktop: a system with sessions to choose from."""
        return any(self.root.glob("usr/share/*sessions/*.desktop"))

    @property
    def has_libusb(self) -> bool:
        """Whether libusb 1.0 is installed."""
        return bool(self.library("usb-1.0") or self.library("libusb-1.0"))


POSSIBLE: frozenset[Cause] = frozenset(
    ("serial", "serial-twin", "in-use", "untried-pcsc", "untried-winusb")
)
"""Causes of what may well be a reader, to be tried."""

_FEDORA = {
    "libusb-1.0-0": "libusb1",
    "pcscd": "pcsc-lite",
    "libccid": "pcsc-lite-ccid",
    "libacsccid1": "",
    "libpcsclite-dev": "pcsc-lite-devel",
    "python3-dev": "python3-devel",
}
"""Packages with other names in Fedora; empty if it has none."""


_PRIVILEGED = ("root", "tty", "wheel", "sudo", "adm")

OWN_RULES = "/etc/udev/rules.d/60-nfc-reader.rules"
"""Where the commands put udev rules."""


def text(file: Path) -> str:
    """The stripped text of a small file; empty if it cannot be read."""
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def is_running(here: Computer, program: str) -> bool:
    """Whether a process of that name is running."""
    return any(text(comm) == program for comm in here.root.glob("proc/[0-9]*/comm"))


def install(here: Computer, *packages: str) -> str:
    """The command that installs these Debian packages, or Fedora's equivalents."""
    release = text(here.root / "etc/os-release")
    if not re.search(r"^ID(_LIKE)?=.*\b(fedora|rhel)\b", release, re.MULTILINE):
        return f"sudo apt install {' '.join(packages)}"
    return f"sudo dnf install {' '.join(filter(None, (_FEDORA.get(p, p) for p in packages)))}"


def group_of(device: Path) -> str:
    """The device's group; ``dialout`` if unknown."""
    try:
        return device.group()
    except (OSError, KeyError, NotImplementedError):
        return "dialout"


def admit(here: Computer, device: Path) -> str:
    """The command that lets the user use the device: at once, and for good by its group.

    Nobody joins the groups of administrators and consoles: a rule gives the device another one.
    """
    device = device.resolve()
    path = f"/{device.relative_to(here.root.resolve())}"
    group, rule = group_of(device), ""
    if group in _PRIVILEGED:
        group = "dialout"
        line = f'KERNEL=="{device.name}", GROUP="dialout", MODE="0660"'
        rule = (
            f"echo {shlex.quote(line)} | sudo tee -a {OWN_RULES} && "
            "sudo udevadm control --reload && "
        )
    return f"{rule}sudo usermod -aG {group} $USER && sudo chown $USER {shlex.quote(path)}"


def find_new_group(here: Computer, device: Path) -> str:
    """The device's group if this user joined it after this program's session began, so that the
    process lacks it; else empty."""
    for line in text(here.root / "etc/group").splitlines():
        name, _password, number, members = (*line.split(":"), "", "", "")[:4]
        if name == group_of(device) and here.user() in members.split(","):
            return "" if not number.isdigit() or int(number) in here.groups() else name
    return ""
