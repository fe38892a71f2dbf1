"""A game's files are private to its user; files of older versions are made private."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from common import own_files
from companion.files import locations
from tests.companion.listening import OPENING, Listener, companion

pytestmark = [
    pytest.mark.outer,
    pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX"),
]


def wide(folder: Path) -> list[str]:
    """The files in that folder, and the folder itself, that other users may read."""
    return [
        str(path.relative_to(folder))
        for path in (folder, *folder.rglob("*"))
        if stat.S_IMODE(path.lstat().st_mode) & 0o077
    ]


@pytest.fixture
def data() -> Path:
    return Path(locations.data_dir())


def test_others_can_read_nothing_of_a_game_while_it_is_played_and_after(
    data: Path,
) -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell_all(*OPENING, "language fr", "langue en")
        assert [path.name for path in data.glob("games.sqlite3-*")] != []  # its journal, its lock
        assert wide(data) == []
        assert caller.leave() == 0
    assert (data / "games.sqlite3").exists()
    assert wide(data) == []


def test_chips_that_are_learned_are_private_too(data: Path) -> None:
    with Listener(reader="simulated") as caller:
        caller.hear()
        caller.tell_all("tap chip 04a1b2c3d4e5f6", "learn tavern")
        assert caller.leave() == 0
    assert (data / "tags.yaml").exists()
    assert wide(data) == []


def test_what_is_wider_is_narrowed_at_the_next_start(data: Path) -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell(OPENING[0])
        caller.kill()
    (data / "games.sqlite3.backup").write_bytes(b"")
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert companion("record").returncode == 0
    inside = [name for name in wide(data) if name.startswith("games.") and "/" not in name]
    assert inside == []
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_a_folder_that_all_share_or_live_in_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "shared"
    path.mkdir()
    path.chmod(0o1777)
    tmp_path.chmod(0o755)
    for folder in (path, tmp_path):
        before = folder.stat().st_mode
        own_files.narrow(str(folder), locations.GAMES_NAME)
        assert folder.stat().st_mode == before


def test_drafts_of_writers_that_are_gone_are_cleared_at_a_start(data: Path) -> None:
    data.mkdir()
    result = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True
    )
    drafts = [data / f"tags.yaml.{int(result.stdout)}.new", data / f"config.yaml.{10**30}.new"]
    paths = [data / f"tags.yaml.{os.getpid()}.new", data / "notes.new", data / "x.1a.new"]
    for path in (*drafts, *paths):
        path.write_text("")
    assert companion("editions").returncode == 0
    assert not any(path.exists() for path in drafts)
    assert all(path.exists() for path in paths)


def test_a_key_takes_the_place_of_a_link(tmp_path: Path) -> None:
    (tmp_path / "foreign").write_text("one\n")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "foreign")
    own_files.replace(str(link), "two\n", is_key=True)
    assert not link.is_symlink()
    assert link.read_text() == "two\n"
    assert (tmp_path / "foreign").read_text() == "one\n"


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    real = tmp_path / "real"
    own_files.replace(str(real), "one\n")
    link = tmp_path / "link"
    link.symlink_to(real)
    own_files.replace(str(link), "two\n")
    assert link.is_symlink()
    assert real.read_text() == "two\n"
    with pytest.raises(OSError, match="directory") as raised:
        own_files.replace(str(tmp_path), "three\n")
    assert raised.value.filename == str(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]
