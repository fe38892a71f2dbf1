"""The driver for all readers that nfcpy supports: ACR122U, PN53x, RC-S380, serial PN532.

Polls with single searches, which see a chip in about 30 ms; nfcpy's own ``connect()`` loop takes
400. nfcpy is loaded only when the reader is first opened.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from tags.access import ChipError
from tags.presence import POLLED, UnfitKind
from tags.readers import Reader, ReaderError
from tags.readers.faults import error_number, explain_error, explain_holder
from tags.readers.holders import find_holder, is_serial_port
from tags.readers.roads import parse_place
from tags.type2 import ChipSilent, Transceive, UnsuitableChip

if TYPE_CHECKING:
    from tags.chip_lines import IsKnown
    from tags.readers.nfcpy_radio import Radio

log = logging.getLogger(__name__)

_SYNTAX_ERROR = 0x7F
"""The number of nfcpy's error for a PN532 that refuses a command (UM0701-02, 6.2.1.7): it has lost
its power meanwhile, and with it what it was told at its start."""


class NfcpyReader(Reader):
    """A reader through nfcpy at ``path`` (see ``roads.ROADS``).

    ``name`` is by default the path. Raises ``ValueError`` with one sentence if ``path`` is not a
    reader path; a missing reader is reported only by ``open``. It reads ids itself, so it makes no
    use of which are known.
    """

    traits = POLLED

    def __init__(
        self, path: str, name: str | None = None, _is_known: IsKnown | None = None
    ) -> None:
        self.path = path
        self.name = name or path
        self._place = parse_place(path)
        self._frontend: Any = None
        self._radio: Radio | None = None

    def open(self) -> None:
        """Find the reader and start its driver; no-op when open. Raises ``ReaderError``. Takes
        about 50 ms, up to 3 seconds without an answer."""
        if self._frontend is not None:
            return
        try:
            from tags.readers import nfcpy_open, nfcpy_radio

            self._frontend = nfcpy_open.open_frontend(self._place)
            self._radio = nfcpy_radio.radio(self._frontend.device)
        # nfcpy lets through OSError, termios.error, usb1 errors and errors from its own bugs.
        except Exception as error:
            log.debug("cannot open %s", self.path, exc_info=True)
            raise self._explain(error) from error

    def poll(self) -> Sequence[bytes]:
        """The uids of the chips on the reader, up to two if it supports that; takes 10 to 30 ms.
        Raises ``ReaderError``; the reader is closed then."""
        try:
            return self._sense_twice()
        except Exception as error:
            raise self._give_up(error) from error

    def find_kind(self, uid: bytes) -> UnfitKind | None:
        return None if self._radio is None else self._radio.find_kind(uid)

    @contextmanager
    def select(self, uid: bytes) -> Iterator[Transceive | None]:
        """Switch the radio on and select exactly the chip ``uid``; None if it is not there. Raises
        ``ReaderError``, the exchange ``ChipSilent`` and ``UnsuitableChip``."""
        try:
            if self._radio is None:
                raise _make_unplugged_error()
            with self._radio.select_only(uid) as exchange:
                yield exchange
        except (ChipSilent, UnsuitableChip, ChipError):
            raise
        except Exception as error:
            raise self._give_up(error) from error

    def signal(self, is_accepted: bool) -> None:
        """Sound the buzzer for an accepted or refused tap; no-op without a buzzer.

        Takes up to 0.3 seconds.  Raises ``ReaderError``.
        """
        try:
            if self._radio is None:
                raise _make_unplugged_error()
            self._radio.sound(is_accepted)
        except Exception as error:
            raise self._give_up(error) from error

    def close(self) -> None:
        frontend, self._frontend, self._radio = self._frontend, None, None
        if frontend is None:
            return
        try:
            frontend.close()
        except Exception:
            log.debug("%s did not close cleanly", self.path, exc_info=True)

    def _give_up(self, error: Exception) -> ReaderError:
        """Close the reader; returns the exception to raise."""
        log.debug("lost %s", self.path, exc_info=True)
        cause = _make_unplugged_error() if self._is_unplugged() else error
        self.close()
        return self._explain(cause)

    def _explain(self, error: Exception) -> ReaderError:
        """The exception to raise for ``error``: at a serial port who else has it open, or that it
        is none, explains more."""
        reason = explain_error(error, self.name, self._place.road)
        if self._place.road != "serial" or reason.fault not in ("busy", "silent", "failed"):
            return reason
        if getattr(error, "errno", None) == _SYNTAX_ERROR:
            return ReaderError(
                Sentence(
                    "The reader {name} lost its power for a moment, although its cable is plugged "
                    "in; it is being started again.",
                    name=self.name,
                )
            )
        if not is_serial_port(self._place.address):
            return ReaderError(
                Sentence(
                    "{name} is not a serial port; name the reader's own, such as "
                    "/dev/serial/by-id/…",
                    name=self.name,
                )
            )
        holder = find_holder(self._place.address)
        return explain_holder(self.name, holder) if holder else reason

    def _is_unplugged(self) -> bool:
        """Whether the serial port is gone, which its errors alone do not tell."""
        return self._place.road == "serial" and not os.path.exists(self._place.address)

    def _sense_twice(self) -> Sequence[bytes]:
        """Poll once, and again if the bytes were garbled in transmission.

        One bad checksum is noise, not worth a reconnect; two in a row are a fault.
        """
        if self._radio is None:
            raise _make_unplugged_error()
        try:
            return self._radio.look()
        except OSError as error:
            if error_number(error) != errno.EIO:
                raise
        return self._radio.look()


def _make_unplugged_error() -> OSError:
    return OSError(errno.ENODEV, os.strerror(errno.ENODEV))
