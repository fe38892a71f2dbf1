"""Create the reader that a setting names; without one, the reader that is plugged in.

Readers are looked for on USB, then through PC/SC. Detection opens no reader and loads no unneeded
driver; serial ports are never tried.
"""

from __future__ import annotations

import glob
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from common import extras
from tags.access import ChipError
from tags.presence import UnfitKind
from tags.readers import Reader, ReaderError, find_kind, find_name, signal
from tags.readers.paths import NFCPY, parse_place
from tags.type2 import Transceive


def reader_for(path: str, name: str | None = None) -> Reader:
    """The reader at ``path`` (see ``paths.parse_place``), called ``name`` or else ``path``.

    Loads no driver and touches no hardware: missing readers or software are reported on opening.
    ``auto`` is any reader plugged in by then. Raises ``ValueError`` with one sentence if ``path``
    names no reader.
    """
    if path == "auto":
        return AutoReader(name or path, reader_for)
    place, name = parse_place(path), name or path
    match place.bus:
        case "pcsc":
            from tags.readers.pcsc_reader import PcscReader

            return PcscReader(place.address, name)
        case "wedge":
            from tags.readers.wedge import WedgeReader

            return WedgeReader(place.address, name)
        case "file":
            from tags.readers.file_reader import FileReader

            return FileReader(place.address, name)
        case "line":
            from tags.readers.sightings import LineReader

            return LineReader(place.address, name)
        case "mqtt":
            from tags.readers.mqtt_reader import MqttReader

            return MqttReader(place.address, name)
        case "zaparoo":
            from tags.readers.sightings import ZaparooReader

            return ZaparooReader(place.address, name)
        case "usb" | "serial" | "tcp":
            from tags.readers.nfcpy_reader import NfcpyReader

            return NfcpyReader(path, name)


log = logging.getLogger(__name__)

NOTHING = "No reader is plugged in on USB; plug one in, or name the one to use by its path."

SYSFS = "/sys/bus/usb/devices"
PCSCD = "/run/pcscd/pcscd.comm"


def present() -> str | None:
    """``usb`` or ``pcsc``, whichever is plugged in, ``usb`` first; None when nothing is."""
    if usb_reader_present():
        return "usb"
    return "pcsc" if pcsc_reader_present() else None


def usb_reader_present() -> bool:
    """Whether a USB reader that nfcpy can drive is plugged in."""
    if "linux" in sys.platform:  # needs no driver
        return any(_usb_id(device) in NFCPY for device in glob.glob(f"{SYSFS}/*"))
    try:
        from nfc.clf import transport

        return bool(transport.USB.find("usb"))
    except Exception:  # anything missing or broken means no usable reader
        return False


def pcsc_reader_present(scard: Any = None, socket: str = PCSCD) -> bool:
    """Whether PC/SC has a contactless reader.

    Asks only if pyscard is installed and, on Linux, pcscd listens at ``socket``. ``scard`` is
    pyscard's ``scard`` module by default.
    """
    if scard is None and not extras.is_installed("pcsc"):
        return False
    if "linux" in sys.platform and not os.path.exists(socket):
        return False
    from tags.readers.pcsc_reader import PcscReader, is_for_chips

    reader = PcscReader(scard=scard)
    try:
        reader.open()
        return any(is_for_chips(slot) for slot in reader.slots())
    except ReaderError as error:
        log.debug("no reader through PC/SC: %s", error)
        return False
    finally:
        reader.close()


class AutoReader:
    """A ``Reader``, and a ``ChipAccess`` if the driver is one, for the reader plugged in when it is
    opened."""

    def __init__(self, name: str, reader_for: Callable[[str, str], Reader]) -> None:
        """``reader_for`` creates the reader at a path, with a display name."""
        self._name = name
        self._reader_for = reader_for
        self._reader: Reader | None = None

    @property
    def name(self) -> str:
        """Its display name, the same for any reader."""
        return self._name

    def open(self) -> None:
        """Find and open a reader; no-op when open. Raises ``ReaderError``."""
        if self._reader is None:
            path = present()
            if path is None:
                raise ReaderError(NOTHING, "missing")
            reader = self._reader_for(path, self._name)
            reader.open()
            self._reader = reader

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips there.  Raises ``ReaderError``."""
        self.open()
        assert self._reader is not None
        try:
            return self._reader.poll()
        except ReaderError:
            self.close()
            raise

    def select(self, uid: bytes) -> AbstractContextManager[Transceive | None]:
        """The driver's own method; raises ``ChipError`` if it has none."""
        select = getattr(self._reader, "select", None)
        if select is None:
            raise ChipError("reader")
        selection: AbstractContextManager[Transceive | None] = select(uid)
        return selection

    def find_kind(self, uid: bytes) -> UnfitKind | None:
        """The driver's own method; None if it has none."""
        return find_kind(self._reader, uid)

    def name_of(self, uid: bytes) -> str | None:
        """The driver's own method; None if it has none."""
        return find_name(self._reader, uid)

    def signal(self, is_accepted: bool) -> None:
        """The driver's own method; no-op if it has none. Raises ``ReaderError``."""
        signal(self._reader, is_accepted)

    def close(self) -> None:
        """Close it; never raises."""
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()


def _usb_id(device: str) -> str:
    parts = []
    for name in ("idVendor", "idProduct"):
        try:
            with open(f"{device}/{name}", encoding="ascii") as file:
                parts.append(file.read().strip())
        except OSError:
            return ""
    return ":".join(parts)
