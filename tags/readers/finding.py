"""Possible readers and what prevents their use, found without opening any.

Serial ports are only listed: probing one would disturb any other device on it. Linux is read from
/sys, /dev and /proc; macOS and Windows through libusb and pyserial, as those systems' documentation
says, untested on both. PC/SC is the same everywhere.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from common import extras
from common.sentences import Sentence
from tags.readers import ReaderError
from tags.readers.faults import explain_fault, explain_holder
from tags.readers.holders import find_holder
from tags.readers.pcsc_reader import PcscReader, is_contactless
from tags.readers.usb_kinds import KINDS, Kind

State = Literal["usable", "possible", "broken"]
"""Whether it can be used now, may be a reader that has to be tried, or is a reader in trouble."""

FINE = Sentence("it can be used.")


class Finding(NamedTuple):
    """A device that is or may be a reader: its path for the settings, what to say about it, and the
    command that helps, if any."""

    path: str
    state: State
    text: str
    mend: str = ""
    name: str = ""


def _list_slots() -> list[str]:
    reader = PcscReader()
    try:
        reader.connect()
        return reader.slots()
    finally:
        reader.close()


def _list_devices() -> list[tuple[str, str]]:
    import usb1

    with usb1.USBContext() as context:
        return [
            (
                f"{one.getVendorID():04x}:{one.getProductID():04x}",
                f"usb@{one.getBusNumber()}-{'.'.join(map(str, one.getPortNumberList()))}",
            )
            for one in context.getDeviceIterator(skip_on_error=True)
        ]


def _list_ports() -> list[str]:
    from serial.tools.list_ports import comports

    return [port.device for port in comports() if port.vid is not None]


def _find_library(name: str) -> str | None:
    from ctypes.util import find_library  # slow to load

    return find_library(name)


def _may(path: Path) -> bool:
    # Check effective ids only if they differ: emulated devices support the plain check.
    is_borrowed = hasattr(os, "geteuid") and os.geteuid() != os.getuid()
    return os.access(path, os.R_OK | os.W_OK, effective_ids=is_borrowed)


@dataclass(frozen=True)
class Computer:
    """The places to search; by default those of the real computer.

    On Linux everything is read from files below ``root``, so that tests can build a computer.
    ``slots`` are the readers known to PC/SC (raises ``ReaderError``); ``devices`` (id and path) and
    ``ports`` are used on other systems only.
    """

    root: Path = Path("/")
    may: Callable[[Path], bool] = _may
    library: Callable[[str], str | None] = _find_library
    has_extra: Callable[[extras.Extra], bool] = extras.is_installed
    slots: Callable[[], list[str]] = _list_slots
    devices: Callable[[], list[tuple[str, str]]] = _list_devices
    ports: Callable[[], list[str]] = _list_ports
    platform: str = sys.platform

    @property
    def has_libusb(self) -> bool:
        return bool(self.library("usb-1.0") or self.library("libusb-1.0"))


def find(computer: Computer | None = None) -> Iterator[Finding]:
    """Everything that is or may be a reader: on USB, through PC/SC, on serial ports."""
    computer = computer or Computer()
    on_linux = computer.platform.startswith("linux")
    slots, fault = _ask_pcsc(computer)
    for usb_id, path in list_plugged(computer) if on_linux else _list_elsewhere(computer):
        kind = KINDS.get(usb_id)
        if kind is None or any(_is_slot_of(kind, slot) for slot in slots):
            continue  # PC/SC has it
        if kind.driver == "pcsc":
            yield Finding(f"pcsc:{_model(kind)}", "broken", fault or _explain_unknown(kind))
        elif on_linux:
            yield _look_at_usb(computer, path, usb_id, kind)
        else:
            yield Finding(path, "usable", FINE, name=kind.name)
    for slot in slots:
        models = (_model(kind) for kind in KINDS.values() if _is_slot_of(kind, slot))
        yield Finding(f"pcsc:{next(models, slot)}", "usable", FINE)
    yield from find_serial_ports(computer)


# -- PC/SC -------------------------------------------------------------------------------------


def _ask_pcsc(here: Computer) -> tuple[list[str], str]:
    """The contactless readers that PC/SC knows, or why it cannot be used."""
    if not here.has_extra("pcsc"):
        return [], extras.explain("pcsc", "pcsc")
    try:
        return list(filter(is_contactless, here.slots())), ""
    except ReaderError as error:
        return [], str(explain_fault(error.fault, "pcsc", "pcsc"))


def _explain_unknown(kind: Kind) -> Sentence:
    return Sentence(
        "{name} is plugged in, but PC/SC does not know it; install its driver (libccid or "
        "libacsccid1) and restart pcscd.",
        name=kind.name,
    )


_MODELS = ("-J1", "U")
"""Suffixes of reader names that only say how they are plugged in."""


def _model(kind: Kind) -> str:
    """The word that identifies a reader in PC/SC's names: the model, without the connection."""
    model = kind.name.split()[1]
    for ending in _MODELS:
        model = model.removesuffix(ending)
    return model


def _is_slot_of(kind: Kind, slot: str) -> bool:
    return _model(kind).upper() in slot.upper()


# -- USB ---------------------------------------------------------------------------------------


def _list_elsewhere(here: Computer) -> list[tuple[str, str]]:
    """Every USB device, id and path; none if libusb is missing or fails."""
    if not here.has_libusb:
        return []
    try:
        return here.devices()
    except Exception:  # libusb's own errors, mostly not OSError
        return []


