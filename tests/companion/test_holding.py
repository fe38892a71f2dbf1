"""The lock of a game: one holder, released when its program ends, and the real reason if it cannot
be taken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.log.database import Hold, LockHeld
from companion.log.store import GameOpenElsewhere, Store, StoreError
from tests.waiting import read_line


def test_one_holds_it_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "1.lock")
    first = Hold(path)
    with pytest.raises(LockHeld):
        Hold(path)
    first.let_go()
    Hold(path).let_go()


@pytest.mark.outer
def test_it_ends_with_the_program_that_holds_it(tmp_path: Path) -> None:
    path = str(tmp_path / "1.lock")
    code = (
        "import os, sys; from companion.log.database import Hold; held = Hold(sys.argv[1]);"
        "print('held', flush=True); os.read(0, 1); os._exit(1)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, path],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert read_line(other) == b"held\n"
        with pytest.raises(LockHeld):
            Hold(path)
        other.kill()
    Hold(path).let_go()


def test_a_lock_that_was_removed_is_known_to_be(tmp_path: Path) -> None:
    path = tmp_path / "1.lock"
    hold = Hold(str(path))
    assert hold.is_in_place
    path.unlink()
    assert not hold.is_in_place
    other = Hold(str(path))
    assert other.is_in_place
    assert not hold.is_in_place
    hold.let_go()
    other.let_go()


def test_what_cannot_be_locked_is_not_called_open_elsewhere(tmp_path: Path) -> None:
    with Store(str(tmp_path / "games.sqlite3")) as store:
        game = store.begin_game({})
        os.makedirs(tmp_path / "games.sqlite3-open" / f"{game}.lock")
        with pytest.raises(
            StoreError, match="cannot be reserved for this window: it is a folder"
        ) as exception_info:
            store.acquire(game)
    assert not isinstance(exception_info.value, GameOpenElsewhere)
