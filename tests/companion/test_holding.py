"""The lock of a game: whether it is in its place, and the real reason if it cannot be taken."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.log.database import Hold
from companion.log.store import GameOpenElsewhere, Store, StoreError


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
