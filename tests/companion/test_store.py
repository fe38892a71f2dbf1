"""The log of games: nothing acknowledged is lost, writes are atomic, errors have sentences."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.log.store import GameOpenElsewhere, Kind, Store, StoreError
from tests.waiting import PATIENCE, read_line

SETUP = {"edition": "classic_2016", "players": ["Анна", "Kurt [b]"], "crown": "Kurt [b]"}


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "table" / "games.sqlite3")


@pytest.fixture
def store(path: str) -> Iterator[Store]:
    with Store(path) as store:
        yield store


def test_looking_makes_no_file(store: Store) -> None:
    assert store.games() == []
    assert store.find_last_game() is None
    assert store.find("2026-11-21-1") is None
    with pytest.raises(KeyError):
        store.load(1)
    assert not os.path.exists(os.path.dirname(store.path))


def test_a_game_is_read_back_as_it_was_written(store: Store) -> None:
    game = store.begin_game(SETUP)
    for move in ("faceup bishop", "call", 'reveal "Kurt [b]"'):
        store.append(game, "move", move)
    store.append(game, "undo")
    store.append(game, "undo")
    store.append(game, "redo")
    with Store(store.path) as other:
        log = other.load(game)
    assert log.setup == SETUP
    assert log.moves == ["faceup bishop", "call"]
    assert log.redo == ['reveal "Kurt [b]"']
    assert not log.finished


def test_a_game_keeps_its_uuid(store: Store, tmp_path: Path) -> None:
    game, other = store.begin_game(SETUP), store.begin_game(SETUP)
    log = store.load(game)
    assert uuid.UUID(log.uuid) != uuid.UUID(store.load(other).uuid)
    with Store(str(tmp_path / "another.sqlite3")) as anew:
        assert anew.write_again(log, []).uuid == log.uuid


def test_what_makes_no_sense_is_not_written(store: Store) -> None:
    game = store.begin_game(SETUP)
    wrong: list[tuple[Kind, str]] = [("undo", ""), ("redo", ""), ("move", ""), ("undo", "gold")]
    for kind, text in wrong:
        with pytest.raises(ValueError, match=r"nothing to|a move has text"):
            store.append(game, kind, text)
    with pytest.raises(StoreError, match="there is no such game"):
        store.append(game + 1, "move", "gold")
    assert store.load(game).moves == []
    store.append(game, "move", "gold")


@example(["move", "undo", "move", "redo"])
@given(st.lists(st.sampled_from(["move", "undo", "redo", "finish"]), max_size=30))
def test_the_log_agrees_with_two_stacks(kinds: list[Kind | Literal["finish"]]) -> None:
    moves: list[str] = []
    redo: list[str] = []
    finished = False
    with Store(":memory:") as store:
        # one connection, so memory serves as the file
        game = store.begin_game({})
        for number, kind in enumerate(kinds):
            if kind == "finish":
                store.finish(game)
                finished = True
                continue
            possible = {"move": True, "undo": bool(moves), "redo": bool(redo)}[kind]
            if not possible:
                with pytest.raises(ValueError, match="nothing to"):
                    store.append(game, kind)
                continue
            store.append(game, kind, str(number) if kind == "move" else "")
            finished = False
            if kind == "move":
                moves.append(str(number))
                redo.clear()
            elif kind == "undo":
                redo.append(moves.pop())
            else:
                moves.append(redo.pop())
        log = store.load(game)
        assert (log.moves, log.redo, log.finished) == (moves, redo, finished)
        (info,) = store.games()
        assert (info.moves, info.finished) == (len(moves), finished)


def test_games_have_readable_names_and_are_listed_by_what_happened_last(path: str) -> None:
    east = timezone(timedelta(hours=3))
    clock = [datetime(2026, 11, 21, 23, 59, tzinfo=east)]
    with Store(path, now=lambda: clock[0]) as store:
        first, second = store.begin_game(SETUP), store.begin_game({})
        clock[0] += timedelta(minutes=1)
        third = store.begin_game({})
        store.append(first, "move", "call")
        store.finish(first)
        infos = store.games()
        assert [info.name for info in infos] == ["2026-11-21-1", "2026-11-22-1", "2026-11-21-2"]
        assert [info.id for info in infos] == [first, third, second]
        assert (infos[0].moves, infos[0].finished, infos[1].finished) == (1, True, False)
        assert infos[0].update_time - infos[0].started == timedelta(minutes=1)
        assert infos[0].setup == SETUP
        assert store.find_last_game() == first
        assert store.find("2026-11-21-2") == second
        assert store.find(third) == store.find(str(third)) == third
        assert store.find("2026") is None


@pytest.mark.parametrize("table", ["events", "games"])
@pytest.mark.parametrize(
    "change", ["DELETE FROM {}", "UPDATE {} SET id = 9", "UPDATE {} SET seq = 9"]
)
def test_the_log_is_only_added_to(store: Store, table: str, change: str) -> None:
    game = store.begin_game({})
    store.append(game, "move", "gold")
    with sqlite3.connect(store.path) as database, pytest.raises(sqlite3.Error):
        database.execute(change.format(table))
    database.close()
    assert store.load(game).moves == ["gold"]


def test_it_is_as_durable_as_it_says(store: Store) -> None:
    store.begin_game({})
    rows = store.database.read()
    assert rows.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert rows.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    strict = rows.execute(
        "SELECT name, strict FROM pragma_table_list WHERE name IN ('games', 'events')"
    )
    assert dict(strict.fetchall()) == {"games": 1, "events": 1}


APPENDER = """
import sys
from companion.log.store import Store
store = Store(sys.argv[1])
game = store.begin_game({"players": ["Anna"]})
store.acquire(game)
print("game", game, flush=True)
number = 0
while True:
    number += 1
    store.append(game, "move", f"gold {number}")
    print(number, flush=True)
