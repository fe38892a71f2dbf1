"""The radio of nfcpy's devices: finding chips, and exchanging commands with one.

nfcpy sets up the radio again for each command to a chip, at the cost of three more reader commands;
``Pn53xRadio`` does it once. Only ``nfcpy_open`` imports this module, and only when a reader is
opened.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import nfc.clf
import nfc.clf.acr122
import nfc.clf.pn53x
import nfc.clf.pn532
import nfc.clf.pn533

from tags.links import LENGTHS
from tags.presence import UnfitKind, make_unfit_uid
from tags.type2 import ChipSilent, Transceive, UnsuitableChip

ANSWER_TIME = 0.02
"""Timeout of a chip's answer in seconds; the slowest, to a write, takes 10 ms."""

FOREIGN_EVERY = 20
"""Looks that find nothing from one search for cards that cannot be used to the next: a second."""

_LIST_PASSIVE_TARGET, _TYPE_A, _FELICA, _TYPE_B = 0x4A, 0x00, 0x01, 0x03
_ANY_FELICA, _ANY_TYPE_B = bytes.fromhex("00ffff0100"), b"\x00"
_ISO_DEP = 0x20
_FIELD_OFF = bytes.fromhex("0000ff04fcd43201 02f700")  # RFConfiguration: item 1, no field
_CHECK_CRC = 0x80
_CASCADE = 0x04

_COMMUNICATION = (nfc.clf.CommunicationError, nfc.clf.pn53x.Chipset.Error)


def radio(device: Any) -> Radio:
    """The fastest radio that an nfcpy device supports."""
    if not isinstance(device, nfc.clf.pn532.Device | nfc.clf.pn533.Device):
        return Radio(device)
    if isinstance(device, nfc.clf.acr122.Device):
        return Acr122Radio(device)
    serial = device.chipset.transport.TYPE == "TTY"
    return SerialRadio(device) if serial else Pn53xRadio(device)


class Radio:
    """The radio that works with every nfcpy device. All methods raise the reader's own errors."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._unfit: dict[bytes, UnfitKind] = {}
        self._turn = 0

    def look(self) -> Sequence[bytes]:
        """The ids of the ISO 14443 type A chips in the field, which is off afterwards.

        Where none is, a card of another standard is looked for now and then; its id is made up.
        """
        chips = self._search()
        self._unfit = {uid: "iso-dep" for sak, uid in chips if sak & _ISO_DEP}
        if not chips:
            chips = self._search_foreign()
        self._mute()
        return tuple(uid for _sak, uid in chips if len(uid) in LENGTHS)

    def find_kind(self, uid: bytes) -> UnfitKind | None:
        """What kind of unfit card the last look saw under that id; None for a fit chip."""
        return self._unfit.get(uid)

    def _search(self) -> list[tuple[int, bytes]]:
        """The SAK and id of each type A chip there, as many as one search sees."""
        chip = self._activate(b"")
        return [] if chip is None else [chip]

    def _search_foreign(self) -> list[tuple[int, bytes]]:
        """A card of another standard; every time while one lies there, else now and then."""
        self._turn = (self._turn + 1) % FOREIGN_EVERY
        if self._turn:
            return []
        searches: dict[UnfitKind, Callable[[], bool]] = {
            "felica": self._is_felica,
            "type b": self._is_type_b,
        }
        for kind, is_there in searches.items():
            if is_there():
                self._turn = -1
                uid = make_unfit_uid(kind)
                self._unfit[uid] = kind
                return [(0, uid)]
        return []

    def _is_felica(self) -> bool:
        return self._senses(self._device.sense_ttf, "212F")

    def _is_type_b(self) -> bool:
        return self._senses(self._device.sense_ttb, "106B")

    def _senses(self, sense: Any, speed: str) -> bool:
        try:
            return sense(nfc.clf.RemoteTarget(speed)) is not None
        except (ValueError, nfc.clf.UnsupportedTargetError, *_COMMUNICATION):
            return False  # the first two: not with this reader

    @contextmanager
    def select_only(self, uid: bytes) -> Iterator[Transceive | None]:
        """Select exactly the chip ``uid`` among those present, or None; the field is off
        afterwards.

        The exchange raises ``UnsuitableChip`` for a chip that is not a Type 2 tag, and
        ``ChipSilent``.
        """
        chip = self._activate(uid)
        # Compare the id: not every driver selects the one requested.
        if chip is None or chip[1] != uid:
            self._mute()
            yield None
            return
        kind = chip[0]

        def exchange(command: bytes) -> bytes:
            # NXP AN10833, table 6: 00 is Ultralight and NTAG, other bits are MIFARE Classic (08),
            # phones and other ISO-DEP cards (20), peers (40).
            if kind & ~_CASCADE:
                raise UnsuitableChip("unsupported")
            try:
                return self._ask(command)
            except _COMMUNICATION as error:
                raise ChipSilent(str(error)) from None

        yield exchange
        self._mute()

    def sound(self, answer: bool) -> None:
        """Sound the buzzer, if any, for an accepted or refused tap."""

    def _mute(self) -> None:
        self._device.mute()

    def _activate(self, uid: bytes) -> tuple[int, bytes] | None:
        """Select the chip ``uid``, or any; returns its SAK and id."""
        request = nfc.clf.RemoteTarget("106A", sel_req=bytearray(uid) or None)
        try:
            target = self._device.sense_tta(request)
        except nfc.clf.CommunicationError:
            target = None
        if target is None or target.sel_res is None:
            return None
        self._target = target
        return target.sel_res[0], bytes(target.sdd_res or b"")

    def _ask(self, command: bytes) -> bytes:
        """The selected chip's answer, without its checksum."""
        return bytes(self._device.send_cmd_recv_rsp(self._target, bytearray(command), ANSWER_TIME))


