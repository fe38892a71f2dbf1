"""Find readers on each system; none is opened.

Linux: from /sys, /dev and /proc only, serial ports by stable name with the program that holds
each. macOS and Windows: through libusb and pyserial, written from those systems' documentation,
untested on both. PC/SC is the same everywhere; on macOS and Windows its service claims the readers
that speak it before libusb can.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from common import extras
from tags.readers import ReaderError
from tags.readers.finding import (
    OWN_RULES,
    Cause,
    Computer,
    Finding,
    admit,
    find_new_group,
    install,
    is_running,
    text,
)
from tags.readers.paths import KINDS, SERIAL_ADAPTERS, Kind

_MODELS = ("-J1", "U")
"""Suffixes of reader names that only say how they are plugged in."""


def find(computer: Computer | None = None) -> list[Finding]:
    """Find everything that is or may be a reader."""
    here = computer or Computer()
    search = find_on_linux if here.platform.startswith("linux") else find_elsewhere
    return list(search(here))


def find_pcsc(
    here: Computer, kinds: list[Kind], pyscard: str, start: str, install: str, allow: str = ""
) -> Iterator[Finding]:
    """Find the plugged-in readers of ``kinds``, which speak only PC/SC, and every other slot of the
    service; ``pyscard``, ``start``, ``install`` and ``allow`` are the commands for the package, the
    service, the drivers and a user whom the service refuses."""
    from tags.readers.pcsc_reader import is_contactless

    if not here.has_extra("pcsc"):
        for kind in kinds:
            yield Finding(f"pcsc:{_model(kind)}", "pyscard", kind.name, pyscard)
        return
    try:
        slots = here.slots()
    except ReaderError as error:
        cause: Cause = "refused" if error.fault == "permission" else "no-pcscd"
        for kind in kinds:
            mend = allow if cause == "refused" else start
            yield Finding(f"pcsc:{_model(kind)}", cause, kind.name, mend)
        return
    for kind in kinds:
        model = _model(kind)
        there = [slot for slot in slots if model.upper() in slot.upper()]
        slots = [slot for slot in slots if slot not in there]
        if there:
            yield Finding(f"pcsc:{model}", "fine-pcsc", kind.name)
        else:
            yield Finding(f"pcsc:{model}", "no-driver", kind.name, install)
    for slot in slots:
        yield Finding(f"pcsc:{slot}", "fine-pcsc" if is_contactless(slot) else "contacts", slot)


def _model(kind: Kind) -> str:
    """The word that identifies a reader in PC/SC's names: the model, without the connection."""
    model = kind.name.split()[1]
    for ending in _MODELS:
        model = model.removesuffix(ending)
    return model


_USB_PORTS = ("usbserial", "usbmodem", "wchusbserial", "SLAB")
_ALSO_PCSC = ("072f:2200",)
"""Readers that nfcpy drives but the system's PC/SC service claims."""


def find_elsewhere(here: Computer) -> Iterator[Finding]:
    """Find everything that is or may be a reader."""
    windows = here.platform == "win32"
    devices = [
        (KINDS[usb_id], usb_id, path) for usb_id, path in _usb_devices(here) if usb_id in KINDS
    ]
    for kind, usb_id, path in devices:
        if kind.driver != "pcsc":
            cause, mend = _usb(usb_id, windows=windows)
            yield Finding(path, cause, kind.name, mend)
    if not here.has_libusb and not windows:
        yield Finding("usb", "libusb", "USB", "brew install libusb")
    yield from find_pcsc(
        here,
        [kind for kind, _, _ in devices if kind.driver == "pcsc"],
        extras.find_install("pcsc"),
        "sc start SCardSvr" if windows else "",
        "",
    )
    for port in here.ports():
        if windows or any(word in port for word in _USB_PORTS):
            yield Finding(port, "serial", mend=f"companion doctor --tap 3 --reader {port}")


def _usb(usb_id: str, *, windows: bool) -> tuple[Cause, str]:
    if usb_id in _ALSO_PCSC:
        return "untried-pcsc", "companion doctor --tap 3 --reader pcsc"
    return ("untried-winusb", "") if windows else ("fine", "")


def _usb_devices(here: Computer) -> list[tuple[str, str]]:
    """Every USB device, id and path; none if libusb is missing or fails."""
    if not here.has_libusb:
        return []
    try:
        return here.devices()
    except Exception:  # libusb's own errors, mostly not OSError
        return []


_PINS = ("serial0", "ttyAMA0")
"""The port on a Raspberry Pi's pins, the first that exists; the second also has no plug, and serves
Bluetooth if the first exists."""

_NO_CONSOLE = (
    "sudo raspi-config nonint do_serial_cons 1 && sudo raspi-config nonint do_serial_hw 0 && "
    "sudo reboot"
)


def find_serial_ports(here: Computer) -> Iterator[Finding]:
    """Every serial port with a plug or on pins, and the adapters claimed by brltty."""
    links, twins = _find_links(here, "by-id"), _find_links(here, "by-path")
    if twins.keys() - links.keys():  # two identical adapters share a name: the second took it
        links = twins
        for port in sorted(twins.values()):
            yield _port(here, port, twin=True)
    else:
        for port in sorted(links.values()):
            yield _port(here, port)
    for pins in [port for name in _PINS if (port := here.root / "dev" / name).exists()][:1]:
        yield _check_pins(here, pins)
    if links and is_running(here, "ModemManager") and not _ignores_adapters(here):
        mend = f"echo {shlex.quote(_NO_MODEM)} | sudo tee -a {OWN_RULES} && {_RELOAD}"
        yield Finding("ModemManager", "modem-manager", mend=mend)
    yield from _find_kept_for_braille(here)


