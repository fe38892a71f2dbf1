"""The rules of the house: who imports whom, how long a module may be, what no file may hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("companion", "engine", "tags")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

# A screen or a reader costs what a line caller and a script must not pay. Only these need them.
SCREENS = ("companion.app", "companion.serving.server")  # the latter in a browser, an extra
DRIVERS = ("tags.readers.", "tags.simulator")


def dotted(path: Path) -> str:
    """The name under which a module is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def loaded_by(code: str, *arguments: str, said: str = "") -> set[str]:
    """The top-level modules that a fresh Python has loaded when `code` is done, having read `said`
    from its standard input."""
    code += "\nimport sys; print('\\nloaded', *{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        input=said,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("\nloaded")[2].split())


def test_only_the_screens_load_textual_and_only_the_drivers_load_nfcpy() -> None:
    names = [dotted(path) for path in MODULES]
    light = [name for name in names if not name.startswith((*SCREENS, *DRIVERS))]
    light = [name for name in light if not name.endswith("__main__")]
    assert len(light) > 10
    found = loaded_by("\n".join(f"import {name}" for name in light))
    assert found & {"textual", "rich", "nfc", "ndef", "usb1", "serial"} == set()


RECORD = """
edition: classic_2016
players: [Anna, Kurt, Ashley, Ben]
crown: Kurt
moves: [faceup bishop merchant, call]
"""
NEW = ["--new", "--edition", "classic_2016", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt"]


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "FILE"],
        ["replay", "FILE", "--json"],
        ["score", "FILE"],
        ["score", "FILE", "--json"],
        ["score"],
        ["record"],
        ["card", "temple"],
        ["play", "--plain", "--resume", "--reader", "none"],
        ["play", "--plain", *NEW, "--reader", "none"],
    ],
    ids=" ".join,
)
def test_a_command_loads_no_screen_and_no_driver(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(RECORD)
    run = "import sys; from companion.cli import main; main(sys.argv[1:])"
    loaded_by(run, "play", "--plain", *NEW, "--reader", "none", said="faceup bishop merchant\n")
    found = loaded_by(run, *(str(file) if word == "FILE" else word for word in words))
    assert "engine" in found
    assert found & {"textual", "rich", "nfc", "usb1", "serial"} == set()


def test_the_engine_loads_neither_companion_nor_tags_nor_the_outside_world() -> None:
    names = [dotted(path) for path in MODULES if dotted(path).startswith("engine")]
    found = loaded_by("\n".join(f"import {name}" for name in names))
    assert found & {"companion", "tags", "sqlite3", "socket", "asyncio", "subprocess"} == set()


def test_tags_load_neither_companion_nor_engine_nor_a_screen() -> None:
    names = [dotted(path) for path in MODULES if dotted(path).startswith("tags")]
    names = [name for name in names if not name.endswith("__main__")]
    found = loaded_by("\n".join(f"import {name}" for name in names))
    assert found & {"companion", "engine", "textual", "rich", "sqlite3"} == set()


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_is_short_and_says_what_it_owns(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "no docstring"
    if len(tree.body) > 1:
        assert "from __future__ import annotations" in text


def shipped_files() -> list[Path]:
    """Every file of the repository."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    files = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in files if path.is_file()]


def test_no_file_names_a_package_registry_or_somebodys_machine() -> None:
    addresses = r"\b(pypi|pythonhosted|npmjs|deb\.debian)\.(org|com)\b"
    homes = ["root/", "home/[a-z]+/", "Users/[A-Za-z]+/"]
    folders = ["work/main", "work/shared", "opt/[a-z]+", *homes]
    telltale = re.compile(
        "|".join([addresses, *(rf"(?<![\w./~-])/{folder}" for folder in folders)])
    )
    found = {
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in shipped_files()
        if path != Path(__file__).resolve()
        for match in telltale.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }
    assert found == set()


def test_no_lock_file_is_kept() -> None:
    names = {path.name for path in shipped_files()}
    assert names & {"uv.lock", "poetry.lock", "Pipfile.lock", "pylock.toml"} == set()


def test_every_dependency_has_its_range_and_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    extras = [name for group in project["optional-dependencies"].values() for name in group]
    lines = text.splitlines()
    for requirement in [*project["dependencies"], *extras]:
        assert ">=" in requirement
        above = lines[lines.index(f'    "{requirement}",') - 1]
        assert above.strip().startswith("#"), requirement