"""


@pytest.mark.outer
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill like that")
@pytest.mark.parametrize("milliseconds", [0, 3, 17, 60, 150])
def test_kill_9_loses_no_acknowledged_move(path: str, milliseconds: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", APPENDER, path], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    game = int(read_line(process).split()[1])
    with Store(path) as store, pytest.raises(GameOpenElsewhere, match="is open in another window"):
        store.acquire(game)
    time.sleep(milliseconds / 1000)
    process.kill()
    printed = process.stdout.read().split()
    count = int(printed[-1]) if printed else 0
    process.stdout.close()
    assert process.wait(PATIENCE) == -signal.SIGKILL
    with Store(path) as store:
        assert store.find_last_game() == game
        moves = store.load(game).moves
        assert moves == [f"gold {number}" for number in range(1, len(moves) + 1)]
        # one more may have been written whose acknowledgement was not yet printed
        assert count <= len(moves) <= count + 1
        with store.open_game(game):
            store.append(game, "move", "end")
        assert store.load(game).moves == [*moves, "end"]


def test_one_game_in_two_callers_is_noticed(store: Store) -> None:
    game, other_game = store.begin_game({}), store.begin_game({})
    with Store(store.path) as other:
        with store.open_game(game):
            with pytest.raises(
                GameOpenElsewhere, match=r"^Game \d{4}-\d\d-\d\d-1 is open in another"
            ):
                other.acquire(game)
            with other.open_game(other_game):
                pass
        with other.open_game(game):
            pass
        other.acquire(game)
    store.acquire(game)


def test_many_callers_may_begin_at_once(path: str) -> None:
    def begin(number: int) -> int:
        with Store(path) as store:
            game = store.begin_game({"number": number})
            for _ in range(5):
                store.append(game, "move", f"gold {number}")
            return game

    with ThreadPoolExecutor(8) as pool:
        games = list(pool.map(begin, range(16)))
    with Store(path) as store:
        assert len(set(games)) == 16
        assert len({info.name for info in store.games()}) == 16
        for number, game in enumerate(games):
            assert store.load(game).moves == [f"gold {number}"] * 5


FULL_DISK = """
import resource, signal, sys
from companion.log.store import Store, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store(sys.argv[1])
game = store.begin_game({})
store.append(game, "move", "first")
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
kept = 1
try:
    for kept in range(1, 1000):
        store.append(game, "move", "x" * 1000)
