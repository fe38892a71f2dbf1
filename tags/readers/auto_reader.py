"""Create the reader that a setting names; without one, the reader that is plugged in.

Readers are looked for on USB, then through PC/SC. Detection opens no reader and loads no unneeded
driver; serial ports are never tried, because printers, radio sticks and boards are there too.
"""

from __future__ import annotations

import logging
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

from common import extras
from common.sentences import Sentence
from tags.chip_lines import IsKnown
from tags.presence import POLLED, UnfitKind
from tags.readers import Reader, ReaderError
from tags.readers.finding import Computer, find_serial_ports, list_plugged
from tags.readers.pcsc_reader import PcscReader, is_for_chips
from tags.readers.roads import ROADS, parse_place
from tags.readers.usb_kinds import NFCPY
from tags.type2 import Transceive


def reader_for(path: str, name: str | None = None, is_known: IsKnown = lambda uid: False) -> Reader:
    """The reader at ``path`` (see ``roads.ROADS``), called ``name`` or else ``path``.

    ``is_known`` tells whether a chip has been learned (``tags.chip_lines``).

    Loads no driver and touches no hardware: missing readers or software are reported on opening.
    ``auto`` is any reader plugged in by then. Raises ``ValueError`` with one sentence if ``path``
    names no reader.
    """
    if path == "auto":
        return AutoReader(name or path)
    place = parse_place(path)
    module, class_ = ROADS[place.road].reader.split(".")
    make: Callable[[str, str, IsKnown], Reader] = getattr(
        import_module(f"tags.readers.{module}"), class_
    )
    return make(place.address, name or path, is_known)


log = logging.getLogger(__name__)

NOTHING = Sentence(
    "No reader was found on USB or through PC/SC; plug one in, or name it by its path (--reader)."
)

PCSCD = "/run/pcscd/pcscd.comm"


def present() -> str | None:
    """``usb`` or ``pcsc``, whichever is plugged in, ``usb`` first; None when nothing is."""
    if usb_reader_present():
        return "usb"
    return "pcsc" if pcsc_reader_present() else None


def explain_none() -> Sentence:
    """The sentence that `auto` found no reader, with the line that uses a serial adapter which is
    there."""
    adapter = next((port.path for port in find_serial_ports(Computer())), None)
    if adapter is None:
        return NOTHING
    return Sentence(
        "No reader was found on USB or through PC/SC, but a serial adapter; if a PN532 is "
        "on it, use --reader {path}",
        path=shlex.quote(adapter),
    )


def usb_reader_present() -> bool:
    """Whether a USB reader that nfcpy can drive is plugged in."""
    if "linux" in sys.platform:  # needs no driver
        return any(usb_id in NFCPY for usb_id, _path in list_plugged(Computer()))
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
    reader = PcscReader(scard=scard)
    try:
        reader.open()
        return any(is_for_chips(slot) for slot in reader.slots())
    except ReaderError as error:
        log.debug("no reader through PC/SC: %s", error)
        return False
    finally:
        reader.close()


class AutoReader(Reader):
    """The reader that is plugged in when this one is opened."""

    traits = POLLED

    def __init__(self, name: str) -> None:
        self.name = name
        self._reader: Reader | None = None
        self._notice: Sentence | None = None

    def open(self) -> None:
        path = present()
        if path is None:
            raise ReaderError(explain_none(), "missing")
        self._reader = reader_for(path, self.name)
        self.road = self._reader.road
        self._reader.open()
        self._notice = Sentence("The reader {name} is now {path}.", name=self.name, path=path)

    def poll(self) -> Sequence[bytes]:
        assert self._reader is not None
        return self._reader.poll()

    def select(self, uid: bytes) -> AbstractContextManager[Transceive | None]:
        assert self._reader is not None
        return self._reader.select(uid)

    def take_notice(self) -> str | None:
        """Which reader was taken, then the driver's own notices; None if there is nothing new."""
        notice, self._notice = self._notice, None
        return notice or (self._reader.take_notice() if self._reader is not None else None)

    def find_kind(self, uid: bytes) -> UnfitKind | None:
        return self._reader.find_kind(uid) if self._reader is not None else None

    def signal(self, is_accepted: bool) -> None:
        if self._reader is not None:
            self._reader.signal(is_accepted)

    def close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()
