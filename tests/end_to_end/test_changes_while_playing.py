"""Changes below a running caller: a service that starts, the mapping file, a full disk."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import chips
from companion.chips.entries import DistrictChip
from companion.chips.registry import Registry
from companion.files import locations
from tags.service.endpoint import Endpoint
from tests import needs
from tests.companion.listening import Listener
from tests.end_to_end.daemons import Daemon, lay, learn, serve
from tests.rigs.simulator import EmulatedReader
from tests.tags.conftest import CASTLE, TEMPLE

pytestmark = pytest.mark.outer

pytest.importorskip("termios")


def test_a_service_that_starts_later_gets_the_reader(
    emulator: EmulatedReader, place: Endpoint
) -> None:
    learn(TEMPLE, "temple")
    path = serve(emulator)[1]
    with Listener(reader=path) as table:
        table.hear()
        table.hear_aside("is ready")
        lay(emulator, TEMPLE)
        assert "Temple" in "\n".join(table.hear())
        with Daemon(*serve(emulator)) as running:
            assert "reading" in table.hear_aside("The reader service is now reading")
            table.hear_aside("is ready")
            lay(emulator, TEMPLE)
            assert "Temple" in "\n".join(table.hear())  # only once: the chip there was no new tap
            running.end(signal.SIGTERM)
            table.hear_aside("was stopped")
            table.hear_aside("is ready")
        assert table.leave() == 0


def test_the_mapping_is_read_anew_and_a_broken_one_changes_nothing(
    emulator: EmulatedReader,
) -> None:
    learn(TEMPLE, "temple")
    path = Path(locations.chips_file(locations.data_dir()))
    with Listener(reader=serve(emulator)[1]) as table:
        table.hear()
        table.hear_aside("is ready")
        new_path = path.with_suffix(
            ".new"
        )  # never seen half written, which would be no chips at all
        new_path.write_text("chips: [\n", encoding="utf-8")
        new_path.replace(path)
        text = table.hear_aside("the chips already loaded are used")
        assert text.startswith(f"{path}:")
        lay(emulator, TEMPLE)
        assert "Temple" in "\n".join(table.hear())
        lay(emulator, CASTLE)
        assert table.hear()[0].startswith("Unknown chip")
        name = table.tell("learn castle")[0]
        assert name.startswith(f"Refused: {path}:")
        assert path.read_text(encoding="utf-8") == "chips: [\n"  # the file being edited
        chips.save(str(path), Registry({TEMPLE: DistrictChip("castle")}))
        assert "1 in all" in table.hear_aside("Chips reloaded")
        lay(emulator, TEMPLE)
        assert "Castle" in "\n".join(table.hear())
        assert table.leave() == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a separate, small disk."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    needs.require("util-linux")
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root may mount a small disk")
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this system mounts nothing")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(ballast: Path) -> None:
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1024))


def test_a_full_disk_loses_no_chip(
    emulator: EmulatedReader, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mapping = small_disk / "tags.yaml"
    chips.save(str(mapping), Registry({TEMPLE: DistrictChip("temple")}))
    before = mapping.read_bytes()
    monkeypatch.setenv("COMPANION_CHIPS", str(mapping))
    fill(small_disk / "ballast")
    with Listener(reader=serve(emulator)[1]) as table:
        table.hear()
        lay(emulator, CASTLE)
        assert table.hear()[0].startswith("Unknown chip")
        text = table.tell("learn castle")[0]
        assert text == f"Refused: {mapping}: cannot be saved: the disk is full"
        assert mapping.read_bytes() == before
        assert sorted(os.listdir(small_disk)) == ["ballast", "tags.yaml"]
        os.unlink(small_disk / "ballast")
        assert "is now: Castle" in table.tell("learn castle")[0]
        assert table.leave() == 0
