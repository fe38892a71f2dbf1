"""Every name in backticks, in docs/dev and in docstrings, is a name of the program: what was
renamed or removed is found here."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from companion.settings.all_settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("common", "companion", "engine", "scripts", "tags")
SOURCES = [
    path
    for name in (*PACKAGES, "tests")
    for path in sorted((ROOT / name).rglob("*.py"))
    if path != Path(__file__)
]
DATA = ("*.yaml", "*.html", "*.js", "*.css", "*.tcss", "*.svg", "*.toml", "*.txt")

NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
OTHERS = {
    "Archit.",  # what a cut name looks like
    "haendler", "hoejby",  # what is typed for letters that a keyboard lacks
}  # fmt: skip
ENDINGS = {"py", "pot", "yaml", "md", "html", "txt", "css"}


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def names_in(tree: ast.AST) -> Iterator[str]:
    """Every identifier, and the words of short texts, such as the name of a move."""
    for node in ast.walk(tree):
        for kind in ("id", "attr", "arg", "name", "asname"):
            word = getattr(node, kind, None)
            yield from word.split(".") if isinstance(word, str) else ()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\w+", node.value) if "\n" not in node.value else ()


@cache
def known() -> tuple[set[str], dict[str, set[str]]]:
    """Every name, and by the name of each module and class those within it."""
    names = {part for path in SOURCES for part in path.with_suffix("").parts}
    within: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        here = set(names_in(parse(path)))
        names |= here
        is_package = path.name == "__init__.py"
        within[path.parent.name if is_package else path.stem] |= here
        within[path.parent.name].add(path.stem)
        within[path.parent.parent.name].add(path.parent.name)
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ClassDef):
                within[node.name] |= set(names_in(node))
    for folder in (ROOT / package for package in PACKAGES):
        for path in (path for kind in DATA for path in folder.rglob(kind)):
            names |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return names, within


def find_unknown(text: str) -> list[str]:
    """The names in backticks that nothing has."""
    names, within = known()
    unknown = []
    for word in re.findall(r"(?<!`)`{1,2}([^`\n]+)`{1,2}", text):
        if not NAME.fullmatch(word) or word in OTHERS or word in SETTINGS:
            continue
        parts = [part for part in word.removesuffix("()").split(".") if part not in ENDINGS]
        holes = re.split(r"_|x|\.", word)  # what the reader fills in, as in `action_NAME`
        places = any(part.isupper() and len(part) > 1 for part in holes)
        is_there = all(part in names for part in parts) and all(
            part in within[before] for before, part in pairwise(parts)
            if before in within and word.rpartition(".")[2] not in ENDINGS
        )  # fmt: skip
        if not is_there and not places:
            unknown.append(word)
    return unknown


def docstrings(path: Path) -> str:
    """The texts below a module, class, function or value that tell of it."""
    nodes = (node for node in ast.walk(parse(path)) if isinstance(node, ast.Expr))
    values = (node.value for node in nodes if isinstance(node.value, ast.Constant))
    return "\n".join(value.value for value in values if isinstance(value.value, str))


@pytest.mark.documents
def test_every_name_exists() -> None:
    """On the pages for contributors and in docstrings; in one test, because the names are collected
    once in each process."""
    texts = {
        path: docstrings(path) for path in SOURCES if path.relative_to(ROOT).parts[0] in PACKAGES
    }
    for page in (ROOT / "docs" / "dev").glob("*.md"):
        texts[page] = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    unknown = {str(path.relative_to(ROOT)): find_unknown(text) for path, text in texts.items()}
    assert {path: words for path, words in unknown.items() if words} == {}

    gone = "`addresses.parse_address`, `Referee.parse_address`, `gone_for_good`"
    assert find_unknown(gone) == gone.replace("`", "").split(", ")
    assert find_unknown("`roads.parse_place`, ``own_files.replace()``, `--reader`, `gold`") == []
