"""Find readers on macOS and Windows, through libusb, PC/SC and pyserial; none is opened.

Written from those systems' documentation, untested on both. Each has its own PC/SC service, which
claims the readers that speak PC/SC before libusb can.
"""

from __future__ import annotations

from collections.abc import Iterator

from tags.readers.finding import pcsc
from tags.readers.finding.computer import Cause, Computer, Finding
from tags.readers.known import KINDS

_USB_PORTS = ("usbserial", "usbmodem", "wchusbserial", "SLAB")
_ALSO_PCSC = ("072f:2200",)
"""Readers that nfcpy drives but the system's PC/SC service claims."""


def find(here: Computer) -> Iterator[Finding]:
    """Find everything that is or may be a reader."""
    windows = here.platform == "win32"
    plugged = [(KINDS[usb_id], usb_id, path) for usb_id, path in _devices(here) if usb_id in KINDS]
    for kind, usb_id, path in plugged:
        if kind.driver != "pcsc":
            cause, mend = _usb(usb_id, windows=windows)
            yield Finding(path, cause, kind.name, mend)
    if not here.has_libusb and not windows:
        yield Finding("usb", "libusb", "USB", "brew install libusb")
    yield from pcsc.find(
        here,
        [kind for kind, _, _ in plugged if kind.driver == "pcsc"],
        ".venv/bin/python -m pip install -e '.[pcsc]'",
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


def _devices(here: Computer) -> list[tuple[str, str]]:
    """Every USB device, id and path; none if libusb is missing or fails."""
    if not here.has_libusb:
        return []
    try:
        return here.devices()
    except Exception:  # libusb's own errors, mostly not OSError
        return []
