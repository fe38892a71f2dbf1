"""Computers simulated by files, with readers plugged in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from tags.readers import Fault, ReaderError
from tags.readers.finding import Computer, Finding, find

ACR1252 = "ACS ACR1252 1S CL Reader [PICC] (ACR1252U-A1-0123) 00 00"


def computer(
    root: Path,
    *,
    may: bool = True,
    libusb: bool = True,
    extras: bool = True,
    slots: Sequence[str] | Fault = "software",
    platform: str = "linux",
    devices: Sequence[tuple[str, str]] = (),
    ports: Sequence[str] = (),
) -> Computer:
    def asked() -> list[str]:
        if isinstance(slots, str):
            raise ReaderError("PC/SC does not answer.", cast("Fault", slots))
        return list(slots)

    return Computer(
        root,
        lambda path: may,
        lambda name: name if libusb else None,
        lambda name: extras,
        asked,
        lambda: list(devices),
        lambda: list(ports),
        platform,
    )


def plug(
    root: Path, usb_id: str, port: str = "1-2", *, driver: str = "", release: str = "0214"
) -> None:
    """Plug a USB device in."""
    device = root / "sys/bus/usb/devices" / port
    device.mkdir(parents=True)
    vendor, product = usb_id.split(":")
    facts = {"idVendor": vendor, "idProduct": product, "busnum": "1", "devnum": "7",
             "bcdDevice": release}  # fmt: skip
    for name, value in facts.items():
        (device / name).write_text(f"{value}\n")
    if driver:
        target = root / "sys/bus/usb/drivers" / driver
        target.mkdir(parents=True, exist_ok=True)
        (device / f"{port}:1.0").mkdir()
        (device / f"{port}:1.0/driver").symlink_to(target)


def start(root: Path, program: str) -> None:
    process = root / "proc/42"
    process.mkdir(parents=True)
    (process / "comm").write_text(f"{program}\n")


def only(here: Computer) -> Finding:
    (one,) = find(here)
    return one


def board(root: Path, number: int, *, named: str = "") -> None:
    """Plug in an adapter as that port, with an optional manufacturer's name."""
    for folder in ("dev/serial/by-id", "dev/serial/by-path"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / f"dev/ttyUSB{number}").touch()
    for way in ("usb", "usbv2"):
        link = root / f"dev/serial/by-path/pci-0000:00:14.0-{way}-0:{number + 1}:1.0-port0"
        link.symlink_to(f"../../ttyUSB{number}")
    if named:
        (root / "dev/serial/by-id" / named).symlink_to(f"../../ttyUSB{number}")
