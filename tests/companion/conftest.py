"""Fixtures for conversations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.files.locations import games_file
from engine.record import Setup
from tests.companion.talking import FOUR, Begin, Talk
from tests.rigs.kept_chips import FILE


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begin a Classic game of four with Kurt crowned; `secrecy` and so on override the set-up."""
    talks: list[Talk] = []

    def make(
        moves: str = "",
        *,
        people: bool = True,
        forced: bool = True,
        seat: int | None = None,
        **setup: Any,
    ) -> Talk:
        target = Setup(**{"edition": "classic_2016", "players": FOUR, "crown": "Kurt"} | setup)
        how = {"people": people, "plays_forced": forced, "seat": seat}
        talks.append(Talk(tmp_path, target, moves, **how))
        return talks[-1]

    yield make
    for talk in talks:
        talk.close()


@pytest.fixture
def log(home: Path) -> str:
    """Where the games of this table are saved."""
    return games_file(str(home / "data"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The file system of a simulated computer."""
    return tmp_path


@pytest.fixture
def kept_chips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command of the test have the same chips, with memory, on its simulated reader."""
    monkeypatch.setenv(FILE, str(tmp_path / "chips.json"))
