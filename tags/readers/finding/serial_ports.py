"""Find serial ports on Linux, by stable name, with the program that holds each; none is opened."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tags.readers.finding.computer import Computer, Finding
from tags.readers.finding.files import find_new_group, is_running, join, text
from tags.readers.known import SERIAL_ADAPTERS

_PINS = ("serial0", "ttyAMA0")
"""The port on a Raspberry Pi's pins, the first that exists; the second also has no plug, and serves
Bluetooth if the first exists."""

_NO_CONSOLE = (
    "sudo raspi-config nonint do_serial_cons 1 && sudo raspi-config nonint do_serial_hw 0 && "
    "sudo reboot"
)


def find(here: Computer) -> Iterator[Finding]:
    """Every serial port with a plug or on pins, and the adapters claimed by brltty."""
    named, twins = _find_links(here, "by-id"), _find_links(here, "by-path")
    if twins.keys() - named.keys():  # two identical adapters share a name: the second took it
        named = twins
        for port in sorted(twins.values()):
            yield _port(here, port, twin=True)
    else:
        for port in sorted(named.values()):
            yield _port(here, port)
    for pins in [port for name in _PINS if (port := here.root / "dev" / name).exists()][:1]:
        yield _check_pins(here, pins)
    yield from _find_kept_for_braille(here)


def _find_links(here: Computer, how: str) -> dict[Path, Path]:
    """The links in that folder, by the port each points to."""
    links = sorted(here.root.glob(f"dev/serial/{how}/*"), reverse=True)
    return {link.resolve(): link for link in links}


def _port(here: Computer, port: Path, *, twin: bool = False) -> Finding:
    path = f"/{port.relative_to(here.root)}"
    if here.may(port):
        mend = f"companion doctor --tap 3 --reader {shlex.quote(path)}"
        return Finding(path, "serial-twin" if twin else "serial", mend=mend)
    group = find_new_group(here, port)
    if group:
        return Finding(path, "log-in", mend="sudo reboot", holder=group)
    return Finding(path, "port-permission", mend=join(port))


def _check_pins(here: Computer, port: Path) -> Finding:
    """The port on the pins, which the kernel console may hold."""
    consoles = re.findall(r"\bconsole=(\w+)", text(here.root / "proc/cmdline"))
    if {port.name, port.resolve().name} & {*consoles}:
        return Finding(f"/dev/{port.name}", "console", mend=_NO_CONSOLE)
    return _port(here, port)


def _find_kept_for_braille(here: Computer) -> Iterator[Finding]:
    """The adapters that brltty before 6.5 mistakes for Braille displays, whose ports disappear."""
    if not is_running(here, "brltty"):
        return
    for device in sorted(here.root.glob("sys/bus/usb/devices/*")):
        usb_id = f"{text(device / 'idVendor')}:{text(device / 'idProduct')}".lower()
        if usb_id in SERIAL_ADAPTERS and not any(device.glob(f"{device.name}:*/tty*")):
            mend = _command_to_ignore(here, usb_id)
            yield Finding(f"usb@{device.name}", "brltty", SERIAL_ADAPTERS[usb_id], mend)


def _command_to_ignore(here: Computer, usb_id: str) -> str:
    """The command that makes brltty ignore that adapter but keep serving displays."""
    vendor, product = (part.lstrip("0") for part in usb_id.split(":"))
    for folder in ("usr/lib", "lib"):
        for rules in sorted(here.root.glob(f"{folder}/udev/rules.d/*brltty*.rules")):
            if f"{vendor}/{product}" in text(rules):
                return (
                    f"sed '/{vendor}\\/{product}/s/^/#/' /{rules.relative_to(here.root)} | "
                    f"sudo tee /etc/udev/rules.d/{rules.name} > /dev/null && "
                    "sudo udevadm control --reload && sudo systemctl stop 'brltty*'"
                )
    return "sudo systemctl stop 'brltty*'"
