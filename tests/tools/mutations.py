"""Mutations of a program: the changes, their places, and the resulting code.

Mutants are only in function bodies, never in data, annotations, defaults or decorators, so that
replacing the code of functions puts them into a running program.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import NamedTuple

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip

Compile = Callable[[ast.Module, Path], CodeType]


class Mutant(NamedTuple):
    """One mutation: the index of its site in its file."""

    path: Path
    site: int
    line: int
    statement: int  # the first line of the mutated statement or lambda
    function: str


class Mutated(NamedTuple):
    """The mutation in words, and each changed code object with its replacement."""

    words: str
    code: dict[CodeType, CodeType]


class _Scope(NamedTuple):
    """A node's place: its statement or lambda, and its function."""

    function: str
    statement: int


class _Site(NamedTuple):
    node: ast.AST
    scope: _Scope
    change: Callable[[], None]


def find_mutants(path: Path) -> list[Mutant]:
    """Every mutant of a module."""
    return [
        Mutant(path, number, _line(site.node), site.scope.statement, site.scope.function)
        for number, site in enumerate(_sites(ast.parse(path.read_text("utf-8")), None))
    ]


def mutate(mutant: Mutant, action: Compile) -> Mutated:
    """Apply the mutation. Raises ValueError if the removed code contains functions."""
    text = mutant.path.read_text("utf-8")
    tree = ast.parse(text)
    words = make_mistake(tree, mutant.site)
    old, new = action(ast.parse(text), mutant.path), action(tree, mutant.path)
    code = {a: b for a, b in zip(_codes(old), _codes(new), strict=True) if a != b}
    return Mutated(words, code)


def make_mistake(tree: ast.Module, number: int) -> str:
    """Apply the mutation at that site of a module; returns its description."""
    site = list(_sites(tree, None))[number]
    before = _words(site.node)
    site.change()
    ast.fix_missing_locations(tree)
    return f"{before} -> {_words(site.node)}"


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _line(node: ast.AST) -> int:
    return node.body[0].lineno if isinstance(node, ast.Module) else getattr(node, "lineno", 0)


def _words(node: ast.AST) -> str:
    return ast.unparse(node).split("\n")[0][:70]


def _sites(node: ast.AST, scope: _Scope | None) -> Iterator[_Site]:
    """The mutation sites in and below a node, in a fixed order."""
    if scope is not None:
        if isinstance(node, ast.stmt):
            scope = scope._replace(statement=node.lineno)
        yield from (_Site(node, scope, change) for change in _list_changes(node))
    if isinstance(node, ast.Lambda):
        function = scope.function if scope is not None else "lambda"
        yield from _sites(node.body, _Scope(function, node.body.lineno))
        return
    inside = scope
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inside = _Scope(node.name, node.lineno)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args") and not isinstance(
            node, ast.Call
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _sites(child, inside)
        if name in ("body", "orelse") and isinstance(value, list) and inside is not None:
            yield from _removals(value, inside)


def _removals(body: list[ast.stmt], scope: _Scope) -> Iterator[_Site]:
    for place, statement in enumerate(body):
        acts = isinstance(statement, ast.AugAssign | ast.Raise) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        )
        keeps = isinstance(statement, ast.Assign) and not isinstance(
            statement.targets[0], ast.Name | ast.Tuple
        )
        if acts or keeps:
            holder = ast.Module(body=[statement], type_ignores=[])

            def remove(at: int = place, held: ast.Module = holder) -> None:
                held.body[0] = ast.copy_location(ast.Pass(), body[at])
                body[at] = held.body[0]

            yield _Site(holder, scope._replace(statement=statement.lineno), remove)


def _list_changes(node: ast.AST) -> Iterator[Callable[[], None]]:
    """The ways to mutate this node in place."""
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            other = _COMPARED[type(op)]()
            yield lambda place=place, other=other: node.ops.__setitem__(place, other)  # type: ignore[misc]
    elif isinstance(node, ast.BoolOp):
        result = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield lambda: setattr(node, "op", result)
    elif isinstance(node, ast.BinOp) and type(node.op) in _COUNTED:
        yield lambda: setattr(node, "op", _COUNTED[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda: setattr(node, "operand", _negate(node.operand))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda: setattr(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield lambda: setattr(node, "value", int(str(node.value)) + 1)
    elif isinstance(node, ast.If | ast.IfExp):
        yield lambda: setattr(node, "test", _negate(node.test))
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield lambda: setattr(node, "value", ast.copy_location(ast.Constant(None), node))


def _negate(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
