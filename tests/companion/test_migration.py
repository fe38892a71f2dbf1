"""A log of format 1 is renewed when it is opened: nothing that it tells changes.

`earlier/format1.zip` is a table of the version before: games that are over, running, undone and
imported, notes and a told hand; players renamed, merged, split, forgotten; a game left out. Beside
it is what that version told of it, also after `players undo`.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.files import locations
from companion.log import StoreError, log_file
from companion.log.store import Store
from tests.companion.past_games import Capture, json_of, lines_of, remove

OLD = Path(__file__).with_name("earlier") / "format1.zip"

KILLED = """
import os, signal, sys
from companion.commands.cli import main
from companion.log import migration

setattr(migration, sys.argv[1], lambda *_values: os.kill(os.getpid(), signal.SIGKILL))
main(["stats"])
"""


@pytest.fixture
def table() -> Path:
    """The folder of that table."""
    folder = Path(locations.data_dir())
    with zipfile.ZipFile(OLD) as file:
        file.extractall(folder)
    return folder


def read_told(table: Path, name: str) -> Any:
    told = json.loads((table / name).read_text(encoding="utf-8"))
    if name.startswith("told"):  # of one game only the end was noted: it counted as a round then
        noted = told["history"][0]
        assert noted["rounds"] == 1
        noted["rounds"] = None
        told["stats"]["editions"]["classic_2016"]["rounds"] = 7.5
    del told["season"]["best"]  # there could be a league in which only the best games counted
    for row in told["season"]["players"]:
        del row["counted"]
    return told


def tell(capsys: Capture) -> dict[str, Any]:
    told = {word: json_of(capsys, word) for word in ("history", "stats", "players", "season")}
    records = {}
    for game in told["history"]:
        assert main(["record", game["game"]]) == 0
        records[game["game"]] = capsys.readouterr().out
    return {**told, "records": records}


def read_rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        tables = ("events", "hands", "left_out", "imports")
        queries = ("PRAGMA user_version", *map("SELECT * FROM {}".format, tables))
        return [connection.execute(query).fetchall() for query in queries]


@pytest.mark.looking_back
def test_everything_is_told_as_before(table: Path, capsys: Capture) -> None:
    before = read_rows(table / "games.sqlite3")
    assert tell(capsys) == read_told(table, "told.json")
    assert read_rows(table / "games.sqlite3.format1") == before
    after = read_rows(table / "games.sqlite3")
    assert (after[0], after[1:]) == ([(2,)], before[1:])
    lines_of(capsys, "players", "undo")
    assert tell(capsys) == read_told(table, "told_undone.json")
    assert main(["players", "undo"]) == 2


@pytest.mark.looking_back
def test_games_go_on_and_are_shared(
    table: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (running,) = [game for game in json_of(capsys, "history") if game["winners"] is None]
    with Store(str(table / "games.sqlite3")) as store:
        game = store.find(running["game"])
        assert game is not None
        assert store.list_hands(game)
        uuid = store.load(game).uuid
        store.append(game, "move", "nobody")
        assert store.load(game).uuid == uuid
    there = json_of(capsys, "stats")
    lines_of(capsys, "export", str(home / "all.citadels"))
    monkeypatch.setenv("COMPANION_DATA", str(home / "there"))
    lines_of(capsys, "import", str(home / "all.citadels"))
    assert json_of(capsys, "stats")["games"] == there["games"] + 1  # one was left out there


@pytest.mark.outer
@pytest.mark.skipif(sys.platform == "win32", reason="no such kill there")
@pytest.mark.parametrize("when", ["upgrade", "_sit"])
def test_a_kill_in_the_middle_loses_nothing(table: Path, when: str, capsys: Capture) -> None:
    before = read_rows(table / "games.sqlite3")
    result = subprocess.run([sys.executable, "-c", KILLED, when], check=False, capture_output=True)
    assert result.returncode < 0, result.stderr
    assert read_rows(table / "games.sqlite3") == before
    assert tell(capsys) == read_told(table, "told.json")


@pytest.mark.looking_back
def test_a_game_that_is_removed_stays_in_no_copy(
    table: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [game["game"] for game in json_of(capsys, "history")]
    assert (table / "games.sqlite3.format1").exists()
    remove(capsys, monkeypatch, names[0])
    assert not (table / "games.sqlite3.format1").exists()
    assert [game["game"] for game in json_of(capsys, "history")] == names[1:]


@pytest.mark.looking_back
def test_on_a_disk_that_cannot_be_written_it_is_read_all_the_same(
    table: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: str, _notices: list[str]) -> None:
        raise PermissionError

    before = (table / "games.sqlite3").read_bytes()
    monkeypatch.setattr(log_file, "open_to_write", refuse)
    assert tell(capsys) == read_told(table, "told.json")
    assert (table / "games.sqlite3").read_bytes() == before


def test_after_a_failure_it_is_opened_again(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: str) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with Store(str(table / "games.sqlite3")) as store:
        with monkeypatch.context() as failing:
            failing.setattr(log_file, "open_copy", fail)
            with pytest.raises(StoreError):
                store.games()
        assert store.games()


@pytest.mark.looking_back
def test_a_copy_of_that_format_is_read_back(table: Path, capsys: Capture) -> None:
    shutil.move(table / "games.sqlite3", table / "games.sqlite3.backup")
    assert tell(capsys) == read_told(table, "told.json")


def test_games_that_only_such_a_copy_has_are_read_back(table: Path, capsys: Capture) -> None:
    path = table / "games.sqlite3"
    shutil.copy(path, f"{path}.backup")
    with Store(str(path)) as store, store.database.write() as connection:
        connection.execute("DROP TRIGGER events_remain")
        connection.execute("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")
        connection.execute(log_file.EVENTS_REMAIN)
    with Store(str(path)) as store:
        store.copy()
    events, then = (read_rows(file)[1] for file in (path, Path(f"{path}.format1")))
    assert [event[1:] for event in events] == [event[1:] for event in then]
