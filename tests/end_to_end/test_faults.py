"""Faulty disks, folders, clocks and files: a sentence, and nothing lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion import chips
from companion.chips.entries import DistrictChip
from companion.files import locations
from companion.log.store import Store
from tests import needs
from tests.companion.listening import NEW, OPENING, Listener, companion, record_moves
from tests.end_to_end.daemons import Program
from tests.rigs.kept_chips import FILE
from tests.starting import ROOT

pytestmark = pytest.mark.outer


@pytest.fixture
def data() -> Path:
    return Path(locations.data_dir())


def _play(*lines: str) -> None:
    result = companion("play", "--plain", "--reader", "none", *NEW, stdin="\n".join(lines) + "\n")
    assert result.returncode == 0, result.stderr


# -- disks ----------------------------------------------------------------------------------

READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
MAY_MOUNT = (
    not needs.find_missing(["util-linux"])
    and subprocess.run(
        ["unshare", "-rm", "sh", "-c", READ_ONLY, os.path.dirname(__file__), "true"],
        capture_output=True,
    ).returncode
    == 0
)


@pytest.mark.needs("util-linux")
@pytest.mark.skipif(not MAY_MOUNT, reason="nothing can be mounted here")
@pytest.mark.parametrize("left", ["closed", "killed"])
def test_reading_needs_no_writing(data: Path, left: str) -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell_all(*OPENING)
        if left == "killed":
            caller.kill()  # its journal stays
        else:
            assert caller.leave() == 0
    for words in (["record"], ["score"]):
        result = subprocess.run(
            ["unshare", "-rm", "sh", "-c", READ_ONLY, str(data),
             sys.executable, "-m", "companion", *words],
            cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        assert "Traceback" not in result.stderr
        if words == ["record"]:
            assert "build temple" in result.stdout


@pytest.mark.needs("util-linux")
@pytest.mark.skipif(not MAY_MOUNT, reason="nothing can be mounted here")
def test_a_disk_that_takes_nothing_says_so(data: Path) -> None:
    _play(*OPENING)
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", READ_ONLY, str(data),
         sys.executable, "-m", "companion", "play", "--plain", "--reader", "none", "--resume"],
        cwd=ROOT, capture_output=True, text=True, input="",
    )  # fmt: skip
    assert result.returncode == 2
    assert "this disk is read-only" in result.stderr
    assert len(result.stderr.splitlines()) == 1


NO_SHARED_MEMORY = """
import sqlite3, sys
from companion.log import log_file
connect = log_file._connect

class Without(sqlite3.Connection):
    newer = True
    def execute(self, words, *given):
        if "journal_mode" in words:
            Without.newer = "WAL" in words
        if Without.newer and "application_id" in words and log_file.tried:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = "SQLITE_IOERR_SHMMAP"
            raise error
        log_file.tried = log_file.tried or "WAL" in words
        return super().execute(words, *given)

