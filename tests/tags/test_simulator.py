"""The emulated hardware itself: chips, frames, board, cable and program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from random import Random

import nfc.clf
import nfc.tag
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tags.readers import ReaderError
from tags.readers.nfcpy_open import open_frontend
from tags.readers.nfcpy_reader import NfcpyReader
from tags.readers.roads import parse_place
from tags.readers.simulated import SimulatedReader
from tags.watch import Lift, ReaderConnected, Tap
from tests.rigs import pn532_board as frames
from tests.rigs.antenna import text_message
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.waiting import read_line


def read_text(emulator: EmulatedReader) -> str | None:
    """The chip's first text as read by nfcpy's own tag code, or None."""
    assert emulator.path is not None
    frontend = open_frontend(parse_place(emulator.path))
    try:
        tag = nfc.tag.activate(frontend, frontend.sense(nfc.clf.RemoteTarget("106A")))
        ndef = tag.ndef if tag is not None else None
        return ndef.records[0].text if ndef and ndef.length else None
    finally:
        frontend.close()


@pytest.mark.outer
def test_nfcpy_reads_what_is_on_a_chip_and_it_stays_there(emulator: EmulatedReader) -> None:
    emulator.hold(TEMPLE, text_message("Temple"))
    assert read_text(emulator) == "Temple"
    emulator.hold(CASTLE)
    assert read_text(emulator) is None
    emulator.hold(TEMPLE, text_message("something else"))
    assert read_text(emulator) == "Temple"


@pytest.mark.outer
def test_nfcpy_writes_a_chip_and_reads_it_back(emulator: EmulatedReader) -> None:
    emulator.hold(TEMPLE)
    frontend = open_frontend(parse_place(str(emulator.path)))
    tag = nfc.tag.activate(frontend, frontend.sense(nfc.clf.RemoteTarget("106A")))
    assert tag.product == "NXP NTAG213"
    assert tag.ndef.capacity == 137
    tag.ndef.octets = text_message("Castle")
    frontend.close()
    assert read_text(emulator) == "Castle"


def test_the_simulated_reader_can_be_unplugged() -> None:
    reader = SimulatedReader()
    reader.open()
    reader.hold(TEMPLE)
    assert reader.poll() == (TEMPLE,)
    reader.lift()
    assert reader.poll() == ()
    reader.unplug()
    with pytest.raises(ReaderError, match="unplugged"):
        reader.poll()
    reader.plug()
    reader.open()
    reader.close()


@given(
    st.lists(st.tuples(st.integers(0, 254), st.binary(max_size=263)), max_size=5),
    st.randoms(use_true_random=False),
)
def test_frames_arrive_however_they_are_cut(
    messages: list[tuple[int, bytes]], random: Random
) -> None:
    stream = b"".join(bytes(3) + frames.host_frame(*message) + frames.ACK for message in messages)
    parser, got = frames.FrameParser(), []
    while stream:
        size = random.randint(1, len(stream))
        got += list(parser.feed(stream[:size]))
        stream = stream[size:]
    assert got == [part for message in messages for part in (message, None)]


@pytest.mark.outer
def test_the_program_taps_a_chip_until_it_has_been_seen(
    watch: Callable[..., Recorder],
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.rigs.simulator"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    ) as program:  # fmt: skip
        assert program.stdin is not None
        events = watch(NfcpyReader(read_line(program).strip()))
        events.wait_for(ReaderConnected)
        for uid in (TEMPLE, CASTLE):
            program.stdin.write(f"tap {uid.hex()}\n")
            assert [events.wait_for_next(), events.wait_for_next()] == [Tap(uid), Lift(uid)]
            assert read_line(program).startswith("ok ")
        program.stdin.write("quit\n")


@pytest.mark.outer
def test_the_program_lays_chips_and_answers() -> None:
    lines = f"hold {TEMPLE.hex()} Temple\nlift\nunplug\nplug\nstall\nhold zz\nfly\nquit\n"
    result = subprocess.run(
        [sys.executable, "-m", "tests.rigs.simulator"],
        input=lines, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    path, *answers = result.stdout.splitlines()
    assert not os.path.exists(path)
    assert [answer.partition(" ")[0] for answer in answers] == ["ok"] * 5 + ["error:"] * 2