_VENDORS = "|".join(sorted({usb_id[:4] for usb_id in SERIAL_ADAPTERS}))
_NO_MODEM = (
    f'SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ATTRS{{idVendor}}=="{_VENDORS}", '
    'ENV{ID_MM_DEVICE_IGNORE}="1"'
)
_RELOAD = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=tty"


def _ignores_adapters(here: Computer) -> bool:
    """Whether a rule of this computer's owner keeps ModemManager away from serial adapters."""
    rules = here.root.glob("etc/udev/rules.d/*.rules")
    return any("ID_MM_DEVICE_IGNORE" in text(file) for file in rules)


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
    return Finding(path, "port-permission", mend=admit(here, port))


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
                    f"sudo udevadm control --reload && {_RESTART_BRLTTY}"
                )
    return _RESTART_BRLTTY


_RESTART_BRLTTY = "sudo systemctl restart 'brltty*'"
"""It lets go of the adapter and finds the display again."""


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
_HANGS = ("0215", "0216")
_TYPES_IDS = re.compile(r"rfid|reader|sycreader|proximity|ic_card|nfc", re.IGNORECASE)


def find_on_linux(here: Computer) -> Iterator[Finding]:
    """Find everything that is or may be a reader."""
    devices = list(_find_known(here))
    for device, usb_id, kind in devices:
        if kind.driver != "pcsc":
            yield _usb_reader(here, device, usb_id, kind)
    yield from find_pcsc(
        here,
        [kind for _, _, kind in devices if kind.driver == "pcsc"],
        f"{install(here, 'libpcsclite-dev', 'swig', 'gcc', 'python3-dev')} && "
        f"{extras.find_install('pcsc')}",
        f"{install(here, 'pcscd')} && sudo systemctl start pcscd.socket",
        f"{install(here, 'libccid', 'libacsccid1')} && sudo systemctl restart pcscd",
        _ALLOW,
    )
    yield from find_serial_ports(here)
    yield from _keyboards(here)


def _find_known(here: Computer) -> Iterator[tuple[Path, str, Kind]]:
    """The USB readers of known kinds, and every other one that says it is a smart card reader."""
    for device in sorted(here.root.glob("sys/bus/usb/devices/*")):
        usb_id = f"{text(device / 'idVendor')}:{text(device / 'idProduct')}".lower()
        kind = KINDS.get(usb_id) or _recognize_by_class(device)
        if kind is not None:
            yield device, usb_id, kind


_SMART_CARD_READER = "0b"  # USB's class of CCID readers
_UNPRINTABLE = re.compile(r"[^ -~]")


def _recognize_by_class(device: Path) -> Kind | None:
    """A smart card reader by its USB class, named as it names itself."""
    interfaces = device.glob(f"{device.name}:*/bInterfaceClass")
    if not any(text(file).lower() == _SMART_CARD_READER for file in interfaces):
        return None
    words = [_UNPRINTABLE.sub("", text(device / name)) for name in ("manufacturer", "product")]
    name = " ".join(" ".join(words).split())[:60]
    return Kind(name if " " in name else f"USB {name or 'reader'}", "pcsc")


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
        return Finding(path, "permission", name, _udev_rule(here, usb_id, node))
    if holder == "usbfs" and is_running(here, "pcscd"):
        if here.has_extra("pcsc"):
            return Finding(path, "untried-pcsc", name, "companion doctor --tap 3 --reader pcsc")
        return Finding(path, "pcscd", name, "sudo systemctl stop pcscd.socket pcscd", "pcscd")
    if holder == "usbfs":
        return Finding(path, "in-use", name)
    hangs = usb_id == _ACR122U and text(device / "bcdDevice") in _HANGS
    return Finding(path, "may-hang" if hangs else "fine", name)


def _udev_rule(here: Computer, usb_id: str, node: Path) -> str:
    vendor, product = usb_id.split(":")
    rule = (
        f'SUBSYSTEM=="usb", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", '
        'MODE="0660", GROUP="dialout", TAG+="uaccess"'
    )
    return (
        f"echo {shlex.quote(rule)} | sudo tee -a {OWN_RULES} && "
        f"sudo udevadm control --reload && sudo chown $USER /{node.relative_to(here.root)}"
        + ("" if here.has_desktop else " && sudo usermod -aG dialout $USER")
    )


def _keyboards(here: Computer) -> Iterator[Finding]:
    """Keyboard devices: readers if their names say so, else possible readers."""
    for device in sorted(here.root.glob("dev/input/by-id/*-event-kbd")):
        path = f"wedge:/{device.relative_to(here.root)}"
        if not _TYPES_IDS.search(device.name):
            yield Finding(path, "keyboard")
        elif not here.has_extra("wedge"):
            yield Finding(path, "evdev", mend=extras.find_install("wedge"))
        elif not here.may(device):
            yield Finding(path, "input-permission", mend=admit(here, device))
        else:
            yield Finding(path, "fine-typing")


def _driver(device: Path) -> str:
    """The driver of the device's first interface that has one."""
    for link in sorted(device.glob(f"{device.name}:*/driver")):
        return link.resolve().name
    return ""


def _read_padded(device: Path, name: str) -> str:
    return text(device / name).zfill(3)