def list_plugged(here: Computer) -> Iterator[tuple[str, str]]:
    """Every USB device, id and path, as Linux lists them."""
    for device in sorted(here.root.glob("sys/bus/usb/devices/*")):
        usb_id = f"{_read(device / 'idVendor')}:{_read(device / 'idProduct')}".lower()
        yield usb_id, f"usb@{device.name}"


_KERNEL_DRIVERS = ("pn533_usb", "port100")


def _look_at_usb(here: Computer, path: str, usb_id: str, kind: Kind) -> Finding:
    """The reader and what keeps nfcpy from it."""
    device = here.root / "sys/bus/usb/devices" / path.removeprefix("usb@")
    links = sorted(device.glob(f"{device.name}:*/driver"))
    driver = links[0].resolve().name if links else ""
    numbers = [_read(device / name).zfill(3) for name in ("busnum", "devnum")]
    node = here.root / "dev/bus/usb" / "/".join(numbers)
    if driver in _KERNEL_DRIVERS:
        text = Sentence("the kernel's own driver {driver} is using it.", driver=driver)
        mend = (
            f"sudo modprobe -r {driver}; echo 'blacklist {driver}' | "
            "sudo tee -a /etc/modprobe.d/blacklist-nfc.conf"
        )
        return Finding(path, "broken", text, mend, kind.name)
    if not here.has_libusb:
        return Finding(path, "broken", str(explain_fault("software", path, "usb")))
    if not here.may(node):
        return Finding(path, "broken", _NO_PERMISSION, _write_rule(here, usb_id, node))
    if driver == "usbfs":
        return Finding(path, "possible", str(explain_fault("busy", path, "usb")))
    return Finding(path, "usable", FINE, name=kind.name)


# -- serial ports ------------------------------------------------------------------------------

_ADAPTERS = ("ttyUSB*", "ttyACM*")


def find_serial_ports(here: Computer) -> Iterator[Finding]:
    """Every serial port with a plug, under the name that stays the same."""
    if not here.platform.startswith("linux"):
        yield from map(_offer_port, here.ports())
        return
    links, twins = _find_links(here, "by-id"), _find_links(here, "by-path")
    if twins.keys() - links.keys():  # two identical adapters share a name: the second took it
        links = twins
    for port in sorted(links.values()):
        yield _look_at_port(here, port)
    for port in sorted(port for name in _ADAPTERS for port in here.root.glob(f"dev/{name}")):
        if port.resolve() not in links:
            yield _look_at_port(here, port)  # without udev's names, as in a container or WSL


def _find_links(here: Computer, how: str) -> dict[Path, Path]:
    """The links in that folder, by the port each points to."""
    links = sorted(here.root.glob(f"dev/serial/{how}/*"), reverse=True)
    return {link.resolve(): link for link in links}


def _look_at_port(here: Computer, port: Path) -> Finding:
    path = f"/{port.relative_to(here.root)}"
    if holder := find_holder(str(port), here.root / "proc"):
        return Finding(path, "possible", str(explain_holder(path, holder)))
    if here.may(port):
        return _offer_port(path)
    return Finding(path, "broken", _NO_PERMISSION, _admit(here, port))


def _offer_port(path: str) -> Finding:
    text = Sentence("a serial port: if it is a PN532, try it.")
    return Finding(path, "possible", text, f"companion doctor --tap 3 --reader {shlex.quote(path)}")


# -- permissions -------------------------------------------------------------------------------

_PRIVILEGED = ("root", "tty", "wheel", "sudo", "adm")

_OWN_RULES = "/etc/udev/rules.d/60-nfc-reader.rules"
"""Where the commands put udev rules."""


_NO_PERMISSION = Sentence("you have no permission to use it; the command gives it to you.")


def _find_group(device: Path) -> str:
    """The device's group; ``dialout`` if unknown."""
    try:
        return device.group()
    except (OSError, KeyError, NotImplementedError):
        return "dialout"


def _admit(here: Computer, device: Path) -> str:
    """The command that lets the user use the port: at once, and for good by its group.

    Nobody joins the groups of administrators and consoles: a rule gives the port another one.
    """
    device = device.resolve()
    group, rule = _find_group(device), ""
    if group in _PRIVILEGED:
        group = "dialout"
        rule = _add_rule(f'KERNEL=="{device.name}", GROUP="dialout", MODE="0660"')
    return f"{rule}sudo usermod -aG {group} $USER && {_take(here, device)}"


def _write_rule(here: Computer, usb_id: str, node: Path) -> str:
    """The command that lets the user use the USB reader, in every socket."""
    vendor, product = usb_id.split(":")
    rule = _add_rule(
        f'SUBSYSTEM=="usb", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", '
        'MODE="0660", GROUP="dialout", TAG+="uaccess"'
    )
    return f"{rule}sudo usermod -aG dialout $USER && {_take(here, node)}"


def _add_rule(rule: str) -> str:
    return (
        f"echo {shlex.quote(rule)} | sudo tee -a {_OWN_RULES} && sudo udevadm control --reload && "
    )


def _take(here: Computer, device: Path) -> str:
    path = f"/{device.relative_to(here.root.resolve())}"
    return f"sudo chown $USER {shlex.quote(path)}"


def _read(file: Path) -> str:
    """The stripped text of a small file; empty if it cannot be read."""
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
