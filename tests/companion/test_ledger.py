"""The ledger follows from the log: from older files, after a kill, on a disk that cannot be
written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.history import completing, games
from companion.log.store import Store
from tests.bench.many_games import Random, fill
from tests.companion.past_games import Capture, begin, json_of, lines_of, random_games

NUMBER = 12

TABLES = ("play", "seat", "character", "district")

KILLED = """
import itertools, os, signal
from companion.commands.cli import main
from companion.history import completing
from companion.log import ledger

completing._AT_ONCE, count, put = 5, itertools.count(), ledger.put

def put_or_die(*values):
    if next(count) == 8:
        os.kill(os.getpid(), signal.SIGKILL)
    put(*values)

ledger.put = put_or_die
main(["stats"])
"""


@pytest.fixture
def chances() -> list[Random]:
    return list(random_games(NUMBER))


@pytest.mark.looking_back
def test_a_log_without_a_ledger_is_counted_from_its_moves(
    log: str, chances: list[Random], capsys: Capture
) -> None:
    fill(log, iter(chances))
    target = json_of(capsys, "stats"), json_of(capsys, "history")
    with Store(log) as store, store.database.write() as connection:
        for table in ("ledger", *TABLES):
            connection.execute(f"DROP TABLE {table}")
    assert (json_of(capsys, "stats"), json_of(capsys, "history")) == target


@pytest.mark.outer
@pytest.mark.skipif(sys.platform == "win32", reason="no such kill there")
def test_a_kill_in_the_middle_loses_nothing(
    log: str, chances: list[Random], capsys: Capture
) -> None:
    fill(log, iter(chances), digests=False)
    result = subprocess.run([sys.executable, "-c", KILLED], check=False, capture_output=True)
    assert result.returncode < 0, result.stderr
    with Store(log) as store:
        assert 0 < len(completing.find_missing(store)) < NUMBER
    counted = json_of(capsys, "stats"), json_of(capsys, "history")
    Path(log).unlink()
    fill(log, iter(chances))
    assert counted == (json_of(capsys, "stats"), json_of(capsys, "history"))


@pytest.mark.looking_back
def test_a_log_that_cannot_be_written_is_counted_too(
    log: str, chances: list[Random], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(log, iter(chances[:5]))
    fill(log, iter(chances[5:]), digests=False)
    name = begin(log, "Anna", "Kurt", "Ashley", "Ben")
    copy = f"{log}.copy"
    shutil.copyfile(log, copy)
    expected = json_of(capsys, "stats"), json_of(capsys, "history"), json_of(capsys, "players")
    assert expected[1][0]["game"] == name
    shutil.move(copy, log)

    def refuse(_path: str, _notices: list[str]) -> None:
        raise PermissionError

    before = Path(log).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("companion.log.log_file.open_to_write", refuse)
        for _time in range(2):
            counted = json_of(capsys, "stats"), json_of(capsys, "history")
            assert (*counted, json_of(capsys, "players")) == expected
    assert Path(log).read_bytes() == before


@pytest.mark.looking_back
def test_a_forgotten_name_is_not_in_it(log: str, chances: list[Random], capsys: Capture) -> None:
    fill(log, iter(chances))
    before = json_of(capsys, "history")
    lines_of(capsys, "players", "forget", "Anna")
    with Store(log) as store, store.database.look() as connection:
        shown = "SELECT name FROM person JOIN alias ON person = person.id"
        queries = [shown, *map("SELECT * FROM {}".format, TABLES)]
        cells = [repr(row) for query in queries for row in connection.execute(query)]
    assert not [cell for cell in cells if "anna" in cell.casefold()]
    lines_of(capsys, "players", "undo")
    assert json_of(capsys, "history") == before


def test_figures_do_not_outlive_an_undone_end(log: str, chances: list[Random]) -> None:
    fill(log, iter(chances[:2]))
    with Store(log) as store:
        assert [game.over for game in games.read_all(store)] == [True, True]
        store.append(2, "undo")
        assert completing.find_missing(store) == [2]
        assert [game.over for game in games.read_all(store)] == [False, True]
        rows = store.database.read()
        query = "SELECT game FROM character UNION SELECT game FROM district"
        assert rows.execute(query).fetchall() == [(1,)]
