"""Extensions are found through their entry points; one that does not work is named, and the others
go on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.outer

GREETING = """
from companion.extending import Command, Extension

class Greeting(Extension):
    name = "greeting"
    commands = {"greet": Command("greets", "greeting_command")}

EXTENSION = Greeting()
"""
COMMAND = """
from companion.commands.declared import Answer, command

@command("greet")
def run(config, args):
    return Answer(["Hello."])
"""


def install(folder: Path, name: str, place: str, **modules: str) -> None:
    """What pip would put there for a package with that entry point."""
    facts = folder / f"{name}-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    entry = f"[citadels_companion.extensions]\n{name} = {place}\n"
    (facts / "entry_points.txt").write_text(entry)
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), "COMPANION_DATA": str(folder / "data")}
    return subprocess.run(
        [sys.executable, "-m", "companion", *words],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_of_an_extension_is_one_like_any(tmp_path: Path) -> None:
    place = "greeting:EXTENSION"
    install(tmp_path, "greeting", place, greeting=GREETING, greeting_command=COMMAND)
    assert run(tmp_path, "greet").stdout == "Hello.\n"
    assert "greet" in run(tmp_path, "--help").stdout
    assert "did you mean “greet”?" in run(tmp_path, "gret").stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import a_module_that_nobody_has", "No module named 'a_module_that_nobody_has'"),
        ("EXTENSION = 1", "broken:EXTENSION is no Extension"),
        ("raise RuntimeError", "RuntimeError"),
    ],
)
def test_one_that_does_not_load_is_named_with_its_reason(
    text: str, reason: str, tmp_path: Path
) -> None:
    install(tmp_path, "broken", "broken:EXTENSION", broken=text)
    place = "greeting:EXTENSION"
    install(tmp_path, "greeting", place, greeting=GREETING, greeting_command=COMMAND)
    result = run(tmp_path, "greet")
    assert result.stdout == "Hello.\n"
    assert result.stderr == f"The extension broken does not work: {reason}\n"


def test_a_command_that_needs_no_extension_looks_for_none(tmp_path: Path) -> None:
    install(tmp_path, "broken", "broken:EXTENSION", broken="import a_module_that_nobody_has")
    assert run(tmp_path, "editions").stderr == ""


def test_a_command_that_does_not_load_is_told_in_a_sentence(tmp_path: Path) -> None:
    install(tmp_path, "greeting", "greeting:EXTENSION", greeting=GREETING)
    result = run(tmp_path, "greet")
    assert result.returncode == 1
    assert result.stderr == (
        "The extension greeting_command does not work: No module named 'greeting_command'\n"
    )


def test_a_folder_of_ours_that_was_removed_is_passed_over(tmp_path: Path) -> None:
    place = "companion.extensions.none_such:EXTENSION"
    install(tmp_path, "removed", place)
    result = run(tmp_path, "--help")
    assert (result.returncode, result.stderr) == (0, "")
