"""The line coverage of each test, kept on disk until the program changes.

The program is compiled with a mark before every statement of a function and in every lambda, which
is cheaper than line tracing.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import pickle
import sys
import zlib
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import accumulate
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple, TypeVar

from tests.tools.mutations import Compile

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ("common", "companion", "engine", "tags")
KEPT = Path(sys.prefix) / "reached_by_tests"
MARKS = "__reached__"  # the object that the marks write to: a name visible in every module

Mark = TypeVar("Mark", bound=ast.AST)


class Usual(NamedTuple):
    """A test's run without a mutation: its seconds of CPU time and its compressed
    marks."""

    written: str  # the digest of its file
    seconds: float
    reached: bytes


class Lines:
    """The lines of the program, and those reached since `forget`."""

    def __init__(self) -> None:
        files = [file for file in list_files() if file.suffix == ".py"]
        lengths = [len(file.read_text("utf-8").splitlines()) + 1 for file in files]
        self._begin = dict(zip(files, accumulate([0, *lengths]), strict=False))
        self._marks = bytearray(sum(lengths))
        setattr(builtins, MARKS, self._marks)

    def compile(self, tree: ast.Module, file: Path) -> CodeType:
        """Compile a module with marks."""
        marks = ast.fix_missing_locations(_Marker(self._begin[file]).visit(tree))
        return compile(marks, str(file), "exec", dont_inherit=True)

    def forget(self) -> None:
        """Clear the marks."""
        self._marks[:] = bytes(len(self._marks))

    def reached(self) -> bytes:
        """The lines reached, for `is_reached`."""
        return zlib.compress(self._marks, 1)

    def is_reached(self, file: Path, line: int, data: bytes) -> bool:
        """Whether that line of a module is in `data`."""
        return zlib.decompress(data)[self._begin[file] + line] > 0


def count_lines(data: bytes) -> int:
    """How many lines are in `data`."""
    return zlib.decompress(data).count(1)


def import_with(action: Compile) -> None:
    """Use this compiler for all imports of the program from now on."""
    sys.meta_path.insert(0, _Finder(action))


class _Finder(MetaPathFinder):
    def __init__(self, action: Compile) -> None:
        self._compile = action

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] not in PROGRAM:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(name, spec.origin, self._compile)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, action: Compile) -> None:
        super().__init__(name, path)
        self._compile = action

    def get_code(self, fullname: str) -> CodeType:
        """Compile the module, never using cached bytecode."""
        file = Path(self.path)
        return self._compile(ast.parse(file.read_text("utf-8")), file)


class _Marker(ast.NodeTransformer):
    """Inserts a mark before each statement of a function, and into each lambda."""

    def __init__(self, begin: int) -> None:
        self._begin = begin
        self._inside = False

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        write = f"{MARKS}.__setitem__({self._begin + node.body.lineno}, 1)"
        mark = _place(ast.parse(write, mode="eval").body, node.body)
        node.body = ast.copy_location(ast.BoolOp(ast.Or(), [mark, node.body]), node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._visit_function(node)

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        outside, self._inside = self._inside, True
        self.generic_visit(node)
        self._inside = outside
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        outside, self._inside = self._inside, False
        self.generic_visit(node)
        self._inside = outside
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if self._inside and not isinstance(node, ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                body = getattr(node, name, None)
                if isinstance(body, list):
                    setattr(node, name, [one for line in body for one in self._marked(line)])
        return node

    def _marked(self, statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return [statement]  # a docstring must stay first
        (mark,) = ast.parse(f"{MARKS}[{self._begin + statement.lineno}] = 1").body
        return [_place(mark, statement), statement]


def _place(mark: Mark, at: ast.AST) -> Mark:
    for node in ast.walk(mark):
        ast.copy_location(node, at)
    return mark


def load() -> dict[str, Usual]:
    """The runs of the tests, by name, if the program is unchanged."""
    state, _, data = KEPT.read_bytes().partition(b"\n") if KEPT.exists() else (b"", b"", b"")
    return pickle.loads(data) if state == _state() else {}  # noqa: S301 - our own file


def keep(usual: dict[str, Usual]) -> None:
    """Replace what is kept."""
    KEPT.write_bytes(_state() + b"\n" + pickle.dumps(usual))


def digest(file: Path) -> str:
    """A short digest of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _state() -> bytes:
    files = [Path(__file__), *list_files()]
    state = [sys.version, *(f"{file.relative_to(ROOT)} {digest(file)}" for file in files)]
    return hashlib.sha256("\n".join(state).encode()).hexdigest().encode()


def list_files() -> Iterator[Path]:
    """Every file of the program, modules and data."""
    for room in PROGRAM:
        for file in sorted((ROOT / room).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file
