"""How many variables have a bare participle for a name: `found`, `told`, `wanted`.

A variable is a noun: `matches`, `lines`, `target`. Counted are the bindings of names by
assignments, loops, `with`, `as`, comprehensions, parameters, and attributes of classes and of
`self`; not functions, classes and modules.

`python scripts/participles.py [--list] [FOLDER ...]` prints the share of each folder, or every such
binding as PATH:LINE NAME.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("common", "companion", "engine", "tags", "scripts", "tests")

IRREGULAR = frozenset(
    re.findall(
        r"\w+",
        """
        begun born bound bought broken brought built caught chosen dealt done drawn driven eaten
        fallen felt forgotten found frozen given gone gotten grown heard held hidden kept known laid
        lain lent lost made meant met paid risen said seen sent shown sold sought spent spoken
        stolen struck sunk sworn taken taught thought thrown told torn understood woken won worn
        written
        """,
    )
)
"""Not those that are usual nouns, adjectives or verbs, too: left, read, run, set, put, shut."""

NOUNS = frozenset({"bed", "deed", "feed", "hundred", "need", "red", "seed", "shed", "speed"})
"""Words that look like participles and are usual names."""


class Binding(NamedTuple):
    """A name that gets a value."""

    line: int
    name: str


def is_participle(name: str) -> bool:
    """Whether the name is one word, and a past participle."""
    word = name.strip("_").lower()
    if word in NOUNS:
        return False
    return word in IRREGULAR or re.fullmatch("[a-z]{2,}ed", word) is not None


def list_bindings(source: str) -> Iterator[Binding]:
    """Every binding of a variable in the source."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield Binding(node.lineno, name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield Binding(node.lineno, name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield Binding(node.lineno, name)


def main(words: list[str]) -> int:
    """Print the shares, or the list."""
    listing = "--list" in words
    folders = [word for word in words if not word.startswith("--")] or FOLDERS
    for folder in folders:
        path = ROOT / folder
        total = bare = 0
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for binding in list_bindings(file.read_text(encoding="utf-8")):
                total += 1
                if is_participle(binding.name):
                    bare += 1
                    if listing:
                        print(f"{file.relative_to(ROOT)}:{binding.line} {binding.name}")
        if not listing:
            print(f"{folder:10} {bare:5} of {total:6} {bare / max(total, 1):6.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
