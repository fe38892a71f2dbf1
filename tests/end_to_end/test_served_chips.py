"""Chips read and written while the service has the reader: processes over the real driver."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from companion import chips
from companion.chips import ndef
from companion.chips.entries import CharacterChip, DistrictChip
from companion.chips.registry import Registry
from companion.files import locations
from tags.access import perform
from tags.readers.nfcpy_reader import NfcpyReader
from tags.service.endpoint import Endpoint
from tests.companion.listening import Listener
from tests.end_to_end.daemons import Daemon, Program, lay, learn, serve, wait_for_polls
from tests.rigs.pn532 import Faults
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE
from tests.tags.serving import Raw

pytestmark = pytest.mark.outer

pytest.importorskip("termios")

OTHER, LAST = bytes.fromhex("04A2B3C4D5E681"), bytes.fromhex("04A2B3C4D5E682")


def content(emulator: EmulatedReader, uid: bytes) -> bytes:
    """The message on the chip there, read by the test's own driver."""
    assert emulator.path is not None
    reader = NfcpyReader(emulator.path)
    reader.open()
    try:
        return perform(reader, "read", uid)
    finally:
        reader.close()


def entry(message: bytes) -> str:
    return str(ndef.decode(message, chips.load_catalogue()))


def test_a_chip_that_says_what_it_is_is_known_through_the_service(
    emulator: EmulatedReader,
) -> None:
    message = ndef.encode(DistrictChip("temple", 2), "Temple")
    with Daemon(*serve(emulator)), Listener(reader="auto") as table:
        table.hear()
        table.hear_aside("is ready")
        lay(emulator, TEMPLE, message)
        assert "Temple" in "\n".join(table.hear())
        assert table.leave() == 0


class Killing(Faults):
    """Calls ``kill`` before the exchange of that number with a chip, counted from now on."""

    def __init__(self, exchanges: int, kill: Callable[[], None]) -> None:
        super().__init__()
        self._left = exchanges
        self._kill = kill

    def chip_dies(self) -> bool:
        self._left -= 1
        if self._left == 0:
            self._kill()
        return super().chip_dies()


def write_temple(emulator: EmulatedReader, writing: Program) -> None:
    """Start writing the temple onto a chip with other content, up to the last question."""
    emulator.lift()
    writing.read_until_all("Next: ", "is ready")
    wait_for_polls(emulator)
    emulator.hold(TEMPLE, ndef.encode(DistrictChip("castle", 1), "Castle"))
    writing.read_until("says it is Castle")


@pytest.mark.parametrize("exchange", [1, 8, 14])
def test_a_program_killed_while_it_writes_leaves_nothing_half_written_and_gives_the_reader_back(
    emulator: EmulatedReader, place: Endpoint, exchange: int
) -> None:
    learn(TEMPLE, "temple")
    path = serve(emulator)[1]
    with Daemon(*serve(emulator)), Raw(place) as client:
        client.wait_until_ready()
        with Program("tags", "write", "--reader", path) as writing:
            write_temple(emulator, writing)
            while not client.read_until("snapshot")["owner"]:
                pass
            emulator.chip.faults = Killing(exchange, writing.process.kill)
            writing.type("yes")
            assert writing.process.wait(60) == -signal.SIGKILL
        while client.read_until("snapshot")["owner"]:
            pass
    emulator.hold(TEMPLE)
    data = content(emulator, TEMPLE)
    assert data == b"" or entry(data) in ("district castle 1", "district temple 1")


def test_a_service_killed_while_it_writes_is_never_called_done_and_the_next_one_is_asked(
    emulator: EmulatedReader,
) -> None:
    learn(TEMPLE, "temple")
    path = serve(emulator)[1]
    with (
        Daemon(*serve(emulator)) as running,
        Program("tags", "write", "--reader", path) as writing,
    ):
        write_temple(emulator, writing)
        emulator.chip.faults = Killing(8, running.process.kill)
        writing.type("yes")
        line = writing.read_until("Refused: ", "Written: ")
        assert (
            line
            == "Refused: The reader service ended before it was done; check what is on the chip."
        )
        writing.read_until("is ready")  # opened by the command itself
        with Daemon(*serve(emulator)):
            writing.read_until("The reader service is now reading")
            writing.read_until("is ready")
            lay(emulator, TEMPLE)
            results = "says it is Castle", "Written: Temple", "already written"
            if results[0] in writing.read_until(*results):
                writing.type("yes")
                writing.read_until("Written: Temple")
    assert entry(content(emulator, TEMPLE)) == "district temple 1"


def test_a_chip_that_lay_there_before_is_not_written(emulator: EmulatedReader) -> None:
    learn(TEMPLE, "temple")
    emulator.hold(TEMPLE)
    with Daemon(*serve(emulator)), Program("tags", "write", *serve(emulator)) as writing:
        assert "was there before you were asked" in writing.read_until("Refused: ")
    assert content(emulator, TEMPLE) == b""


def test_what_lies_there_before_it_is_asked_for_is_not_learned(emulator: EmulatedReader) -> None:
    emulator.hold(TEMPLE)
    with Program("tags", "learn", *serve(emulator)) as learning:
        learning.read_until("was there before you were asked")
        lay(emulator, CASTLE)
        learning.read_until("Learned: Manor, 1 of 5.")
        wait_for_polls(emulator)
        emulator.hold(TEMPLE)  # from a stack: the next is on before the last is off
        learning.read_until("Learned: Manor, 2 of 5.")


def test_a_card_tapped_in_private_reaches_no_other_program(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    path = serve(emulator)[1]
    fields = {OTHER: CharacterChip("king"), LAST: CharacterChip("warlord")}
    mapping = locations.chips_file(locations.data_dir())
    chips.save(mapping, Registry(fields))
    with (
        Daemon(*serve(emulator)),
        Raw(place) as client,
        Listener("--secrecy", "secret", reader=path) as table,
    ):
        table.hear()
        table.tell_all("faceup bishop merchant", "call", "reveal Anna")
        lay(emulator, OTHER)
        assert table.hear()[0] == "Anna has named a character."
        table.tell_all("gold", "end")
        client.send({"type": "ping"})
        told = [client.snapshot]
        while told[-1]["type"] != "pong":
            told.append(client.read())
        assert table.leave() == 0
        while client.read_until("snapshot")["owner"]:
            pass
        lay(emulator, LAST)
        told.append(client.read_until("tap"))
        assert told[-1]["uid"] == "04A2B3C4D5E682"
        assert OTHER.hex().upper() not in str(told)
