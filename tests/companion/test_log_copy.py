"""The copy beside the log: made in time, never poorer than before, read where games are missing.

Below, what is told about a damaged log."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.files import locations
from companion.game.session import Session
from companion.log import LogReplaced, log_copy
from companion.log.store import Store, StoreError
from engine.record import Setup
from tests.companion.damage import damage, write_log
from tests.companion.listening import NEW, Listener, companion

GAMES = 12
SHORT = 60  # damaged files that are tried here; `tests/soak/damage.py` tries as many as are asked
NAMES = ("Anna", "Ben", "Cid", "Dora")
FACE_UP = "faceup thief merchant"


def begin(store: Store) -> Session:
    return Session.begin(store, Setup("classic_2016", NAMES, "Ben"))


def list_moves(path: Path) -> list[list[str]]:
    """The moves of every game of a log, of the oldest game first."""
    with Store(str(path)) as store:
        games = sorted(info.id for info in store.games())
        return [store.load(game).moves for game in games]


def is_about_copy(notice: str) -> bool:
    return notice.startswith("Games or moves were missing from ")


@pytest.fixture
def path() -> Path:
    """The log of a table at which one game was left after a move, and a second has begun."""
    path = Path(locations.games_file(locations.data_dir()))
    with Store(str(path)) as store:
        session = begin(store)
        session.play(FACE_UP)
        session.close()
        begin(store).close()
    return path


def test_a_copy_is_made_when_a_game_begins_and_when_it_is_left(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    copy = Path(log_copy.find_copy(str(path)))
    with Store(str(path)) as store:
        session = begin(store)
        assert list_moves(copy) == [[]]
        session.play(FACE_UP)
        session.close()
        assert list_moves(copy) == [[FACE_UP]]
    assert copy.stat().st_mode & 0o77 == 0


@pytest.mark.parametrize("happens", ["removed", "emptied", "replaced", "renamed", "older"])
def test_games_that_are_missing_are_read_back_while_one_is_played(
    path: Path, tmp_path: Path, happens: str
) -> None:
    older = tmp_path / "older.sqlite3"
    shutil.copyfile(path, older)
    with Store(str(path)) as store:
        session = begin(store)
        session.play(FACE_UP)
        session.tell_hand(0, "add", "temple")
        session.settings.put("key", "value")
        if happens == "removed":
            for each in path.parent.glob("games.sqlite3*"):
                if each.is_file() and each.suffix != ".backup":
                    each.unlink()
        elif happens == "emptied":
            path.write_bytes(b"")
        elif happens == "replaced":
            shutil.copyfile(write_log(tmp_path, 1), path)
        else:
            os.replace(older if happens == "older" else write_log(tmp_path, 1), path)
        with pytest.raises(LogReplaced, match=r"saved there again\. Repeat your last input\.$"):
            session.undo()
        assert [*map(is_about_copy, store.take_notices())] == [True] * (happens != "older")
        session.undo()
        session.redo()
        name = session.name
        session.close()
        again = Session.resume(store, name)
        assert [move.text for move in again.referee.moves] == [FACE_UP]
        assert [row.text for row in again.open_game.hands] == ["add temple"]
        assert again.settings.get("key") == "value"
        again.close()
    games = list_moves(path)[1:] if happens in ("replaced", "renamed") else list_moves(path)
    assert sorted(games) == [[], [FACE_UP], [FACE_UP]]


def test_what_leaving_a_game_reads_back_is_told(path: Path, tmp_path: Path) -> None:
    with Store(str(path)) as store:
        session = begin(store)
        os.replace(write_log(tmp_path, 1), path)
        session.close()
        (text,) = store.take_notices()
        assert text.startswith(f"Games or moves were missing from {path};")


@pytest.mark.parametrize("happens", ["removed", "emptied"])
def test_a_log_that_is_gone_begins_with_its_copy(path: Path, happens: str) -> None:
    if happens == "removed":
        path.unlink()
    else:
        path.write_bytes(b"")
    with Store(str(path)) as store:
        begin(store).close()
        assert "read back from the copy" in store.take_notices()[0]
        assert store.take_notices() == []
    assert list_moves(path) == [[FACE_UP], [], []]


@pytest.mark.parametrize("words", ["record", "players", "replay 2026", "export games.citadels"])
def test_every_command_tells_what_it_read_back(
    path: Path, capsys: pytest.CaptureFixture[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    path.unlink()
    main(words.split())
    assert capsys.readouterr().err.count(f"Games or moves were missing from {path};") == 1


def test_a_start_that_was_cut_off_leaves_no_damaged_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(locations.games_file(locations.data_dir()))
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as begun:  # killed, or the disk full, before its tables
        begun.execute("PRAGMA journal_mode = WAL")
    assert main(["record"]) == 2
    assert "no game has been saved yet" in capsys.readouterr().err
    with Store(str(path)) as store:
        assert store.games() == []
        begin(store).close()
    assert list_moves(path) == [[]]


def test_a_copy_is_never_replaced_by_one_that_lacks_games(path: Path, tmp_path: Path) -> None:
    shutil.copyfile(write_log(tmp_path, 1), path)
    with Store(str(path)) as store:
        begin(store).close()
        (text,) = store.take_notices()
        assert text.startswith(f"Games or moves were missing from {path};")
    for file in (path, Path(log_copy.find_copy(str(path)))):
        games = list_moves(file)
        assert len(games) == 4
        assert [FACE_UP] in games


def test_a_game_that_was_removed_stays_removed(path: Path) -> None:
    with Store(str(path)) as store:
        store.remove(1)
        begin(store).close()
    assert list_moves(path) == [[], []]
    assert list_moves(Path(log_copy.find_copy(str(path)))) == [[], []]


def test_no_other_game_goes_with_the_copy_that_a_removed_one_was_in(path: Path) -> None:
    with Store(str(path)) as store:
        before = path.read_bytes()
        session = begin(store)
        session.play(FACE_UP)
        session.close()
    path.write_bytes(before)  # as it was, from a stick
    with Store(str(path)) as store:
        store.remove(2)
    assert list_moves(path) == [[FACE_UP], [FACE_UP]]


def test_a_copy_that_cannot_be_read_is_replaced(path: Path) -> None:
    copy = Path(log_copy.find_copy(str(path)))
    copy.write_bytes(b"\xa5" * 8192)
    with Store(str(path)) as store:
        begin(store).close()
    assert list_moves(copy) == [[FACE_UP], [], []]


def test_a_copy_of_a_newer_companion_is_never_replaced(path: Path) -> None:
    copy = Path(log_copy.find_copy(str(path)))
    with closing(sqlite3.connect(copy)) as newer:
        newer.execute("PRAGMA user_version = 99")
    before = copy.read_bytes()
    path.unlink()
    with Store(str(path)) as store:
        begin(store).close()
    assert list_moves(path) == [[]]
    assert copy.read_bytes() == before


def test_a_copy_that_cannot_be_made_leaves_nothing_behind(path: Path) -> None:
    copy = Path(log_copy.find_copy(str(path)))
    copy.unlink()
    copy.mkdir()  # as good as a full disk
    with Store(str(path)) as store:
        store.copy()
    assert [each.name for each in path.parent.glob("*.backup*")] == [copy.name]
    copy.rmdir()
    with Store(str(path)) as store:
        store.database.read_back()
    assert not copy.exists()


def test_a_damaged_log_does_not_replace_its_copy(path: Path) -> None:
    copy = Path(log_copy.find_copy(str(path)))
    before = copy.read_bytes()
    data = bytearray(path.read_bytes())
    data[4096 * 2 :] = b"\xa5" * (len(data) - 4096 * 2)
    path.write_bytes(data)
    with Store(str(path)) as store:
        store.copy()
    assert copy.read_bytes() == before


# -- a damaged log -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_log(tmp_path_factory.mktemp("log"), GAMES)


@pytest.mark.parametrize("seed", range(SHORT))
def test_any_damage_has_a_sentence(log: Path, tmp_path: Path, seed: int) -> None:
    damage(log, tmp_path / "games.sqlite3", random.Random(seed)).hold()


@pytest.mark.parametrize("words", ["play --plain --resume --reader none", "record", "players"])
@pytest.mark.parametrize("cut", [60, 5000, 20_000, -4096])
def test_a_cut_log_is_one_sentence_with_its_copy(
    path: Path, capsys: pytest.CaptureFixture[str], words: str, cut: int
) -> None:
    copy = log_copy.find_copy(str(path))
    path.write_bytes(path.read_bytes()[:cut])
    before = Path(copy).read_bytes()
    assert main(words.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"the file is damaged; to go on with its copy {copy} of 20" in line
    assert line.endswith(f": mv {path} {path}.damaged")
    assert Path(copy).read_bytes() == before


def test_a_game_of_which_only_the_index_knows_is_a_sentence(path: Path) -> None:
    rows = sqlite3.connect(path)
    rows.execute("PRAGMA foreign_keys = OFF")
    rows.execute("DROP TRIGGER games_remain")
    rows.execute("DELETE FROM games WHERE id = 2")
    rows.commit()
    rows.close()
    with Store(str(path)) as store:
        game = store.find_last_game()
        assert game == 2
        with pytest.raises(StoreError, match="the file is damaged"):
            store.load(game)


@pytest.mark.outer
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes")
@pytest.mark.parametrize("has_log", [True, False])
@pytest.mark.parametrize("name", ["", "-journal", "-wal", "-shm"])
def test_a_pipe_beside_the_log_is_a_sentence(path: Path, name: str, has_log: bool) -> None:
    place = Path(f"{path}{name}")
    if name == "" or not has_log:
        path.unlink()
        Path(log_copy.find_copy(str(path))).unlink()
    os.mkfifo(place)
    for words in (("play", "--plain", "--reader", "none", *NEW), ("players",)):
        result = companion(*words)
        assert result.returncode == 2
        assert f"{place}: this is not a game log; move it somewhere else" in result.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes")
def test_a_pipe_in_the_place_of_the_copy_is_left_out(path: Path) -> None:
    copy = Path(log_copy.find_copy(str(path)))
    copy.unlink()
    os.mkfifo(copy)
    with Store(str(path)) as store:
        store.copy()
    assert copy.is_file()


@pytest.mark.outer
@pytest.mark.parametrize("is_killed", [False, True])
def test_the_sentence_has_the_command_that_goes_on_with_the_copy(
    path: Path, is_killed: bool
) -> None:
    if is_killed:  # its journal stays
        with Listener("--resume", new=False) as caller:
            caller.hear()
            caller.kill()
    path.write_bytes(path.read_bytes()[:100] + b"\xa5" * 100_000)
    result = companion("players")
    assert result.returncode == 2
    (line,) = result.stderr.splitlines()
    assert f"its copy {path}.backup of 20" in line
    subprocess.run(["sh", "-c", line[line.index("mv ") :]], check=True)
    result = companion("record", "1")
    assert result.returncode == 0, result.stderr
    assert FACE_UP in result.stdout
    assert list_moves(path) == [[FACE_UP], []]


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
            renamed = [row[0] for row in store._read("SELECT name FROM games WHERE id = 3")]
        assert renamed[0] not in names
        for name in (renamed[0], "5", renamed[0], "5"):
            text = caller.tell(f"open {name}")[0]
            assert text.startswith("Refused: ")
            assert "the file is damaged" in text
        assert caller.tell("open 2")[0].startswith("Game ")
        assert caller.leave() == 0
        assert "Traceback" not in caller.read_errors()
