"""The simulated reader's chips, kept in a file from one start of the program to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tags.simulator import SimulatedReader
from tags.simulator.chips import NTAG213, PAGE, Ntag

UID = bytes.fromhex("04A2B3C4D5E680")
OTHER = bytes.fromhex("04A2B3C4D5E681")
PAGE_5 = 5 * PAGE


def written(path: Path, uid: bytes, data: bytes) -> None:
    """Write a page of a chip like a driver, in a separate process."""
    with SimulatedReader(kept=str(path)) as reader:
        reader.hold(uid)
        chip = reader.antenna.field[0]
        chip.select()
        assert chip.command(b"\xa2\x05" + data) == b"\x0a"
        reader.lift()


def held(path: Path, uid: bytes) -> bytes:
    with SimulatedReader(kept=str(path)) as reader:
        reader.hold(uid)
        chip = reader.antenna.field[0]
        assert isinstance(chip, Ntag)
        return bytes(chip.memory)


def test_what_was_written_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "chips.json"
    written(path, UID, b"abcd")
    written(path, OTHER, b"efgh")
    assert held(path, UID)[PAGE_5 : PAGE_5 + PAGE] == b"abcd"
    assert held(path, OTHER)[PAGE_5 : PAGE_5 + PAGE] == b"efgh"
    assert len(held(path, UID)) == NTAG213.pages * PAGE
    assert [file.name for file in path.parent.iterdir()] == ["chips.json"]


def test_chips_that_nobody_changed_leave_no_file(tmp_path: Path) -> None:
    path = tmp_path / "chips.json"
    assert held(path, UID) == bytes(Ntag(UID).memory)
    assert not path.exists()


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{", b'{"04": "00"}', b'{"04A2B3C4D5E680": "zz"}', b"\xff", b"[" * 99999,
             b'{"04A2B3C4D5E680": "00"}', b'{"12345678": ""}', b'{"04A2B3C4D5E680": null}'],
)  # fmt: skip
def test_another_file_is_refused_in_one_sentence_and_kept(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "chips.json"
    path.write_bytes(text)
    with pytest.raises(ValueError, match="not a file of simulated chips") as error:
        SimulatedReader(kept=str(path))
    assert len(str(error.value).splitlines()) == 1
    assert path.read_bytes() == text
