"""Chips read, written, erased and locked through PC/SC, lifted at every exchange."""

from __future__ import annotations

from typing import Any

import pytest

from tags import access
from tags.readers import ReaderError
from tags.readers.pcsc_reader import PcscReader
from tests.rigs.chips import NTAG213, NTAG215, NTAG216, Model, Ntag
from tests.tags.conftest import CASTLE, TEMPLE
from tests.tags.emulated_pcsc import BY_SAK_08, CHIP_CARD, CLASSIC, ULTRALIGHT, Firmware, Way
from tests.tags.test_access import fault, whole
from tests.tags.test_pcsc import Scard

OLD = bytes.fromhex("D1010A5402656E") + b"crown 1"
NEW = bytes.fromhex("D101195402656E") + b"district temple number 2"


class Chips(Scard):
    """A replacement for pyscard over the emulated reader; counts unreleased resources."""

    SCARD_RESET_CARD = 1

    def __init__(self, firmware: Firmware) -> None:
        super().__init__()
        self.firmware = firmware
        self.transactions = 0

    def SCardConnect(self, context: Any, name: str, mode: int, protocols: int) -> Any:
        if self.firmware.chip is None:
            return self.SCARD_E_NO_SMARTCARD, None, 0
        self.firmware.reset()
        return super().SCardConnect(context, name, mode, protocols)

    def SCardReconnect(self, card: Any, mode: int, protocol: int, how: int) -> tuple[int, int]:
        assert how == self.SCARD_RESET_CARD
        self.firmware.reset()
        return self._gone(), protocol

    def SCardStatus(self, card: Any) -> tuple[int, str, int, int, list[int]]:
        return self._gone(), self.names[0], 0, self.SCARD_PROTOCOL_T1, list(self.firmware.atr)

    def SCardBeginTransaction(self, card: Any) -> int:
        self.transactions += not self._gone()
        return self._gone()

    def SCardEndTransaction(self, card: Any, how: int) -> int:
        self.transactions -= 1
        return self._gone()

    def SCardTransmit(self, card: Any, frame: str, command: list[int]) -> tuple[int, list[int]]:
        if self._gone() or self._fail("transmit"):
            return self._gone() or self._fail("transmit"), []
        return 0, list(self.firmware.answer(bytes(command)))

    def _gone(self) -> int:
        return self.SCARD_W_REMOVED_CARD if self.firmware.chip is None else 0


class Table:
    """An open reader with the emulation behind it."""

    def __init__(self, way: Way = "transparent") -> None:
        self.firmware = Firmware(way=way)
        self.scard = Chips(self.firmware)
        self.reader = PcscReader(scard=self.scard)
        self.reader.open()

    def lay(self, ndef: bytes | None = b"", model: Model = NTAG213) -> Ntag:
        self.firmware.chip = chip = Ntag(TEMPLE, ndef, model)
        return chip


@pytest.fixture(params=["transparent", "direct"])
def table(request: pytest.FixtureRequest) -> Table:
    return Table(request.param)


@pytest.mark.parametrize("model", [NTAG213, NTAG215, NTAG216], ids=lambda model: model.name)
def test_a_chip_is_written_read_locked_and_left_to_others(table: Table, model: Model) -> None:
    chip = table.lay(OLD, model)
    for message in (NEW, b"", bytes(137), OLD):
        access.perform(table.reader, "write", TEMPLE, message)
        assert access.perform(table.reader, "read", TEMPLE) == message
    access.perform(table.reader, "erase", TEMPLE)
    assert access.perform(table.reader, "read", TEMPLE) == b""
    assert b"crown" not in bytes(chip.memory)
    access.perform(table.reader, "write", TEMPLE, NEW)
    access.perform(table.reader, "lock", TEMPLE)
    access.perform(table.reader, "lock", TEMPLE)
    assert all(chip._is_locked(page) for page in range(3, model.config_page - 1))
    assert all(chip._is_locked(page) for page in range(model.config_page, model.config_page + 2))
    assert fault(lambda: access.perform(table.reader, "write", TEMPLE, OLD)) == "locked"
    assert access.perform(table.reader, "read", TEMPLE) == NEW
    assert (table.scard.cards, table.scard.transactions) == (0, 0)


def test_a_chip_lifted_at_any_exchange_of_a_write_is_whole_or_empty(table: Table) -> None:
    for exchanges in range(200):
        chip = table.lay(OLD)
        table.firmware.dies_after = exchanges
        if whole(lambda: access.perform(table.reader, "write", TEMPLE, NEW)):
            break
        table.firmware.chip = chip
        assert access.perform(table.reader, "read", TEMPLE) in (OLD, b"", NEW)
        access.perform(table.reader, "write", TEMPLE, NEW)
        assert access.perform(table.reader, "read", TEMPLE) == NEW
    assert exchanges > 5
    assert (table.scard.cards, table.scard.transactions) == (0, 0)


