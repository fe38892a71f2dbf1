"""Chips read and written while the service has the reader: processes over the real driver."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from companion import chips, locations
from tags import ndef
from tags.access import read
from tags.readers.nfcpy_reader import NfcpyReader
from tags.registry import CharacterChip, DistrictChip, Registry
from tags.service.endpoint import Endpoint
from tags.simulator import Faults, SimulatedReader
from tags.simulator.__main__ import text_message
from tests.companion.listening import Listener
from tests.end_to_end.daemons import Program, daemon, learn, serve
from tests.tags.conftest import CASTLE, TEMPLE
from tests.tags.serving import Raw

pytest.importorskip("termios")

OTHER, LAST = bytes.fromhex("04A2B3C4D5E681"), bytes.fromhex("04A2B3C4D5E682")
BUSY = "Another program is at work with the chips on this reader"


def content(simulated: SimulatedReader, uid: bytes) -> bytes:
    """The message on the chip that lies there, read by a driver of the test's own."""
    assert simulated.path is not None
    reader = NfcpyReader(simulated.path)
    reader.open()
    try:
        return read(reader, uid)
    finally:
        reader.close()


def entry(message: bytes) -> str:
    return str(ndef.decode(message, chips.known_cards()))


def test_chips_are_written_through_the_service_and_the_table_is_left_alone(
    simulated: SimulatedReader, place: Endpoint
) -> None:
    learn(TEMPLE, "temple")
    learn(CASTLE, "castle")
    path = serve(simulated)[1]
    with daemon(*serve(simulated)), Raw(place) as client, Listener(reader=path) as table:
        table.hear()
        assert table.process.stderr is not None
        assert b"is ready" in table.process.stderr.readline()
        with Program("tags", "write", "--reader", path) as writing:
            assert BUSY in table.process.stderr.readline().decode()
            writing.until_all("Next: ", "is ready")
            simulated.hold(TEMPLE)
            writing.until("Written: Temple")
            simulated.lift()
        client.until("returned")
        assert b"is ready" in table.process.stderr.readline()
        assert table.tell("score")[0].startswith("Scores")  # nothing was heard of the tap before
        simulated.hold(CASTLE)
        assert "Castle" in "\n".join(table.hear())
        assert table.leave() == 0
    simulated.hold(TEMPLE)
    assert entry(content(simulated, TEMPLE)) == "district temple 1"


def test_a_chip_that_says_what_it_is_has_its_name_for_every_client(
    simulated: SimulatedReader, place: Endpoint
) -> None:
    message = ndef.encode(DistrictChip("temple", 2), "Temple")
    with daemon(*serve(simulated)), Raw(place) as client, Listener(reader="auto") as table:
        table.hear()
        simulated.hold(TEMPLE, message)
        assert client.until("tap")["chip"] == "district temple 2"
        assert "Temple" in "\n".join(table.hear())
        for uid, foreign in ((CASTLE, b""), (OTHER, text_message("hello")), (LAST, b"\xff\x00")):
            simulated.hold(uid, foreign)
            assert client.until("tap")["chip"] is None
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


@pytest.mark.parametrize("exchange", [1, 8, 14, 20])
def test_a_service_killed_while_it_writes_leaves_nothing_half_written(
    simulated: SimulatedReader, place: Endpoint, exchange: int
) -> None:
    learn(TEMPLE, "temple")
    old = ndef.encode(DistrictChip("castle", 1), "Castle")
    simulated.hold(TEMPLE, old)
    simulated.lift()
    path = serve(simulated)[1]
    with (
        daemon(*serve(simulated)) as running,
        Program("tags", "write", "--reader", path) as writing,
    ):
        writing.until_all("Next: ", "is ready")
        simulated.hold(TEMPLE)
        writing.until("says that it is Castle")
        simulated.chip.faults = Killing(
            exchange, lambda: os.kill(running.process.pid, signal.SIGKILL)
        )
        writing.type("yes")
        assert "Lay the chip on once more" in writing.until("Refused: ")
        assert running.process.wait(20) == -signal.SIGKILL
        held = content(simulated, TEMPLE)
        assert held == b"" or entry(held) in ("district castle 1", "district temple 1")
        simulated.lift()
        with daemon(*serve(simulated)), Raw(place) as client:
            (state,) = client.snapshot["readers"]
            there = {"settled": state["settled"], "lent": state["lease"] is not None}
            missing = {kind for kind, is_so in there.items() if not is_so}
            while missing:
                missing.discard(client.read()["type"])
            simulated.hold(TEMPLE)
            if "says that" in writing.until("Written: ", "written already", "says that it is"):
                writing.type("yes")
                writing.until("Written: Temple")
    assert entry(content(simulated, TEMPLE)) == "district temple 1"


def test_a_chip_that_lay_there_before_is_not_written(simulated: SimulatedReader) -> None:
    learn(TEMPLE, "temple")
    simulated.hold(TEMPLE)
    with daemon(*serve(simulated)), Program("tags", "write", *serve(simulated)) as writing:
        assert "lay there before it was asked for" in writing.until("Refused: ")
    assert content(simulated, TEMPLE) == b""


def test_what_lies_there_before_it_is_asked_for_is_not_learned(simulated: SimulatedReader) -> None:
    simulated.hold(TEMPLE)
    with Program("tags", "learn", *serve(simulated)) as learning:
        learning.until("lay there before it was asked for")
        simulated.lift()
        simulated.hold(CASTLE)
        learning.until("Learned: Manor, 1 of 5.")
        simulated.hold(TEMPLE)  # from a stack: the next is on before the last is off
        learning.until("Learned: Manor, 2 of 5.")


def test_a_card_tapped_in_private_reaches_no_other_program(
    simulated: SimulatedReader, place: Endpoint
) -> None:
    path = serve(simulated)[1]
    learned = {OTHER: CharacterChip("king"), LAST: CharacterChip("warlord")}
    mapping = locations.chips_file(locations.data_dir())
    chips.save(mapping, Registry(learned))
    with (
        daemon(*serve(simulated)),
        Raw(place) as client,
        Listener("--secrecy", "secret", reader=path) as table,
    ):
        table.hear()
        table.tell_all("faceup bishop merchant", "call", "reveal Anna")
        client.until("lent")
        simulated.hold(OTHER)
        assert table.hear()[0] == "Anna has named a character."
        client.until("returned")
        simulated.lift()
        table.tell_all("gold", "end")
        simulated.hold(LAST)
        tap = client.until("tap")
        assert tap["uid"] == "04A2B3C4D5E682"
        client.send({"type": "resume", "session": client.hello["session"], "since": 0})
        client.send({"type": "ping", "id": 1})
        lines = [client.read() for _ in range(3)]
        assert OTHER.hex().upper() not in str(lines)
        assert table.leave() == 0
