"""The rules of the code base: imports, length of modules, forbidden content."""

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

from scripts.participles import is_participle, list_bindings

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("companion", "engine", "tags", "common")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

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
    assert (
        matches & {"h11", "ssl", "asyncio", "jinja2", "segno"} == set()
    )  # phones are not requested


@pytest.mark.outer
def test_the_engine_loads_neither_companion_nor_tags_nor_the_outside_world() -> None:
    names = [dotted(path) for path in MODULES if dotted(path).startswith("engine")]
    matches = loaded_by(_import(names))
    assert matches & {"companion", "tags", "sqlite3", "socket", "asyncio", "subprocess"} == set()


@pytest.mark.outer
def test_tags_load_neither_companion_nor_engine_nor_a_screen() -> None:
    names = [dotted(path) for path in MODULES if dotted(path).startswith("tags")]
    names = [name for name in names if not name.endswith("__main__")]
    matches = loaded_by(_import(names))
    assert matches & {"companion", "engine", "textual", "rich", "sqlite3"} == set()


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports_of(path: Path, container: Container[str], *, types: bool) -> set[str]:
    """The modules that a file imports anywhere, including in functions; with `types` also those
    that it imports only for types."""
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
        if types or not _is_for_types(node):
            nodes += ast.iter_child_nodes(node)
    return {name for name in names if name in container}


def room_of(module: str) -> str:
    """The package of a module: in `companion` its subpackage, else the top-level one."""
    parts = module.split(".")
    return ".".join(parts[: 2 if parts[0] == "companion" else 1])


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


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Inside a room an import for types may point back."""
    files = {dotted(path): path for path in MODULES}
    imports = {name: imports_of(path, files, types=False) for name, path in files.items()}
    circles = {frozenset(way): way for name in files if (way := circle_from(name, imports))}
    assert [" imports ".join(way) for way in circles.values()] == []


def test_no_rooms_import_each_other_in_a_circle_not_even_for_types() -> None:
    files = {dotted(path): path for path in MODULES}
    rooms: dict[str, set[str]] = {room_of(name): set() for name in files}
    for name, path in files.items():
        others = {room_of(other) for other in imports_of(path, files, types=True)}
        rooms[room_of(name)] |= others - {room_of(name), "companion"}
    circles = {frozenset(way): way for room in rooms if (way := circle_from(room, rooms))}
    assert [" imports ".join(way) for way in circles.values()] == []


def test_names_of_one_module_are_imported_in_one_line() -> None:
    """A name for types joins the others, unless its module, too, has it only for types."""
    assert [line for path in MODULES for line in _list_imported_twice(path)] == []


def _list_imported_twice(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_run_time = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    return [
        f"{dotted(path)}: {node.module}.{alias.name}"
        for block in filter(_is_for_types, tree.body)
        for node in ast.iter_child_nodes(block)
        if isinstance(node, ast.ImportFrom) and node.module and node.module in at_run_time
        for alias in node.names
        if hasattr(import_module(node.module), alias.name)
    ]


def test_a_circle_of_imports_is_found_and_told() -> None:
    imports = {"a": {"b"}, "b": {"c", "d"}, "c": {"b"}, "d": set[str]()}
    assert circle_from("b", imports) == ["b", "c", "b"]
    assert circle_from("a", imports) is circle_from("d", imports) is None


# A function is named with a verb, or with the noun of what it returns; `kept` is neither.
PARTICIPLE = re.compile(
    r"_*([a-z]+ed|taken|said|told|kept|shown|spoken|drawn|written|held|made|sent|lost|found|built|given"
    r"|gone|known|left|meant|done|chosen|seen)"
)
NO_PARTICIPLES = {"feed", "_need"}
FOR_ALL_ACTIONS = {"closed"}  # the answers of an action: closed, objection, options, apply


def functions_of(path: Path) -> list[ast.FunctionDef]:
    """The functions of a module, without properties."""
    asts = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    functions = [node for node in asts if isinstance(node, ast.FunctionDef)]
    return [f for f in functions if "property" not in map(ast.unparse, f.decorator_list)]


def test_no_function_is_named_with_a_past_participle() -> None:
    names = {f.name for path in MODULES for f in functions_of(path)}
    assert "list_legal_moves" in names
    participles = {name for name in names if PARTICIPLE.fullmatch(name)}
    assert participles - NO_PARTICIPLES == FOR_ALL_ACTIONS


def test_a_module_is_short() -> None:
    others = [path for folder in ("tests", "scripts") for path in (ROOT / folder).rglob("*.py")]
    for path in MODULES + others:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


MOST_FILES = 310
MOST_OF_IMPORTS = 0.07
MOST_OF_PARTICIPLES = 0.015


def test_there_are_few_files_and_few_imports() -> None:
    """If you add a file, merge two others, or raise the limit and say why."""
    assert len(MODULES) <= MOST_FILES
    lines = imports = 0
    for path in (ROOT / "companion").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        lines += len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import | ast.ImportFrom) and node.end_lineno:
                imports += node.end_lineno - node.lineno + 1
    assert imports < MOST_OF_IMPORTS * lines


@pytest.mark.parametrize("folders", [PACKAGES, ("tests",)], ids=["product", "tests"])
def test_few_variables_are_named_with_a_bare_participle(folders: tuple[str, ...]) -> None:
    total = bare = 0
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for binding in list_bindings(path.read_text(encoding="utf-8")):
            total += 1
            bare += is_participle(binding.name)
    assert bare < MOST_OF_PARTICIPLES * total


def test_a_module_says_what_it_owns() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        assert ast.get_docstring(tree), f"{path} has no docstring"
        if len(tree.body) > 1:
            assert "from __future__ import annotations" in text, path


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
    matches = {
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in shipped_files()
        if path != Path(__file__).resolve()
        for match in telltale.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }
    assert matches == set()


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