def test_a_lock_broken_off_at_any_exchange_can_be_finished(table: Table) -> None:
    for exchanges in range(100):
        chip = table.lay(NEW)
        table.firmware.dies_after = exchanges
        if whole(lambda: access.perform(table.reader, "lock", TEMPLE)):
            break
        table.firmware.chip = chip
        access.perform(table.reader, "lock", TEMPLE)
        assert access.perform(table.reader, "read", TEMPLE) == NEW
    assert exchanges > 3


def test_one_lost_exchange_is_no_refusal(table: Table) -> None:
    table.lay(OLD)
    access.perform(table.reader, "write", TEMPLE, NEW)
    total = table.firmware.exchanges
    for count in range(total):
        table.lay(OLD)
        before = table.firmware.exchanges
        transmit = table.firmware.answer

        def answer(command: bytes, at: int = before + count) -> bytes:
            table.firmware.deaf = int(table.firmware.exchanges == at)
            return transmit(command)  # noqa: B023  # called before the next turn of the loop

        table.scard.firmware.answer = answer  # type: ignore[method-assign]
        access.perform(table.reader, "write", TEMPLE, NEW)
        table.scard.firmware.answer = transmit  # type: ignore[method-assign]
        assert access.perform(table.reader, "read", TEMPLE) == NEW


def test_a_chip_behind_a_password_says_so(table: Table) -> None:
    chip = table.lay(OLD)
    chip.memory[NTAG213.config_page * 4 + 3] = 0  # from page 0 on, also for reading
    chip.memory[NTAG213.config_page * 4 + 4] = 0x80
    assert fault(lambda: access.perform(table.reader, "read", TEMPLE)) in (
        "protected",
        "unsupported",
    )


def test_a_reader_that_passes_on_no_other_command_locks_nothing() -> None:
    table = Table("none")
    chip = table.lay(OLD)
    access.perform(table.reader, "write", TEMPLE, NEW)
    before = bytes(chip.memory)
    assert fault(lambda: access.perform(table.reader, "lock", TEMPLE)) == "unpassed"
    assert bytes(chip.memory) == before


def test_a_reader_that_tells_only_ids_says_so() -> None:
    table = Table()
    table.lay(OLD)
    table.firmware.memory = False
    assert fault(lambda: access.perform(table.reader, "read", TEMPLE)) == "reader"


@pytest.mark.parametrize("atr", [CLASSIC, BY_SAK_08, CHIP_CARD], ids=bytes.hex)
def test_chips_of_other_kinds_are_not_touched(table: Table, atr: bytes) -> None:
    table.lay(OLD)
    table.firmware.atr = atr
    assert fault(lambda: access.perform(table.reader, "write", TEMPLE, NEW)) == "unsupported"
    assert table.firmware.exchanges == 0
    assert (table.scard.cards, table.scard.transactions) == (0, 0)


def test_only_the_chip_that_is_meant_is_touched(table: Table) -> None:
    chip = table.lay(OLD)
    before = bytes(chip.memory)
    assert fault(lambda: access.perform(table.reader, "write", CASTLE, NEW)) == "lifted"
    assert bytes(chip.memory) == before
    table.firmware.chip = None
    assert fault(lambda: access.perform(table.reader, "read", TEMPLE)) == "lifted"


def test_a_service_that_ends_meanwhile_is_a_reader_that_is_gone(table: Table) -> None:
    table.lay(OLD)
    table.scard.fails["transmit"] = Scard.SCARD_E_NO_SERVICE
    with pytest.raises(ReaderError):
        access.perform(table.reader, "read", TEMPLE)
    assert (table.scard.contexts, table.scard.cards, table.scard.transactions) == (0, 0, 0)
    with pytest.raises(ReaderError):
        access.perform(table.reader, "read", TEMPLE)


@pytest.mark.parametrize(
    ("atr", "kind"),
    [
        (ULTRALIGHT, None),
        (CLASSIC, None),  # its id can be learned
        (CHIP_CARD, "iso-dep"),
        (bytes.fromhex("3B8F8001804F0CA0000003061100 3B0000000042"), "felica"),
        (bytes.fromhex("3B8F8001804F0CA0000003060700000000000000"), "type b"),
    ],
)
def test_the_kind_of_a_card_that_cannot_be_used_is_told(
    table: Table, atr: bytes, kind: str | None
) -> None:
    table.lay()
    table.scard.lay(TEMPLE)
    table.firmware.atr = atr
    (uid,) = table.reader.poll()
    assert table.reader.find_kind(uid) == kind
