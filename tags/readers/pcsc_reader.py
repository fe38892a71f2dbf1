"""Readers that speak PC/SC, through pyscard (the extra ``pcsc``): ACR1252, OMNIKEY, uTrust, ...

The system's service (pcscd on Linux) owns the reader and detects chips; a chip's id is requested
once, when it comes.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from tags.access import ChipError
from tags.presence import POLLED, UnfitKind, make_unfit_uid
from tags.readers import Fault, Reader
from tags.readers.faults import explain_error, explain_fault
from tags.readers.pcsc_chip import ConnectedChip, connect, exchange_with
from tags.type2 import ChipSilent, Transceive, UnsuitableChip

if TYPE_CHECKING:
    from tags.chip_lines import IsKnown

log = logging.getLogger(__name__)

_OTHER_SLOTS = ("SAM", "CONTACT READER", "CARDMAN (CONTACT)")
_CONTACTLESS = (
    *("PICC", "CONTACTLESS", " CL ", "NFC", "RFID", "ACR122", "ACR1251", "ACR1252", "ACR1255"),
    *("ACR1552", "OMNIKEY 5022", "OMNIKEY 5422", "OMNIKEY 5427", "3700 F", "4701 F"),
)

_FAULTS: dict[str, Fault] = {
    "SCARD_E_NO_SERVICE": "software",
    "SCARD_E_SERVICE_STOPPED": "software",
    "SCARD_E_NO_ACCESS": "permission",
    "SCARD_W_SECURITY_VIOLATION": "permission",
    "SCARD_E_SHARING_VIOLATION": "busy",
    "SCARD_E_NO_READERS_AVAILABLE": "missing",
    "SCARD_E_READER_UNAVAILABLE": "missing",
    "SCARD_E_UNKNOWN_READER": "missing",
    "SCARD_E_TIMEOUT": "silent",
}

_CANNOT_POWER = ("SCARD_W_UNRESPONSIVE_CARD", "SCARD_W_UNPOWERED_CARD")
_CHIP_LEFT = (
    "SCARD_W_REMOVED_CARD",
    "SCARD_W_RESET_CARD",
    "SCARD_E_NO_SMARTCARD",
    "SCARD_E_PROTO_MISMATCH",
    "SCARD_E_NOT_TRANSACTED",
    "SCARD_F_COMM_ERROR",
)


def is_contactless(slot: str) -> bool:
    """Whether a slot of that name may see chips; slots for SIMs and contact cards never do."""
    return not any(word in slot.upper() for word in _OTHER_SLOTS)


def is_for_chips(slot: str) -> bool:
    """Whether a slot of that name certainly sees chips; security keys and contact card readers are
    ambiguous."""
    return is_contactless(slot) and any(word in slot.upper() for word in _CONTACTLESS)


class PcscReader(Reader):
    """A reader through PC/SC: the first whose name contains ``part``, ignoring case.

    If a reader has several slots, the contactless one is used. ``scard`` is pyscard's ``scard``
    module by default. It reads ids itself, so it makes no use of which are known.
    """

    road = "pcsc"
    traits = POLLED

    def __init__(
        self,
        part: str = "",
        name: str | None = None,
        _is_known: IsKnown | None = None,
        *,
        scard: Any = None,
    ) -> None:
        self.part = part
        self.name = name or (f"pcsc:{part}" if part else "pcsc")
        self._scard = scard
        self._context: Any = None
        self._slot = ""
        self._state = 0
        self._uid: bytes | None = None
        self._kind: UnfitKind | None = None
        self._notice: Sentence | None = None
        self._is_told = False  # why the chip there gives no id

    @property
    def slot(self) -> str:
        """Its PC/SC name, once opened."""
        return self._slot

    def open(self) -> None:
        self.connect()
        self._slot = self._find()
        self._state, self._uid = self._scard.SCARD_STATE_UNAWARE, None

    def connect(self) -> None:
        """Connect to the service, with or without readers. Raises ``ReaderError``."""
        try:
            if self._scard is None:
                self._scard = importlib.import_module("smartcard.scard")
            code, context = self._scard.SCardEstablishContext(self._scard.SCARD_SCOPE_USER)
            self._check(code)
        except Exception as error:
            raise explain_error(error, self.name, "pcsc") from error
        self._context = context

    def poll(self) -> Sequence[bytes]:
        """The id of the chip there, if any; takes a few milliseconds when a chip comes, else
        none."""
        uid = self._read_state()
        return () if uid is None else (uid,)

    def find_kind(self, uid: bytes) -> UnfitKind | None:
        return self._kind if uid == self._uid else None

    def take_notice(self) -> Sentence | None:
        """The next sentence about a chip that gives no id, once for each."""
        notice, self._notice = self._notice, None
        return notice

    @contextmanager
    def select(self, uid: bytes) -> Iterator[Transceive | None]:
        """Lock the chip ``uid`` for this program; None if the reader sees another or none. Raises
        ``ReaderError``, the exchange ``ChipSilent`` and ``ChipError`` too."""
        try:
            with self._connect_chip() as card:
                if card is None:
                    yield None
                    return
                with card.lock() as there:
                    is_found = there and card.uid() == uid
                    if is_found and not card.is_type_2():
                        raise ChipError("unsupported")
                    yield exchange_with(card, uid) if is_found else None
        except (ChipSilent, UnsuitableChip, ChipError):
            raise
        except Exception as error:
            self.close()
            raise explain_error(error, self.name, "pcsc") from error

    def close(self) -> None:
        context, self._context = self._context, None
        if context is None:
            return
        try:
            self._scard.SCardReleaseContext(context)
        except Exception:
            log.debug("%s did not close cleanly", self.name, exc_info=True)

    def slots(self) -> list[str]:
        """The names of all the service's readers, contactless or not. Raises ``ReaderError``."""
        code, names = self._scard.SCardListReaders(self._context, [])
        if code == getattr(self._scard, "SCARD_E_NO_READERS_AVAILABLE", None):
            return []
        self._check(code)
        return list(names)

    def _find(self) -> str:
        """The slot to use: the one used before, else contactless ones first."""
        named = [slot for slot in self.slots() if self.part.upper() in slot.upper()]
        fitting = [slot for slot in named if is_contactless(slot)]
        fitting.sort(key=lambda slot: not is_for_chips(slot))
        if not fitting:
            raise explain_fault("missing", self.name, "pcsc")
        return self._slot if self._slot in fitting else fitting[0]

    def _read_state(self) -> bytes | None:
        scard = self._scard
        code, states = scard.SCardGetStatusChange(self._context, 0, [(self._slot, self._state)])
        if code == scard.SCARD_E_TIMEOUT:  # nothing has changed
            return self._uid
        self._check(code)
        state = states[0][1]
        if state & (scard.SCARD_STATE_UNKNOWN | scard.SCARD_STATE_UNAVAILABLE):
            raise explain_fault("missing", self.name, "pcsc")
        is_mute = bool(state & scard.SCARD_STATE_MUTE)
        present = state & scard.SCARD_STATE_PRESENT and not is_mute
        if is_mute:
            self._tell_mute()
        elif not present:
            self._is_told = False
        self._uid = self._ask() if present else None
        # The next poll asks a chip again if its id could not be read.
        is_asked = self._uid is not None or not present
        self._state = state & ~scard.SCARD_STATE_CHANGED if is_asked else scard.SCARD_STATE_UNAWARE
        return self._uid

    def _ask(self) -> bytes | None:
        """The id of the chip there; None if it left meanwhile or has none."""
        with self._connect_chip() as card:
            if card is None:
                return None
            self._kind = card.find_kind()
            if self._kind not in (None, "iso-dep"):
                return make_unfit_uid(self._kind)
            uid = card.uid()
            if uid is None and card.refuses_uid:
                self._tell_once(
                    Sentence(
                        "The card on the reader {name} tells no id, so it cannot be used.",
                        name=self.name,
                    )
                )
            return uid

    def _tell_mute(self) -> None:
        self._tell_once(
            Sentence(
                "The reader {name} cannot power the chip on it; take it away and lay it on again.",
                name=self.name,
            )
        )

    def _tell_once(self, notice: Sentence) -> None:
        """Tell why the chip there gives no id, until another one comes."""
        if not self._is_told:
            self._notice = notice
        self._is_told = True

    def _connect_chip(self) -> AbstractContextManager[ConnectedChip | None]:
        return connect(self._scard, self._context, self._slot, self._is_chip_there)

    def _is_chip_there(self, code: int) -> bool:
        """Whether the chip was still there. Raises ``ReaderError`` for codes not about the chip."""
        if code in {getattr(self._scard, word, None) for word in _CANNOT_POWER}:
            self._tell_mute()
            return False
        if code in {getattr(self._scard, word, None) for word in _CHIP_LEFT}:
            return False
        self._check(code)
        return True

    def _check(self, code: int) -> None:
        """Raise ``ReaderError`` unless the service reports success."""
        if code == self._scard.SCARD_S_SUCCESS:
            return
        faults = {getattr(self._scard, word, None): fault for word, fault in _FAULTS.items()}
        log.debug("%s: %s", self.name, self._scard.SCardGetErrorMessage(code))
        raise explain_fault(faults.get(code, "failed"), self.name, "pcsc")
