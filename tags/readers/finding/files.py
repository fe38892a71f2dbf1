"""Helpers for inspecting Linux: small files, running programs, groups."""

from __future__ import annotations

import re
from pathlib import Path

from tags.readers.finding.computer import Computer

_FEDORA = {
    "libusb-1.0-0": "libusb1",
    "pcscd": "pcsc-lite",
    "libccid": "pcsc-lite-ccid",
    "libacsccid1": "",
    "libpcsclite-dev": "pcsc-lite-devel",
    "python3-dev": "python3-devel",
}
"""Packages with other names in Fedora; empty if it has none."""


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


def join(device: Path) -> str:
    """The command that adds the user to the device's group."""
    return f"sudo usermod -aG {group_of(device)} $USER"


def find_new_group(here: Computer, device: Path) -> str:
    """The device's group if this user joined it after this program's session began, so that the
    process lacks it; else empty."""
    for line in text(here.root / "etc/group").splitlines():
        name, _password, number, members = (*line.split(":"), "", "", "")[:4]
        if name == group_of(device) and here.user() in members.split(","):
            return "" if not number.isdigit() or int(number) in here.groups() else name
    return ""
