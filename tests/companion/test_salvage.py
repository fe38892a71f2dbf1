"""A damaged log: one sentence, other games intact, and readable data salvaged."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from companion.files import locations
from companion.game.session import Session
from companion.log import salvage
from companion.log.store import Store, StoreError
from engine.record import Setup, read_setup
from tests.companion.damage import damage, write_log
from tests.companion.listening import Listener, companion
from tests.companion.past_games import random_games

GAMES = 12
SHORT = 60  # damaged files that are tried here; `tests/soak/damage.py` tries as many as are asked


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_log(tmp_path_factory.mktemp("log"), GAMES)


def test_a_sound_log_is_saved_whole(log: Path) -> None:
    with Store(str(log)) as store:
        entries = {info.name: store.load(info.id) for info in store.games()}
    logs = salvage.read(str(log))
    assert len(logs) == GAMES
    for one in logs:
        assert one.whole
        assert one.log.events == entries[one.log.name].events
        assert one.log.setup == entries[one.log.name].setup


def test_what_is_in_the_journal_alone_is_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(str(path)) as store:
        session = Session.begin(store, Setup("classic_2016", ("Anna", "Ben", "Cid", "Dora"), "Ben"))
        session.play("faceup thief merchant")
        copy = tmp_path / "copy.sqlite3"
        shutil.copyfile(path, copy)
        shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        (one,) = salvage.read(str(copy))
        session.close()
    assert one.log.moves == ["faceup thief merchant"]


@pytest.mark.parametrize("seed", range(SHORT))
def test_any_damage_has_a_sentence_and_spares_what_it_did_not_touch(
    log: Path, tmp_path: Path, seed: int
) -> None:
    damage(log, tmp_path / "games.sqlite3", random.Random(seed)).hold()


@pytest.mark.outer
def test_a_damaged_game_leaves_the_others_alone(log: Path) -> None:
    path = Path(locations.games_file(locations.data_dir()))
    path.parent.mkdir(mode=0o700)
    shutil.copyfile(log, path)
    rows = sqlite3.connect(path)
    rows.execute("DROP TRIGGER events_stay")
    rows.execute("UPDATE events SET text = CAST(x'ff80' AS TEXT) WHERE game = 3 AND kind = 'start'")
    (last,) = rows.execute("SELECT max(seq) FROM events WHERE game = 5").fetchone()
    rows.execute("UPDATE events SET text = CAST(x'ff80' AS TEXT) WHERE seq = ?", (last,))
    rows.commit()
    rows.close()
    with Listener("--resume", new=False) as caller:
        caller.hear()
        names = [line.partition(":")[0] for line in caller.tell("games")[1:-2]]
        with Store(str(path)) as store:
            entries = [row[0] for row in store._read("", "SELECT name FROM games WHERE id = 3")]
        assert entries[0] not in names
        for name in (entries[0], "5", entries[0], "5"):
            text = caller.tell(f"open {name}")[0]
            assert text.startswith("Refused: ")
            assert "companion record --salvage" in text
        assert caller.tell("open 2")[0].startswith("Game ")
        assert caller.leave() == 0
        assert "Traceback" not in caller.read_errors()


@pytest.fixture
def log_over() -> Path:
    """The log of a table at which a game has ended."""
    path = Path(locations.games_file(locations.data_dir()))
    game = next(random_games(1))
    with Store(str(path)) as store:
        session = Session.begin(store, read_setup(game.setup))
        for move in game.moves:
            session.play(move)
        session.close()
    return path


def test_a_game_that_ended_is_in_the_backup(log_over: Path) -> None:
    with Store(str(log_over)) as store:
        game_log = store.load(1)
    backup = Path(salvage.find_backup(str(log_over)))
    assert backup.stat().st_mode & 0o77 == 0
    for harm in (lambda: log_over.write_bytes(b"\xa5" * 8192), log_over.unlink):
        harm()
        (one,) = salvage.read(str(log_over))
        assert (one.whole, one.log.setup, one.log.events) == (True, game_log.setup, game_log.events)


def test_a_removed_game_is_in_no_backup(log_over: Path) -> None:
    with Store(str(log_over)) as store:
        store.remove(1)
    assert salvage.read(str(log_over)) == []


def test_what_is_newer_than_the_backup_comes_from_the_log(log_over: Path) -> None:
    with Store(str(log_over)) as store:
        session = Session.begin(store, Setup("classic_2016", ("Anna", "Ben", "Cid", "Dora"), "Ben"))
        session.play("faceup thief merchant")
        session.close()
    first, second = salvage.read(str(log_over))
    assert first.whole
    assert second.log.moves == ["faceup thief merchant"]


@pytest.mark.outer
def test_the_command_saves_into_a_new_log_that_can_be_played(log_over: Path) -> None:
    log_over.write_bytes(b"\xa5" * 8192 + log_over.read_bytes()[8192:])
    before = log_over.read_bytes()
    assert companion("record").returncode == 2
    result = companion("record", "--salvage")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("the whole game") == 1
    assert log_over.read_bytes() == before
    path = log_over.with_name("games.sqlite3.salvaged")
    assert path.stat().st_mode & 0o77 == 0
    log_over.unlink()
    path.rename(log_over)
    assert companion("record").returncode == 0


@pytest.mark.outer
def test_where_nothing_is_left_it_says_so(tmp_path: Path) -> None:
    path = Path(locations.games_file(locations.data_dir()))
    result = companion("record", "--salvage")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\0" * 100_000)
    result = companion("record", "--salvage")
    assert result.returncode == 1
    assert "no game can be read" in result.stderr


def test_rows_of_other_tables_are_none_of_ours(tmp_path: Path) -> None:
    rows = sqlite3.connect(tmp_path / "x.sqlite3")
    rows.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b, c, d, e)")
    rows.execute("INSERT INTO t VALUES (1, 2, 'x', 'start', '{}')")
    rows.execute("INSERT INTO t VALUES (2, 2, 'x', 'start', x'00')")
    rows.execute("INSERT INTO t VALUES (3, 2.5, 'x', 'start', ?)", ("y" * 100_000,))
    rows.commit()
    rows.close()
    assert salvage.read(str(tmp_path / "x.sqlite3")) == []
    with Store(str(tmp_path / "x.sqlite3")) as store, pytest.raises(StoreError):
        store.games()
