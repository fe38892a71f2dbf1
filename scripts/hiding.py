"""Find local names that hide a module that their own module imports: `make lint` runs it.

python scripts/hiding.py     # prints FILE:LINE: of each, and exits with 1 if there are any
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
_ROOMS = ("common", "companion", "engine", "scripts", "tags", "tests")


def find_hiding(text: str) -> Iterator[tuple[int, str]]:
    """Each local of this module's functions with the name of an imported module, with its line."""
    tree = ast.parse(text)
    modules = set(_list_modules(tree))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                name = _find_bound(node)
                if name in modules:
                    yield node.lineno, name  # type: ignore[attr-defined]


def _list_modules(tree: ast.Module) -> Iterator[str]:
    """The names under which the module imports others, at its top."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (one.asname or one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            folder = ROOT.joinpath(*node.module.split("."))
            for one in node.names:
                if (folder / f"{one.name}.py").exists() or (folder / one.name).is_dir():
                    yield one.asname or one.name


def _find_bound(node: ast.AST) -> str | None:
    """The name that the node binds, if it binds one."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.ExceptHandler):
        return node.name
    return None


def main() -> int:
    """Print what is found."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name} hides the module of that name"
        for room in _ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, name in sorted(set(find_hiding(path.read_text(encoding="utf-8"))))
    ]
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
