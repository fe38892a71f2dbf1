"""A log removed, moved, overwritten or linked while a game is open: noticed, and no move lost."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.files import locations
from tests.companion.listening import OPENING, Listener, companion, record_moves
from tests.end_to_end.tmux import Terminal

pytestmark = pytest.mark.outer

GONE = "was removed, moved or replaced while the game was open"


@pytest.fixture
def data() -> Path:
    return Path(locations.data_dir())


def _another_log(data: Path) -> Path:
    """A log with a game of another table."""
    other = data.parent / "other"
    result = companion(
        *("play", "--plain", "--reader", "none", "--new", "--players", "Xenia,Yan,Zoe,Will"),
        stdin="faceup thief merchant\n",
        env={"COMPANION_DATA": str(other)},
    )
    assert result.returncode == 0, result.stderr
    return other / "games.sqlite3"


def remove_folder(data: Path) -> None:
    shutil.rmtree(data)


def remove_file(data: Path) -> None:
    (data / "games.sqlite3").unlink()


def remove_everything_of_it(data: Path) -> None:
    for path in data.glob("games.sqlite3*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def remove_journal(data: Path) -> None:
    (data / "games.sqlite3-wal").unlink()


def move_folder(data: Path) -> None:
    data.rename(data.with_name("moved"))


def replace_by_another(data: Path) -> None:
    os.replace(_another_log(data), data / "games.sqlite3")


def copy_another_over_it(data: Path) -> None:
    shutil.copyfile(_another_log(data), data / "games.sqlite3")


def empty_it(data: Path) -> None:
    (data / "games.sqlite3").write_bytes(b"")


def link_to_another(data: Path) -> None:
    other = _another_log(data)
    (data / "games.sqlite3").unlink()
    (data / "games.sqlite3").symlink_to(other)


WAYS: list[Callable[[Path], None]] = [
    remove_folder,
    remove_file,
    remove_everything_of_it,
    remove_journal,
    move_folder,
    replace_by_another,
    copy_another_over_it,
    empty_it,
    link_to_another,
]


@pytest.mark.parametrize("happens", WAYS, ids=lambda way: way.__name__)
def test_the_next_move_says_so_and_the_one_after_keeps_the_whole_game(
    data: Path, happens: Callable[[Path], None]
) -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell_all(*OPENING, "undo")
        happens(data)
        text = caller.tell("build temple")[0]
        assert text.startswith("Refused: ")
        assert GONE in text
        assert caller.tell("build temple")[0] == "Anna builds the Temple for 1 gold."
        caller.kill()  # acknowledged moves are on the disk
    assert record_moves() == [*OPENING]
    with Listener("--resume", new=False) as caller:
        caller.hear()
        assert caller.tell("undo")[0] == "Undone: Anna builds the Temple for 1 gold."
        assert caller.leave() == 0


@pytest.mark.parametrize("happens", WAYS, ids=lambda way: way.__name__)
def test_leaving_keeps_the_game_as_well(data: Path, happens: Callable[[Path], None]) -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell_all(*OPENING)
        happens(data)
        assert caller.leave() == 0
        assert "Traceback" not in caller.read_errors()
    assert record_moves() == [*OPENING]


def test_the_log_that_was_copied_over_it_is_whole_as_well(data: Path) -> None:
    with Listener() as caller:
        caller.hear()
        caller.tell_all(*OPENING[:3])
        copy_another_over_it(data)
        caller.tell_all("kill king", "kill king", "gold")
        assert caller.leave() == 0
    record = companion("record", "1")
    assert record.returncode == 0, record.stderr
    assert "Xenia" in record.stdout
    assert "faceup thief merchant" in record.stdout
    assert record_moves() == [*OPENING[:4], "gold"]


def test_the_full_screen_tells_what_leaving_has_read_back(data: Path, terminal: Terminal) -> None:
    with Listener() as caller:
        caller.hear()
        assert caller.leave() == 0
    replace_by_another(data)
    terminal.start(["play", "--resume", "--reader", "none"], size=(200, 40))
    terminal.see("Xenia")
    terminal.keys("q")
    terminal.see("Leave the table?")
    terminal.keys("q")
    terminal.see("Games or moves were missing from")


@pytest.mark.parametrize("way", ["symlink", "hardlink", "no-lock"])
def test_one_game_in_two_callers_is_refused_however_they_name_it(data: Path, way: str) -> None:
    with Listener() as first:
        first.hear()
        first.tell_all(*OPENING[:2])
        env = {}
        if way == "no-lock":
            shutil.rmtree(data / "games.sqlite3-open")
        else:
            other = data.with_name("other")
            other.mkdir(mode=0o700)
            env["COMPANION_DATA"] = str(other)
            names = [path.name for path in data.glob("games.sqlite3*") if path.is_file()]
            for name in names if way == "hardlink" else ["games.sqlite3"]:
                make = os.link if way == "hardlink" else os.symlink
                make(data / name, other / name)
        second = companion("play", "--plain", "--reader", "none", "--resume", stdin="reveal Anna\n",
                           env=env)  # fmt: skip
        if way == "symlink":
            assert second.returncode == 2
            assert "is open in another window" in second.stderr
            assert first.tell("reveal Ben")[0] == "Ben is the Assassin."
        else:
            assert second.returncode == 0
            assert "Anna is the Assassin." in second.stdout
            text = first.tell("reveal Ben")[0]
            assert text.startswith("Refused: ")
            assert "was continued in another window" in text or GONE in text
        assert first.leave() == 0
    assert record_moves()[:2] == [*OPENING[:2]]
    assert len(record_moves()) == 3
    with Listener("--resume", new=False) as third:
        third.hear()
        assert third.leave() == 0
