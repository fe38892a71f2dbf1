"""Players' own readers in the line caller: files of taps, one per seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import chips
from companion.chips.entries import CharacterChip
from companion.chips.registry import Registry
from companion.files import locations
from tags.links import format_uid
from tests.companion.listening import Listener
from tests.tags.conftest import CASTLE, TEMPLE

pytestmark = pytest.mark.outer


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file of taps at the seat of each of the first two players."""
    fields = {name: tmp_path / name for name in ("anna", "kurt")}
    for file in fields.values():
        file.touch()
    settings = "".join(
        f"  {name}: {{path: 'file:{file}', seat: {seat}}}\n"
        for seat, (name, file) in enumerate(fields.items(), start=1)
    )
    path = Path(locations.user_config())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"readers:\n{settings}", encoding="utf-8")
    return fields


def tap(file: Path, uid: bytes) -> None:
    with file.open("a", encoding="utf-8") as script:
        script.write(f"{format_uid(uid)}\n")


def test_a_tap_at_the_own_reader_is_that_players(files: dict[str, Path]) -> None:
    new_registry = Registry({TEMPLE: CharacterChip("assassin"), CASTLE: CharacterChip("king")})
    chips.save(locations.chips_file(locations.data_dir()), new_registry)
    with Listener(reader=None) as table:
        table.hear()
        table.tell("faceup bishop merchant")
        table.tell("call")
        tap(files["anna"], TEMPLE)
        assert "Anna" in table.hear()[0]
        tap(files["kurt"], CASTLE)
        lines = table.hear()
        assert lines[0] == "Refused: Kurt tapped out of turn; nothing changed."
        assert lines[-1].startswith("Anna. ")
        tap(files["anna"], CASTLE)
        assert "King" in table.hear()[0]
        assert table.leave() == 0
