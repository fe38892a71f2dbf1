"""Taps from files, pipes and standard input."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tags.chip_lines import LONGEST
from tags.links import format_uid
from tags.readers.file_reader import FileReader
from tags.watch import Lift, ReaderConnected, ReaderDisconnected, ReaderNotice, Tap
from tests.tags.conftest import CASTLE, TEMPLE, Recorder
from tests.waiting import read_line

T, C = format_uid(TEMPLE), format_uid(CASTLE)
Watch = Callable[..., Recorder]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "taps.txt"
    path.touch()
    return path


def add(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def test_taps_holds_and_lifts(script: Path, watch: Watch) -> None:
    add(
        script,
        f"# a deck\n{T}\n\nhold {C}\nhold 04:A2:B3:C4:D5:E6:80\nlift\nwait 1\n{T}\nwait 1\n{T}\n",
    )
    events = watch(FileReader(str(script)), confirm=None)
    assert events.wait_for_next() == ReaderConnected(f"file:{script}")
    expected = [Tap(TEMPLE), Lift(TEMPLE), Tap(CASTLE), Lift(CASTLE), Tap(TEMPLE), Lift(TEMPLE)]
    expected += [Tap(TEMPLE), Lift(TEMPLE)] * 2
    assert [events.wait_for_next() for _ in expected] == expected


def test_a_file_may_grow_and_a_line_comes_in_pieces(script: Path, watch: Watch) -> None:
    events = watch(FileReader(str(script)), confirm=lambda uid: True)
    events.wait_for(ReaderConnected)
    add(script, T[:5])
    add(script, T[5:])
    add(script, "\n")
    assert [events.wait_for_next(), events.wait_for_next()] == [Tap(TEMPLE), Lift(TEMPLE)]


def test_the_same_chip_within_a_second_is_one_touch(script: Path, watch: Watch) -> None:
    add(script, f"{T}\n{T}\nwait 0.5\n{T}\n{C}\n{T}\nwait 1.2\n{T}\n")
    events = watch(FileReader(str(script)), confirm=None)
    events.wait_for(ReaderConnected)
    expected = [Tap(TEMPLE), Lift(TEMPLE), Tap(CASTLE), Lift(CASTLE), Tap(TEMPLE), Lift(TEMPLE)]
    assert [events.wait_for_next() for _ in expected] == expected


def test_what_is_not_understood_is_told_once_a_minute_and_costs_no_tap(script: Path) -> None:
    now = [0.0]
    reader = FileReader(str(script), "left", clock=lambda: now[0])
    reader.open()
    add(script, f"booting\x1b[2J\nstill booting\n{T}\n")
    assert (TEMPLE,) in [reader.poll() for _ in range(4)]
    assert reader.take_notice() == "left sent something that is not understood: booting\ufffd[2J"
    now[0] = 59
    add(script, "again\n")
    reader.poll()
    assert reader.take_notice() is None
    now[0] = 61
    add(script, "and again\n")
    reader.poll()
    assert reader.take_notice() == "left sent something that is not understood: and again"
    reader.close()


def test_a_line_may_name_its_reader(script: Path) -> None:
    middle, anna = FileReader(str(script), "middle"), FileReader(str(script), "Anna")
    for reader in (middle, anna):
        reader.open()
    add(script, f"{T} @anna\n{C}\n{T} @kurt\n")
    polls = [(middle.poll(), anna.poll()) for _ in range(6)]
    assert {chip for pair in polls for chip in pair[0]} == {CASTLE}
    assert {chip for pair in polls for chip in pair[1]} == {TEMPLE}
    assert "@kurt" in (middle.take_notice() or anna.take_notice() or "")
    for reader in (middle, anna):
        reader.close()


def test_without_named_readers_the_word_does_not_matter(script: Path) -> None:
    reader = FileReader(str(script))
    reader.open()
    add(script, f"{T} @kitchen\n")
    assert (TEMPLE,) in [reader.poll() for _ in range(3)]
    reader.close()


def test_a_label_s_name_comes_with_its_chip(script: Path) -> None:
    reader = FileReader(str(script))
    reader.open()
    add(script, "district tavern 3\n")
    chips = next(chips for _ in range(3) if (chips := reader.poll()))
    assert reader.name_of(chips[0]) == "district tavern 3"
    reader.close()


def test_opening_again_goes_on_where_reading_stopped(script: Path) -> None:
    reader = FileReader(str(script))
    add(script, f"hold {T}\n")
    reader.open()
    assert [reader.poll(), reader.poll(), reader.poll()] == [(), (TEMPLE,), (TEMPLE,)]
    reader.close()
    reader.close()
    reader.open()
    add(script, f"hold {C}\n")
    assert [reader.poll(), reader.poll()] == [(CASTLE,), (CASTLE,)]
    reader.close()


def test_another_file_of_the_same_name_is_read_from_its_beginning(script: Path) -> None:
    add(script, "lift\n" * 10)
    reader = FileReader(str(script))
    reader.open()
    reader.poll()
    reader.close()
    other = script.with_name("other")
    other.write_text(f"hold {C}\n", encoding="utf-8")
    other.replace(script)
    reader.open()
    assert (CASTLE,) in [reader.poll() for _ in range(30)]
    reader.close()


def test_a_chip_held_for_one_line_is_seen_and_was_not_found_there(
    script: Path, watch: Watch
) -> None:
    add(script, f"hold {T}\nlift\nrubbish\nhold {C}\nlift\n")
    events = watch(FileReader(str(script)), confirm=lambda uid: True)
    taps = [event for event in [events.wait_for_next() for _ in range(6)] if isinstance(event, Tap)]
    assert [tap.uid for tap in taps] == [TEMPLE, CASTLE]
    assert [tap.found for tap in taps] == [False, False]


def test_a_file_that_is_removed_and_comes_back(script: Path, watch: Watch) -> None:
    events = watch(FileReader(str(script), "anna"))
    assert events.wait_for_next() == ReaderConnected("anna")
    script.unlink()
    lost = events.wait_for_next()
    assert lost == ReaderDisconnected(
        "anna", "There is no tap file anna; create it, or choose another reader.", "missing"
    )
    script.touch()
    assert events.wait_for_next() == ReaderConnected("anna")


def test_all_readers_of_a_source_hear_how_it_ended(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = [FileReader(str(script), name) for name in ("middle", "Anna")]
    for reader in readers:
        reader.open()
    read = "tags.readers.line_sources.TapFile.read"
    monkeypatch.setattr(read, Mock(side_effect=PermissionError(errno.EACCES, "denied")))
    for reader in readers:
        with pytest.raises(PermissionError):
            reader.poll()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):  # which has a cure, in every language
        FileReader(str(tmp_path)).open()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_never_waited_for(tmp_path: Path, watch: Watch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    events = watch(FileReader(str(pipe)))
    events.wait_for(ReaderConnected)
    pipe.write_text(f"{T}\n", encoding="utf-8")
    told = [events.wait_for_next() for _ in range(3)]
    assert [event for event in told if not isinstance(event, ReaderNotice)] == [
        Tap(TEMPLE),
        Lift(TEMPLE),
    ]
    (notice,) = (event.text for event in told if isinstance(event, ReaderNotice))
    assert "has ended" in notice


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_program_started_for_each_chip_is_told_to_have_ended_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = FileReader(str(pipe))
    reader.open()

    def poll(times: int) -> tuple[set[bytes], int]:
        """The chips seen, and how often an end was told."""
        seen = {uid for _ in range(times) for uid in reader.poll()}
        notices = iter(reader.take_notice, None)
        return seen, sum("has ended" in notice for notice in notices)

    pipe.write_text(f"{T}\n", encoding="utf-8")
    assert poll(8) == ({TEMPLE}, 1)
    pipe.write_text(f"{C}\n", encoding="utf-8")
    assert poll(8) == ({CASTLE}, 0)
    lasting = os.open(pipe, os.O_WRONLY)
    assert poll(50) == (set(), 0)
    os.close(lasting)
    assert poll(8) == (set(), 1)
    reader.close()


@pytest.mark.parametrize(
    "written", [T, f"\n{T}\r", f"\x02{T}\r\n\x03", f"\x02{T}\x03", f"uid: {T}"]
)
def test_a_line_ends_with_any_end_or_with_a_pause(script: Path, written: str) -> None:
    reader = FileReader(str(script))
    reader.open()
    for text in (written, written.replace(T, C)):
        add(script, text)
        uid = bytes.fromhex(T if T in text else C)
        assert (uid,) in [reader.poll() for _ in range(16)]
    assert reader.take_notice() is None
    reader.close()


FIRST_OF_STANDARD_INPUT = """
import time
from tags.readers.auto_reader import reader_for
reader = reader_for("file:-")
reader.open()
while not (uids := reader.poll()): time.sleep(0.001)
print(reader.name, uids[0].hex())
"""


@pytest.mark.outer
def test_standard_input() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FIRST_OF_STANDARD_INPUT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        print(T, file=program.stdin, flush=True)
        assert read_line(program) == f"file:- {TEMPLE.hex()}\n"
        assert program.wait(60) == 0  # although its input has not ended


def test_a_line_without_end_does_not_fill_the_memory(script: Path) -> None:
    add(script, "0" * 10 * LONGEST)
    reader = FileReader(str(script))
    reader.open()
    assert not any(reader.poll() for _ in range(3))
    assert "not understood: 000" in (reader.take_notice() or "")
    reader.close()


def test_a_file_that_is_emptied_is_read_from_its_beginning(script: Path) -> None:
    add(script, "# a remark of some length\n")
    reader = FileReader(str(script))
    reader.open()
    reader.poll()
    script.write_text(f"hold {C}\n", encoding="utf-8")
    assert (CASTLE,) in [reader.poll() for _ in range(4)]
    reader.close()


@given(st.binary(max_size=400))
def test_no_bytes_break_it(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "taps"
    path.write_bytes(content)
    reader = FileReader(str(path))
    reader.open()
    for _ in range(3):
        reader.poll()
        assert "\n" not in (reader.take_notice() or "")
    reader.close()
