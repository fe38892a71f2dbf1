"""The installed wheel runs outside the checkout, with all its data files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.language import available
from tests.starting import ROOT

pytestmark = pytest.mark.outer

GAME = ROOT / "tests" / "games" / "short_game.yaml"


def run(*words: str, at: Path, path: Path | None = None, language: str = "en") -> str:
    """Run Python in that folder, with `path` first on its module path; returns the output."""
    env = {**os.environ, "PYTHONPATH": str(path or ""), "COMPANION_LANGUAGE": language}
    result = subprocess.run(
        [sys.executable, *words], cwd=at, env=env, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_wheel_is_all_that_is_needed(tmp_path: Path) -> None:
    folder, wheels = tmp_path / "installed", tmp_path / "wheels"
    run("-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels), at=ROOT)
    (wheel,) = wheels.glob("*.whl")
    ZipFile(wheel).extractall(folder)  # pip adds only metadata and the command

    where = run("-c", "import companion; print(companion.__file__)", at=tmp_path, path=folder)
    assert Path(where.strip()).is_relative_to(folder)
    for code in available.list_offered():
        told = run("-m", "companion", "card", "king", at=tmp_path, path=folder, language=code)
        assert told == run("-m", "companion", "card", "king", at=ROOT, language=code)
    replayed = run("-m", "companion", "replay", str(GAME), "--json", at=tmp_path, path=folder)
    assert replayed == run("-m", "companion", "replay", str(GAME), "--json", at=ROOT)
    assert (folder / "companion" / "config.yaml").read_text() == (ROOT / "config.yaml").read_text()
    shipped = {path.relative_to(folder) for path in folder.rglob("*.*")}
    here = {path.relative_to(ROOT) for top in ("companion", "engine", "tags", "common")
            for kind in ("yaml", "html", "css")
            for path in (ROOT / top).rglob(f"*.{kind}")}  # fmt: skip
    assert here <= shipped