log_file.tried = False
given = sqlite3.connect
sqlite3.connect = lambda *words, **more: given(*words, **{**more, "factory": Without})
"""


def test_without_shared_memory_the_older_journal_serves(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_SHARED_MEMORY)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    _play(*OPENING)
    monkeypatch.delenv("PYTHONPATH")
    rows = sqlite3.connect(data / "games.sqlite3")
    assert rows.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    rows.close()
    assert record_moves() == [*OPENING]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter any folder")
def test_a_folder_that_may_not_be_entered_is_not_an_empty_one(data: Path) -> None:
    _play(*OPENING)
    data.chmod(0)
    result = companion("record")
    data.chmod(0o700)
    assert result.returncode == 2
    assert "permission denied" in result.stderr


def test_a_folder_in_the_place_of_the_log_is_told(data: Path) -> None:
    (data / "games.sqlite3").mkdir(parents=True)
    result = companion("record")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1


def test_nested_settings_beside_the_log_are_forgotten(data: Path) -> None:
    _play(*OPENING)
    (data / "games.sqlite3-settings.json").write_text("[" * 100_000)
    with Listener("--resume", new=False) as caller:
        caller.hear()
        assert caller.tell("language fr")
        assert caller.leave() == 0
        assert "Traceback" not in caller.read_errors()


# -- where and when -------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="a folder in use cannot be removed there")
@pytest.mark.parametrize("words", [["record"], ["editions"], ["replay", "here.yaml"], ["score"]])
def test_a_working_folder_that_is_gone(words: list[str]) -> None:
    _play(*OPENING)
    code = (
        "import os, sys, tempfile; import companion.commands.cli;"
        "folder = tempfile.mkdtemp(); os.chdir(folder); os.rmdir(folder);"
        "sys.exit(companion.commands.cli.main())"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True
    )
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) <= 1
    assert result.returncode in (0, 2)


@pytest.mark.parametrize("zone", ["/dev/null", "Nowhere/Nothing", "\x01", ":" * 4000, "A-99:99"])
def test_a_broken_time_zone_stops_nothing(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    _play(*OPENING)
    with Listener("--resume", new=False) as caller:
        caller.hear()
        assert caller.tell("games")[0] == "1 saved game."
        assert caller.leave() == 0
        assert "Traceback" not in caller.read_errors()


@pytest.mark.parametrize("at", ["8364-01-01T00:00:00.000+00:00", "+12026-01-01", "0000", "x", ""])
def test_a_strange_date_leaves_the_games_readable(data: Path, at: str) -> None:
    _play(*OPENING)
    rows = sqlite3.connect(data / "games.sqlite3")
    rows.execute("DROP TRIGGER events_stay")
    rows.execute("UPDATE events SET at = ?", (at,))
    rows.commit()
    rows.close()
    assert record_moves() == [*OPENING]
    with Listener("--resume", new=False) as caller:
        caller.hear()
        caller.tell("games")
        assert caller.leave() == 0
        assert "Traceback" not in caller.read_errors()


STRANGE_CLOCK = """
import datetime

class Strange(datetime.datetime):
    @classmethod
    def now(cls, zone=None):
        return datetime.datetime({year}, 12, 31, 23, 59, tzinfo=zone)

import companion.log.store
companion.log.store.datetime = Strange
"""


@pytest.mark.parametrize("year", [1, 1969, 8364, 9999])
def test_a_strange_year_stops_nothing(
    year: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(STRANGE_CLOCK.format(year=year))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    _play(*OPENING)
    assert record_moves() == [*OPENING]


# -- chips ----------------------------------------------------------------------------------

REMARKS = """# The deck of the club, in the blue box.
chips:
  # bought in 2024
  04A2B3C4D5E680: district temple   # a bent corner
  "04:A2:B3:C4:D5:E6:81": character king  # was the bishop
# the rest is still to come
references:
  1: [keep, library]
"""


def test_learning_copies_what_people_wrote_once_and_says_so(data: Path) -> None:
    data.mkdir()
    path, copy = data / "tags.yaml", data / "tags.yaml.before"
    path.write_text(REMARKS)
    with Listener(reader="simulated") as caller:
        caller.hear()
        caller.tell_all("tap chip 04a1b2c3d4e5f6", "learn tavern")
        caller.hear_aside("the file as it was is")
        caller.tell_all("tap chip 04a1b2c3d4e5f7", "learn keep")
        assert caller.leave() == 0
        assert "as it was" not in caller.read_errors()
    assert copy.read_text() == REMARKS
    registry = chips.load(str(path))
    assert registry.lookup(bytes.fromhex("04A1B2C3D4E5F6")) == DistrictChip("tavern")
    assert registry.lookup(bytes.fromhex("04A2B3C4D5E680")) == DistrictChip("temple")
    assert registry.references == {1: ("keep", "library")}
    path.write_text(REMARKS + "# more\n")
    assert chips.save(str(path), registry) == "", "the first copy stays"
    assert copy.read_text() == REMARKS


def test_written_is_said_after_it_is_kept(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FILE, str(tmp_path / "chips.json"))
    data.mkdir(mode=0o700)
    with Program("tags", "write", "--reader", "simulated") as writing:
        writing.read_until("Next: ")
        (data / "tags.yaml").mkdir()  # nothing can be saved there now
        writing.type("tap chip 04a1b2c3d4e5f6")
        assert "tags.yaml" in writing.read_until("Refused: ", "Written: ")


def test_a_copy_of_the_log_made_while_it_is_closed_is_whole(data: Path, tmp_path: Path) -> None:
    _play(*OPENING)
    copy = tmp_path / "copy.sqlite3"
    shutil.copyfile(data / "games.sqlite3", copy)
    with Store(str(copy)) as store:
        assert store.load(1).moves == [*OPENING]
