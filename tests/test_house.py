"""The rules of the code base: imports, names, forbidden content."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Container, Iterable
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("companion", "engine", "tags", "common")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
SCRIPTS = sorted((ROOT / "scripts").rglob("*.py"))

# Only these may load a screen or a reader driver, which are too slow for line callers and scripts.
SCREENS = ("companion.app",)
DRIVERS = ("tags.readers.",)


def dotted(path: Path) -> str:
    """The name under which a module is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _import(names: Iterable[str]) -> str:
    """A program that imports these; the name of one may be a keyword."""
    return f"from importlib import import_module\nfor name in {[*names]}: import_module(name)"


def loaded_by(code: str, *arguments: str, said: str = "") -> set[str]:
    """The top-level modules that a fresh Python has loaded when `code` is done, having read `said`
    from its standard input."""
    code += "\nimport sys; print('\\nloaded', *{name.partition('.')[0] for name in sys.modules})"
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        input=said,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return set(result.stdout.rpartition("\nloaded")[2].split())


@pytest.mark.outer
def test_only_the_screens_load_textual_and_only_the_drivers_load_nfcpy() -> None:
    names = [dotted(path) for path in MODULES]
    light = [name for name in names if not name.startswith((*SCREENS, *DRIVERS))]
    light = [name for name in light if not name.endswith("__main__")]
    assert len(light) > 10
    matches = loaded_by(_import(light))
    assert matches & {"textual", "rich", "nfc", "ndef", "usb1", "serial"} == set()


RECORD = """
edition: classic_2016
players: [Anna, Kurt, Ashley, Ben]
crown: Kurt
moves: [faceup bishop merchant, call]
"""
NEW = ["--new", "--edition", "classic_2016", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt"]


@pytest.mark.outer
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
    run = "import sys; from companion.commands.cli import main; main(sys.argv[1:])"
    loaded_by(run, "play", "--plain", *NEW, "--reader", "none", said="faceup bishop merchant\n")
    matches = loaded_by(run, *(str(file) if word == "FILE" else word for word in words))
    assert "engine" in matches
    assert matches & {"textual", "rich", "nfc", "usb1", "serial"} == set()
    # phones are not requested
    assert matches & {"uvicorn", "starlette", "asyncio", "jinja2", "segno"} == set()


def imports_of(path: Path, container: Container[str]) -> set[str]:
    """The modules that a file imports anywhere, including in functions and for types."""
    package = (
        dotted(path).split(".") if path.name == "__init__.py" else dotted(path).split(".")[:-1]
    )
    names = []
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            whole = [f"{base}.{alias.name}" for alias in node.names]
            names += [name if name in container else base for name in whole]
        nodes += ast.iter_child_nodes(node)
    return {name for name in names if name in container}


def circle_from(start: str, imports: dict[str, set[str]]) -> list[str] | None:
    """The shortest import cycle from a module back to itself, or None."""
    came_from: dict[str, str] = {}
    ways = [start]
    for module in ways:
        for other in sorted(imports[module] - came_from.keys()):
            came_from[other] = module
            ways.append(other)
    if start not in came_from:
        return None
    circle = [start]
    while len(circle) == 1 or circle[-1] != start:
        circle.append(came_from[circle[-1]])
    return circle[::-1]


def test_no_modules_import_each_other_in_a_circle_not_even_for_types() -> None:
    files = {dotted(path): path for path in MODULES}
    imports = {name: imports_of(path, files) for name, path in files.items()}
    circles = {frozenset(way): way for name in files if (way := circle_from(name, imports))}
    assert [" imports ".join(way) for way in circles.values()] == []


def test_a_circle_of_imports_is_found_and_told() -> None:
    imports = {"a": {"b"}, "b": {"c", "d"}, "c": {"b"}, "d": set[str]()}
    assert circle_from("b", imports) == ["b", "c", "b"]
    assert circle_from("a", imports) is circle_from("d", imports) is None


OF_NFCPY = {"_path", "_vendor_name", "_device_name"}
"""What nfcpy's drivers need and nothing public gives: who has opened which device."""

PUBLIC = {"_asdict", "_replace", "_fields", "_make"}
"""Documented names of `NamedTuple`, whose underscore keeps them apart from fields."""


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def test_no_private_name_of_a_dependency_is_used() -> None:
    """An attribute or an import that none of our modules defines is somebody else's."""
    files = [*MODULES, *SCRIPTS]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    own: set[str] = set()
    for tree in trees.values():
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    own.add(name)
                case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                    own.add(name)
                case ast.Attribute(attr=name, ctx=ast.Store()):
                    own.add(name)
    used = {
        f"{dotted(path)}: {name}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
        for name in _list_foreign(node)
        if _is_private(name) and name not in own | OF_NFCPY | PUBLIC
    }
    assert used == set()


def _list_foreign(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in PACKAGES:
        return [*(node.module or "").split("."), *(alias.name for alias in node.names)]
    return []


@pytest.mark.outer
def test_no_class_redefines_a_private_name_of_a_dependency() -> None:
    for path in [*MODULES, *SCRIPTS]:
        if path.stem == "__main__":
            continue
        for made in vars(import_module(dotted(path))).values():
            if not isinstance(made, type) or made.__module__ != dotted(path):
                continue
            theirs = {
                name
                for base in made.__mro__
                if base.__module__.partition(".")[0] not in (*PACKAGES, "scripts")
                for name, value in vars(base).items()
                if callable(value) or isinstance(value, property)
            }
            private = {name for name in theirs if _is_private(name) and not name.endswith("_")}
            assert {*vars(made)} & private == set(), made


def shipped_files() -> list[Path]:
    """Every file of the repository."""
    result = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    files = [ROOT / name for name in result.stdout.decode().split("\0") if name]
    return [path for path in files if path.is_file()]


@pytest.mark.outer
@pytest.mark.needs("git")
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


@pytest.mark.outer
@pytest.mark.needs("git")
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
