"""`make test ARGS=--changed`: only the tests that reach lines changed since `make mutants` recorded
which test reaches which lines.

A changed line counts as reached by the tests that reach its statement; one outside functions, by
all that reach its module; a changed file that is no module, by all that were recorded. Tests whose
own file has changed since run as well, those beside or below a changed helper, and those of the
inner ring that are new. Nothing is recorded of the outer ring, which does not run.
"""

from __future__ import annotations

import ast
import difflib
import zlib
from collections.abc import Mapping

import pytest

from tests.tools import reaching
from tests.tools.reaching import ROOT, Kept

RECORD = 'make mutants ARGS="--count 0"'


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--changed", action="store_true", help="tests that reach changed lines only")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse `--changed` before any worker starts: pytest-xdist would show a worker's refusal as an
    error of its own."""
    is_worker = hasattr(config, "workerinput")
    if config.getoption("--changed") and not is_worker and reaching.load_older() is None:
        raise pytest.UsageError(f"nothing is recorded yet; {RECORD} does it in some minutes")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Say why no test ran: what the outer ring reaches is not recorded."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.getoption("--changed"):
        writer = session.config.get_terminal_writer()
        writer.line("\nNo recorded test reaches what has changed; make test runs all.")


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave only the tests that reach changed lines, if that was asked for."""
    if not config.getoption("--changed"):
        return
    older = reaching.load_older()
    assert older is not None  # else refused
    now = {str(file.relative_to(ROOT)): file.read_bytes() for file in reaching.list_files()}
    names = find_reaching(older, now)
    helpers = [
        ROOT / name for name, text in reaching.list_helpers() if older.helpers.get(name) != text
    ]
    entries = {path: reaching.digest(path) for path in {item.path for item in items}}

    def is_meant(item: pytest.Item) -> bool:
        usual = older.usual.get(item.nodeid)
        if usual is None:
            return item.get_closest_marker("outer") is None
        beside = any(item.path.is_relative_to(helper.parent) for helper in helpers)
        return item.nodeid in names or usual.written != entries[item.path] or beside

    choices = [item for item in items if is_meant(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(choices)])
    items[:] = choices


def find_reaching(record: Kept, now: Mapping[str, bytes]) -> set[str]:
    """The recorded tests that reach what differs between the program then and `now`."""
    marks: set[int] = set()
    for name, (begin, before) in record.program.items():
        after = now.get(name)
        if after == before:
            continue
        if not name.endswith(".py"):
            return set(record.usual)
        marks |= {begin + line for line in find_marks(before.decode(), (after or b"").decode())}
    return {
        test
        for test, usual in record.usual.items()
        if marks and any(map(zlib.decompress(usual.reached).__getitem__, marks))
    }


def find_marks(before: str, after: str) -> set[int]:
    """The lines of the earlier text whose marks stand for what has changed."""
    tree, lines = ast.parse(before), before.splitlines()
    changes: set[int] = set()
    matcher = difflib.SequenceMatcher(None, lines, after.splitlines(), autojunk=False)
    for kind, first, last, _begin, _end in matcher.get_opcodes():
        if kind == "insert":
            changes |= {first, first + 1}  # the lines around it
        elif kind != "equal":
            changes |= set(range(first + 1, last + 1))
    return {mark for line in changes for mark in _find_marks_of(tree, line, len(lines))}


def _find_marks_of(tree: ast.Module, line: int, length: int) -> set[int]:
    """Those of the innermost statement of a function on that line; for one outside the body of any
    function, those of the smallest part of the module around it."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    around = [node for node in ast.walk(tree) if isinstance(node, functions) and _has(node, line)]
    if not around:
        return set(range(1, length + 1))
    inner = max(around, key=lambda node: node.lineno)
    if isinstance(inner, ast.Lambda):
        return {inner.body.lineno, inner.lineno}
    statements = [
        node for part in inner.body for node in ast.walk(part) if isinstance(node, ast.stmt)
    ]
    here = [node for node in statements if _has(node, line)]
    if not here:  # its signature or docstring
        return {node.lineno for node in statements}
    return {max(here, key=lambda node: (node.lineno, -(node.end_lineno or 0))).lineno}


def _has(node: ast.expr | ast.stmt, line: int) -> bool:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return first <= line <= (node.end_lineno or first)
