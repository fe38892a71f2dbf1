"""What is plugged in that may be a reader, and what stands in its way: looked up, never opened.

Here is what a finding is and what is the same on every system; where things are found on each is
in ``finding_linux`` and ``finding_elsewhere``.  Serial ports are only listed: talking to one
disturbs whatever else it is.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tags.readers.base import ReaderGone
from tags.readers.known import Kind

State = Literal["usable", "unknown", "broken"]
USABLE: State = "usable"
UNKNOWN: State = "unknown"
BROKEN: State = "broken"

Cause = Literal[
    "fine", "fine-pcsc", "fine-typing", "may-hang",
    "serial", "keyboard", "in-use", "contacts", "untried-pcsc", "untried-winusb",
    "kernel", "libusb", "permission", "pcscd", "pyscard", "no-pcscd", "no-driver", "refused",
    "port-permission", "evdev", "input-permission",
]  # fmt: skip
"""Why a finding is as it is; what that means in words is the caller's part."""

_USABLE: frozenset[Cause] = frozenset(("fine", "fine-pcsc", "fine-typing", "may-hang"))
_UNKNOWN: frozenset[Cause] = frozenset(
    ("serial", "keyboard", "in-use", "contacts", "untried-pcsc", "untried-winusb")
)

_MODELS = ("-J1", "U")
"""What a reader's name has at its end only because it is plugged in that way."""


@dataclass(frozen=True)
class Finding:
    """One thing found: its ``path`` as settings take it, what it is called, and why it is so.

    ``mend`` is what to type, if anything helps; ``holder`` is whoever has it instead of us.
    """

    path: str
    cause: Cause
    name: str = ""
    mend: str = ""
    holder: str = ""

    @property
    def state(self) -> State:
        """``usable``, ``broken`` (a reader that cannot be used as things are) or ``unknown`` (it
        may be a reader, and nobody asked it)."""
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


def _may(path: Path) -> bool:
    # Asked of borrowed rights only where there are any: emulated devices answer the plain question.
    borrowed = hasattr(os, "geteuid") and os.geteuid() != os.getuid()
    return os.access(path, os.R_OK | os.W_OK, effective_ids=borrowed)


@dataclass(frozen=True)
class Computer:
    """Where to look; everything has the real computer as its default.

    On Linux all comes from /sys, /dev and /proc below ``root``, so that tests can make their own
    computer.  ``slots`` are the readers that PC/SC knows (raises ``ReaderGone``); ``devices`` (id
    and path) and ``ports`` are asked on other systems only.
    """

    root: Path = Path("/")
    may: Callable[[Path], bool] = _may
    library: Callable[[str], str | None] = find_library
    module: Callable[[str], bool] = lambda name: importlib.util.find_spec(name) is not None
    slots: Callable[[], list[str]] = _slots
    devices: Callable[[], list[tuple[str, str]]] = _devices
    ports: Callable[[], list[str]] = _ports
    platform: str = sys.platform

    @property
    def has_libusb(self) -> bool:
        """Whether libusb 1.0 is installed."""
        return bool(self.library("usb-1.0") or self.library("libusb-1.0"))


def find(computer: Computer | None = None) -> list[Finding]:
    """Everything that is or may be a reader."""
    here = computer or Computer()
    if here.platform.startswith("linux"):
        from tags.readers import finding_linux

        return list(finding_linux.find(here))
    from tags.readers import finding_elsewhere

    return list(finding_elsewhere.find(here))


# -- PC/SC, which is the same everywhere --------------------------------------------------------


def pcsc(here: Computer, kinds: list[Kind], start: str, install: str) -> Iterator[Finding]:
    """The readers of ``kinds``, which speak only PC/SC and are plugged in, and every slot that
    the service has besides; ``start`` and ``install`` are the commands for the service and the
    drivers."""
    from tags.readers.pcsc_reader import is_contactless

    if not here.module("smartcard"):
        for kind in kinds:
            mend = ".venv/bin/python -m pip install -e '.[pcsc]'"
            yield Finding(f"pcsc:{_model(kind)}", "pyscard", kind.name, mend)
        return
    try:
        slots = here.slots()
    except ReaderGone as gone:
        cause: Cause = "refused" if gone.fault == "permission" else "no-pcscd"
        for kind in kinds:
            yield Finding(
                f"pcsc:{_model(kind)}", cause, kind.name, "" if cause == "refused" else start
            )
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
    """The word by which PC/SC's names are told apart: the model, without how it is plugged in."""
    model = kind.name.split()[1]
    for ending in _MODELS:
        model = model.removesuffix(ending)
    return model
