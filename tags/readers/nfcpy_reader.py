"""The reader driver for everything that nfcpy knows: ACR122U, PN53x, RC-S380, PN532 on a port.

Polls with single searches, which see a chip in some 30 ms where nfcpy's own ``connect()`` loop
takes 400.  nfcpy is loaded when the reader is first opened, not before.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tags.access import ChipError
from tags.readers.base import ReaderGone
from tags.readers.faults import error_number, gone
from tags.readers.paths import parse_place
from tags.type2 import ChipSilent, Exchange, UnfitError

if TYPE_CHECKING:
    from tags.readers.nfcpy_radio import Radio

log = logging.getLogger(__name__)


class NfcpyReader:
    """A ``Reader`` through nfcpy at ``path`` (see ``paths.parse_place``).

    ``name`` is what to call it, by default the path.  Raises ``ValueError`` with one sentence
    when ``path`` is not a reader path at all; that a reader is missing shows only at ``open``.
    """

    def __init__(self, path: str, name: str | None = None) -> None:
        self.path = path
        self._name = name or path
        self._place = parse_place(path)
        self._frontend: Any = None
        self._radio: Radio | None = None

    @property
    def name(self) -> str:
        """What people call this reader; the same over reconnects."""
        return self._name

    def open(self) -> None:
        """Find the reader and start its driver; harmless when it is open already.

        Raises ``ReaderGone``.  Takes some 50 ms, up to 3 seconds when nobody answers.
        """
        if self._frontend is not None:
            return
        try:
            from tags.readers import nfcpy_open, nfcpy_radio

            self._frontend = nfcpy_open.open_frontend(self._place)
            self._radio = nfcpy_radio.radio(self._frontend.device)
        # nfcpy lets OSError, termios.error, usb1 errors and slips of its own through.
        except Exception as error:
            log.debug("cannot open %s", self.path, exc_info=True)
            raise gone(error, self.name, self._place.bus) from error

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips on the reader, up to two where it sees two; takes 10 to 30 ms.

        Raises ``ReaderGone``; the reader is closed then.
        """
        try:
            return self._sense_twice()
        except Exception as error:
            raise self._lost(error) from error

    @contextmanager
    def select(self, uid: bytes) -> Iterator[Exchange | None]:
        """The radio on, and exactly the chip ``uid`` selected; None when it does not lie there.

        Raises ``ReaderGone``, the exchange ``ChipSilent`` and ``UnfitError``.
        """
        try:
            if self._radio is None:
                raise _unplugged()
            with self._radio.selected(uid) as exchange:
                yield exchange
        except (ChipSilent, UnfitError, ChipError):
            raise
        except Exception as error:
            raise self._lost(error) from error

    def signal(self, accepted: bool) -> None:
        """Let people hear whether a tap was accepted; nothing where the reader has no buzzer.

        Takes up to 0.3 seconds.  Raises ``ReaderGone``.
        """
        try:
            if self._radio is None:
                raise _unplugged()
            self._radio.sound(accepted)
        except Exception as error:
            raise self._lost(error) from error

    def close(self) -> None:
        """Switch the radio field off and let go; never raises."""
        frontend, self._frontend, self._radio = self._frontend, None, None
        if frontend is None:
            return
        try:
            frontend.close()
        except Exception:
            log.debug("%s did not close cleanly", self.path, exc_info=True)

    def _lost(self, error: Exception) -> ReaderGone:
        """Let the reader go; what to raise about it."""
        log.debug("lost %s", self.path, exc_info=True)
        cause = _unplugged() if self._is_unplugged() else error
        self.close()
        return gone(cause, self.name, self._place.bus)

    def _is_unplugged(self) -> bool:
        """Whether the serial port is gone: its errors alone do not say why they happened."""
        return self._place.bus == "serial" and not os.path.exists(self._place.address)

    def _sense_twice(self) -> Sequence[bytes]:
        """One poll, repeated once if its bytes were garbled on the wire.

        A single bad checksum is noise and must not cost a reconnect; two in a row are a fault.
        """
        if self._radio is None:
            raise _unplugged()
        try:
            return self._radio.look()
        except OSError as error:
            if error_number(error) != errno.EIO:
                raise
        return self._radio.look()


def _unplugged() -> OSError:
    return OSError(errno.ENODEV, os.strerror(errno.ENODEV))
