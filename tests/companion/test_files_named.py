"""Files that a command writes to a given path."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from companion.commands.cli import main
from tests.games.regenerate import GAMES

WRITTEN = {
    "export": ["export"],
    "export --chips": ["export", "--chips"],
    "recap": ["recap", str(GAMES / "whole_game.yaml"), "--html"],
}
EXTRAS = {"recap": "drawsvg"}


@pytest.mark.parametrize("command", WRITTEN)
def test_a_folder_that_is_not_there_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    extra = EXTRAS.get(command, "json")
    if importlib.util.find_spec(extra) is None:
        pytest.skip(f"{extra} is not installed")
    file = tmp_path / "mistyped" / "file"
    assert main([*WRITTEN[command], str(file)]) == 2
    assert f"{file}: cannot be saved: there is no such file or folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