except StoreError as error:
    print(error)
print(kept, len(store.load(game).moves))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.append(game, "move", "space again")
print(store.load(game).moves[-1])
"""


@pytest.mark.outer
@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_a_full_disk_refuses_the_move_and_keeps_the_rest(path: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=True
    )
    refused, counts, after = result.stdout.splitlines()
    assert refused.startswith(f"{path}: the games cannot be saved: the disk ")
    assert "free" in refused
    name, word = counts.split()
    assert name == word
    assert after == "space again"


def test_a_full_file_is_a_full_disk(store: Store) -> None:
    game = store.begin_game({})
    rows = store.database.read()
    rows.execute(f"PRAGMA max_page_count = {rows.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(StoreError, match="the disk is full; free some space and try again"):
        store.append(game, "move", "x" * 10_000)
    assert store.load(game).moves == []
    store.append(game, "move", "small")


def test_a_file_that_may_not_be_written(store: Store) -> None:
    game = store.begin_game({})
    rows = store.database.read()
    rows.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="no permission to use the file; check its permissions"):
        store.append(game, "move", "gold")
    assert store.load(game).moves == []


@pytest.mark.parametrize("junk", [b"not a database, but longer than a header" * 40, b"\0" * 4096])
def test_a_strange_file_is_left_alone(path: str, junk: bytes) -> None:
    os.makedirs(os.path.dirname(path))
    Path(path).write_bytes(junk)
    with Store(path) as store:
        for use in (store.games, store.find_last_game, lambda: store.begin_game({})):
            with pytest.raises(StoreError, match="not a game log; move it somewhere else"):
                use()
    assert Path(path).read_bytes() == junk


def test_somebody_elses_database_is_left_alone(path: str) -> None:
    os.makedirs(os.path.dirname(path))
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with Store(path) as store, pytest.raises(StoreError, match="not a game log"):
        store.begin_game({})


def test_a_newer_format_is_not_guessed_at(store: Store) -> None:
    store.begin_game({})
    store.close()
    database = sqlite3.connect(store.path)
    database.execute("PRAGMA user_version = 3")
    database.close()
    with pytest.raises(StoreError, match=r"format 3, this one knows 2\); update the companion"):
        store.games()


def test_a_damaged_file_has_a_sentence(store: Store) -> None:
    game = store.begin_game({})
    for number in range(300):
        store.append(game, "move", f"gold {number}" * 10)
    store.close()
    whole = Path(store.path).read_bytes()
    Path(store.path).write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    with pytest.raises(StoreError, match="the games cannot be read: the file is damaged"):
        store.load(game)


@pytest.mark.parametrize("setup", ["{", "[]"])
def test_rows_that_tell_no_game(store: Store, setup: str) -> None:
    store.begin_game({})
    store.close()
    database = sqlite3.connect(store.path)
    with database:
        database.execute("INSERT INTO games VALUES (7, 'odd', NULL)")
        database.execute(
            "INSERT INTO events VALUES (7, 7, '2026-11-21T10:00:00', 'start', ?)", (setup,)
        )
    database.close()
    with pytest.raises(StoreError, match="the file is damaged"):
        store.load(7)
    assert [game.id for game in store.games()] == [1]  # the others can be played


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Store(str(tmp_path / "file" / "games.sqlite3")) as store:
        with pytest.raises(StoreError, match=r"part of the path is not a folder; check the folder"):
            store.games()
        with pytest.raises(StoreError, match=r"the games cannot be saved: .*; check the folder"):
            store.begin_game({})
    (tmp_path / "folder").mkdir()
    with (
        Store(str(tmp_path / "folder")) as store,
        pytest.raises(StoreError, match="cannot be opened"),
    ):
        store.begin_game({})