class Pn53xRadio(Radio):
    """The radio of a PN532 or PN533: two commands per look, one per exchange."""

    def __init__(self, device: Any) -> None:
        super().__init__(device)
        self._mode: int | None = None  # the receive mode, as a search leaves it

    def _search(self) -> list[tuple[int, bytes]]:
        return self._list(2, b"")

    def _is_felica(self) -> bool:
        return self._has(_FELICA, _ANY_FELICA)

    def _is_type_b(self) -> bool:
        return self._has(_TYPE_B, _ANY_TYPE_B)

    def _has(self, kind: int, request: bytes) -> bool:
        """Whether a card of that kind answers (UM0701-02, 7.3.5)."""
        answer = self._device.chipset.command(
            _LIST_PASSIVE_TARGET, bytearray((1, kind)) + request, timeout=1.0
        )
        return bool(answer) and answer[0] > 0

    def _activate(self, uid: bytes) -> tuple[int, bytes] | None:
        chips = self._list(1, uid)
        if not chips:
            return None
        chipset = self._device.chipset
        if self._mode is None:
            self._mode = chipset.read_register("CIU_RxMode")
        # A 4-bit ACK or NAK has no checksum and would be reported as a checksum error.
        chipset.write_register("CIU_RxMode", self._mode & ~_CHECK_CRC)
        return chips[0]

    def _list(self, most: int, uid: bytes) -> list[tuple[int, bytes]]:
        """Have the reader search; returns the SAK and id of each chip found.

        nfcpy's own method ignores ``most`` and asks for one.
        """
        id_bytes = b"\x88" + uid if len(uid) > 4 else uid
        if len(id_bytes) > 8:
            id_bytes = id_bytes[:4] + b"\x88" + id_bytes[4:]
        request = bytearray((most, _TYPE_A)) + id_bytes
        answer = bytes(self._device.chipset.command(_LIST_PASSIVE_TARGET, request, timeout=1.0))
        try:
            return list(_targets(answer))
        except IndexError:
            raise OSError(errno.EIO, "the reader listed half a chip") from None

    def _ask(self, command: bytes) -> bytes:
        device = self._device
        try:
            answer = device.chipset.in_communicate_thru(bytearray(command), ANSWER_TIME + 0.1)
        except OSError as error:
            if error.errno != errno.ETIMEDOUT:
                raise
            raise ChipSilent(str(error)) from None
        if len(answer) <= 2:
            return bytes(answer)
        if not device.check_crc_a(answer):
            raise ChipSilent("wrong checksum")
        return bytes(answer[:-2])


class Acr122Radio(Pn53xRadio):
    """The same with a buzzer."""

    def sound(self, is_accepted: bool) -> None:
        """Sound a short or a long beep; takes 0.1 or 0.3 seconds."""
        # ACR122U API 2.04, 6.2: the LED stays green, the buzzer sounds once for that long.
        tenths = 1 if is_accepted else 3
        command = bytes((0xFF, 0x00, 0x40, 0x0E, 4, tenths, 0, 1, 1))
        self._device.chipset.ccid_xfr_block(command, timeout=1.0)


class SerialRadio(Pn53xRadio):
    """The same for a slow line: switching the field off is not waited for.

    Its answer is read before the next command.
    """

    def __init__(self, device: Any) -> None:
        super().__init__(device)
        self._unheard = 0

    def _mute(self) -> None:
        self._device.chipset.write_frame(_FIELD_OFF)
        self._unheard = 2  # its ACK and its answer

    def _list(self, most: int, uid: bytes) -> list[tuple[int, bytes]]:
        while self._unheard:
            self._unheard -= 1
            self._device.chipset.read_frame(100)
        return super()._list(most, uid)


def _targets(answer: bytes) -> Iterator[tuple[int, bytes]]:
    """The SAK and id of each target in an answer to InListPassiveTarget (UM0701-02, 7.3.5)."""
    place = 1
    for _ in range(answer[0]):
        sak, length = answer[place + 3], answer[place + 4]
        place += 5 + length
        uid = answer[place - length : place]
        if len(uid) != length:
            raise IndexError
        yield sak, uid
