"""The simulated reader, and the emulated hardware as a program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from tags.readers import ReaderError
from tags.readers.nfcpy_reader import NfcpyReader
from tags.readers.simulated import SimulatedReader
from tags.watch import Lift, ReaderConnected, Tap
from tests.rigs.antenna import DirectReader, Hand
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.waiting import PATIENCE, read_line, wait_until


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


def _have_polled(polls: dict[Hand, int]) -> bool:
    return all(reader.sightings >= count for reader, count in polls.items())


@pytest.mark.outer
def test_200_touches_are_the_same_with_and_without_a_bus(
    emulator: EmulatedReader, watch: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    # on a busy machine the emulated board may answer late, which is another test's subject
    monkeypatch.setattr("tags.readers.nfcpy_serial._KNOWN_PATIENCE", PATIENCE)
    direct = DirectReader()
    readers: tuple[Hand, ...] = (emulator, direct)
    recorders = [watch(emulator.reader(), dropout=0), watch(direct, dropout=0)]
    for recorder in recorders:
        recorder.wait_for(ReaderConnected)
    random = Random(200)
    uids = [bytes((4, 1, 2, 3, 4, 5, number)) for number in range(8)]
    uids += [bytes.fromhex("01020304"), bytes.fromhex("01020304050607080910")]
    lying: bytes | None = None
    for _ in range(200):
        uid = random.choice(uids)
        data = lying if lying is not None and random.random() < 0.5 else None
        for reader, recorder in zip(readers, recorders, strict=True):
            if lying is not None and data is None:
                reader.lift()
                assert recorder.wait_for_next() == Lift(lying)
            reader.hold(uid)
        if uid == data:
            continue  # the same chip stays
        lying = uid
        touches = [{Tap(uid)} | ({Lift(data)} if data else set())] * 2
        assert [
            {recorder.wait_for_next() for _ in told}
            for recorder, told in zip(recorders, touches, strict=True)
        ] == touches
        # so many polls after it was replaced, a chip is gone
        polls = {reader: reader.sightings + 3 for reader in readers}
        wait_until(partial(_have_polled, polls), 0.001)
