"""PC/SC: the reader over a stand-in for pyscard, and over pcscd with a virtual reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tags.readers import ReaderError
from tags.readers.auto_reader import pcsc_reader_present
from tags.readers.pcsc_chip import GET_UID
from tags.readers.pcsc_reader import PcscReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, Tap
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.tags.emulated_pcsc import ULTRALIGHT

PICC = "ACS ACR1252 1S CL Reader [PICC] 00 00"
SAM = "ACS ACR1252 1S CL Reader [SAM] 01 00"


class Scard:
    """The functions and numbers of ``smartcard.scard`` that the reader uses."""

    SCARD_S_SUCCESS = 0
    SCARD_E_TIMEOUT = 0x8010000A
    SCARD_E_SHARING_VIOLATION = 0x8010000B
    SCARD_E_NO_SMARTCARD = 0x8010000C
    SCARD_E_NO_SERVICE = 0x8010001D
    SCARD_E_NO_READERS_AVAILABLE = 0x8010002E
    SCARD_W_SECURITY_VIOLATION = 0x8010006A
    SCARD_W_UNPOWERED_CARD = 0x80100067
    SCARD_W_REMOVED_CARD = 0x80100069
    SCARD_F_INTERNAL_ERROR = 0x80100001
    SCARD_SCOPE_USER, SCARD_SHARE_SHARED, SCARD_LEAVE_CARD = 0, 2, 0
    SCARD_PROTOCOL_T0, SCARD_PROTOCOL_T1, SCARD_PCI_T0, SCARD_PCI_T1 = 1, 2, "T0", "T1"
    SCARD_STATE_UNAWARE, SCARD_STATE_CHANGED, SCARD_STATE_UNKNOWN = 0, 2, 4
    SCARD_STATE_UNAVAILABLE, SCARD_STATE_EMPTY, SCARD_STATE_PRESENT = 8, 0x10, 0x20
    SCARD_STATE_MUTE = 0x200

    def __init__(self, *names: str) -> None:
        self.names = list(names or (PICC,))
        self.uid: bytes | None = None
        self.count = 0
        self.fails: dict[str, int] = {}
        self.contexts = self.cards = self.asked = 0
        self.flags = 0

    def lay(self, uid: bytes | None) -> None:
        self.uid, self.count = uid, self.count + 1

    def SCardStatus(self, card: Any) -> tuple[int, str, int, int, list[int]]:
        return 0, self.names[0], 0, self.SCARD_PROTOCOL_T1, list(ULTRALIGHT)

    def SCardEstablishContext(self, scope: int) -> tuple[int, Any]:
        self.contexts += not self._fail("establish")
        return self._fail("establish"), "context"

    def SCardReleaseContext(self, context: Any) -> int:
        self.contexts -= 1
        return 0

    def SCardListReaders(self, context: Any, groups: list[str]) -> tuple[int, list[str]]:
        if not self.names:
            return self.SCARD_E_NO_READERS_AVAILABLE, []
        return self._fail("list"), self.names

    def SCardGetStatusChange(self, context: Any, timeout: int, states: Any) -> tuple[int, Any]:
        if self._fail("status"):
            return self._fail("status"), []
        ((name, known),) = states
        if name not in self.names:
            return 0, [(name, self.SCARD_STATE_UNKNOWN | self.SCARD_STATE_CHANGED, [])]
        now = self.count << 16 | (self.SCARD_STATE_PRESENT if self.uid else self.SCARD_STATE_EMPTY)
        now |= self.flags if self.uid else 0
        if known == now:
            return self.SCARD_E_TIMEOUT, [(name, now, [])]
        return 0, [(name, now | self.SCARD_STATE_CHANGED, [])]

    def SCardConnect(self, context: Any, name: str, mode: int, protocols: int) -> Any:
        if code := self._fail("connect"):
            return code, None, 0
        self.cards += 1
        return 0, "card", self.SCARD_PROTOCOL_T1

    def SCardTransmit(self, card: Any, frame: str, command: list[int]) -> tuple[int, list[int]]:
        assert (frame, bytes(command)) == ("T1", GET_UID)
        self.asked += 1
        if code := self._fail("transmit"):
            return code, []
        assert self.uid
        return 0, [*self.uid, 0x90, 0x00]

    def SCardDisconnect(self, card: Any, how: int) -> int:
        self.cards -= 1
        return 0

    def SCardGetErrorMessage(self, code: int) -> str:
        return f"code {code:X}."

    def _fail(self, where: str) -> int:
        return self.fails.get(where, 0)


def opened(scard: Scard, part: str = "") -> PcscReader:
    reader = PcscReader(part, scard=scard)
    reader.open()
    return reader


def test_a_chip_is_asked_once_and_seen_while_it_lies_there() -> None:
    scard = Scard()
    reader = opened(scard)
    assert reader.poll() == ()
    scard.lay(TEMPLE)
    assert [reader.poll() for _ in range(5)] == [(TEMPLE,)] * 5
    assert (scard.asked, scard.cards) == (1, 0)
    scard.lay(CASTLE)
    assert reader.poll() == (CASTLE,)
    scard.lay(None)
    assert [reader.poll(), reader.poll()] == [(), ()]
    reader.close()
    reader.close()
    assert scard.contexts == 0


def test_the_contactless_slot_is_taken_and_kept() -> None:
    scard = Scard("Generic Smart Card Reader", SAM, PICC)
    reader = opened(scard)
    assert (reader.slot, reader.name) == (PICC, "pcsc")
    other = "OMNIKEY 5022 CL 00 00"
    scard.names = [other, PICC]
    reader.close()
    reader.open()
    assert reader.slot == PICC
    assert opened(scard, "omnikey").slot == other


def test_two_equal_readers_are_told_apart_by_their_numbers() -> None:
    scard = Scard("ACS ACR1252 PICC 00 00", "ACS ACR1252 PICC 01 00")
    assert opened(scard, "PICC 01").slot == scard.names[1]


@pytest.mark.parametrize("names", [(), (SAM,), ("Other",)])
def test_no_fitting_reader(names: tuple[str, ...]) -> None:
    scard = Scard()
    scard.names = list(names)
    reader = PcscReader("ACR1252", scard=scard)
    with pytest.raises(ReaderError, match="ACR1252 was not found") as exception_info:
        reader.open()
    assert exception_info.value.fault == "missing"
    reader.close()
    assert scard.contexts == 0


@pytest.mark.parametrize(
    ("where", "code", "fault"),
    [
        ("establish", Scard.SCARD_E_NO_SERVICE, "software"),
        ("establish", Scard.SCARD_W_SECURITY_VIOLATION, "permission"),
        ("list", Scard.SCARD_F_INTERNAL_ERROR, "failed"),
    ],
)
def test_what_the_service_refuses(where: str, code: int, fault: str) -> None:
    scard = Scard()
    scard.fails[where] = code
    reader = PcscReader(scard=scard)
    with pytest.raises(ReaderError) as exception_info:
        reader.open()
    assert exception_info.value.fault == fault
    assert str(exception_info.value).endswith(".")
    reader.close()
    assert scard.contexts == 0


def test_a_chip_held_by_another_program() -> None:
    scard = Scard()
    reader = opened(scard)
    scard.lay(TEMPLE)
    scard.fails["connect"] = Scard.SCARD_E_SHARING_VIOLATION
    with pytest.raises(ReaderError, match="Another program") as exception_info:
        reader.poll()
    assert exception_info.value.fault == "busy"


@pytest.mark.parametrize("where", ["connect", "transmit"])
def test_a_chip_that_leaves_while_it_is_asked(where: str) -> None:
    scard = Scard()
    reader = opened(scard)
    scard.lay(TEMPLE)
    scard.fails[where] = Scard.SCARD_W_REMOVED_CARD
    assert reader.poll() == ()
    scard.fails.clear()
    assert reader.poll() == (TEMPLE,)
    assert scard.cards == 0


def test_a_chip_that_says_nothing() -> None:
    scard = Scard()
    reader = opened(scard)
    scard.flags = Scard.SCARD_STATE_MUTE
    scard.lay(TEMPLE)
    assert reader.poll() == ()
    assert "lay it on again" in str(reader.take_notice())
    assert reader.poll() == ()
    assert reader.take_notice() is None, "it is told once"
    scard.lay(None)
    assert reader.poll() == ()
    scard.lay(CASTLE)
    assert reader.poll() == ()
    assert "lay it on again" in str(reader.take_notice())


def test_a_card_without_an_id_is_told_once() -> None:
    scard = Scard()
    scard.SCardTransmit = lambda card, frame, command: (0, [0x63, 0x00])  # type: ignore[method-assign]
    reader = opened(scard)
    scard.lay(TEMPLE)
    assert [reader.poll(), reader.poll()] == [(), ()]
    assert "tells no id" in str(reader.take_notice())
    assert reader.take_notice() is None


def test_a_chip_that_cannot_be_powered_is_told() -> None:
    scard = Scard()
    scard.fails["connect"] = Scard.SCARD_W_UNPOWERED_CARD
    reader = opened(scard)
    scard.lay(TEMPLE)
    assert reader.poll() == ()
    assert "lay it on again" in str(reader.take_notice())


@pytest.mark.parametrize(
    ("names", "there"),
    [
        ((PICC, SAM), True),
        (("Identiv uTrust 3700 F CL Reader [uTrust 3700 F CL Reader] 00 00",), True),
        (("HID Global OMNIKEY 5022 Smart Card Reader 00 00",), True),
        ((SAM,), False),
        (("Yubico YubiKey OTP+FIDO+CCID 00 00",), False),
        (("Alcor Micro AU9560 00 00",), False),
    ],
)
def test_a_reader_for_chips_is_found_and_a_key_is_none(
    names: tuple[str, ...], there: bool, tmp_path: Path
) -> None:
    socket = tmp_path / "pcscd.comm"
    assert not pcsc_reader_present(Scard(*names), str(socket))  # pcscd does not run
    socket.touch()
    scard = Scard(*names)
    assert pcsc_reader_present(scard, str(socket)) is there
    assert scard.contexts == 0
    scard.fails["list"] = Scard.SCARD_E_NO_SERVICE
    assert not pcsc_reader_present(scard, str(socket))


def test_pulled_and_plugged_in_again(watch: Callable[..., Recorder]) -> None:
    scard = Scard()
    events = watch(PcscReader("ACR1252", scard=scard))
    assert events.wait_for_next() == ReaderConnected("pcsc:ACR1252")
    scard.lay(TEMPLE)
    assert events.wait_for_next() == Tap(TEMPLE)
    scard.names = ["Other"]
    event = events.wait_for_next()
    assert isinstance(event, ReaderDisconnected)
    assert event.fault == "missing"
    scard.names = [PICC.replace("00 00", "01 00")]  # the service numbers it anew
    assert events.wait_for_next() == ReaderConnected("pcsc:ACR1252")
    scard.lay(None)
    assert events.wait_for_next() == Lift(TEMPLE)


def test_polling_a_closed_reader() -> None:
    with pytest.raises(ReaderError):
        PcscReader(scard=Scard()).poll()


def test_a_missing_package_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "smartcard.scard", None)
    with pytest.raises(ReaderError, match="the extra “pcsc”; install it with") as exception_info:
        PcscReader().open()
    assert exception_info.value.fault == "software"
