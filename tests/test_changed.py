"""`make test ARGS=--changed` runs the tests that reach changed lines."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from tests.tools import reaching
from tests.tools.changed import find_marks, find_reaching, pytest_configure
from tests.tools.reaching import Kept, Usual

BEFORE = """\
LIMIT = 3


def count(coins):
    if coins > LIMIT:
        return LIMIT
    return coins


def pay(coins):
    left = (
        LIMIT -
        coins
    )
    return left
"""


@pytest.mark.parametrize(
    ("old", "new", "marks"),
    [
        ("        return LIMIT\n", "        return 4\n", {6}),
        ("    if coins > LIMIT:\n", "    if coins >= LIMIT:\n", {5}),
        ("        coins\n", "        coins + 1\n", {11}),  # within a statement
        ("def pay(coins)", "def pay(coins, tax=0)", {11, 15}),  # its signature: all of it
        ("LIMIT = 3", "LIMIT = 4", set(range(1, 16))),  # outside functions: all of the module
        ("", "", set()),
    ],
)
def test_a_changed_line_has_the_marks_of_its_statement(old: str, new: str, marks: set[int]) -> None:
    assert find_marks(BEFORE, BEFORE.replace(old, new, 1)) == marks


def test_a_new_line_is_reached_by_what_reaches_its_neighbours() -> None:
    after = BEFORE.replace("    return left\n", "    left -= 1\n    return left\n")
    assert find_marks(BEFORE, after) == {11, 15}


def test_without_a_record_the_run_is_refused_before_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.setattr(reaching, "KEPT", tmp_path / "none")
    monkeypatch.setattr(pytestconfig.option, "changed", True)
    monkeypatch.delattr(pytestconfig, "workerinput", raising=False)
    with pytest.raises(pytest.UsageError, match="nothing is recorded yet"):
        pytest_configure(pytestconfig)


def test_only_tests_that_reach_the_change_are_left() -> None:
    begin = 5  # the marks of another module come before

    def run(*lines: int) -> Usual:
        marks = bytearray(begin + 20)
        for line in lines:
            marks[begin + line] = 1
        return Usual("", 0.1, zlib.compress(bytes(marks)))

    usual = {"counts": run(5, 7), "counts much": run(5, 6), "pays": run(11, 15)}
    other = b"colours: [red]\n"
    program = {"engine/coins.py": (begin, BEFORE.encode()), "engine/data/x.yaml": (0, other)}
    record = Kept(usual, program, {})
    same = {"engine/coins.py": BEFORE.encode(), "engine/data/x.yaml": other}
    assert find_reaching(record, same) == set()
    changed = BEFORE.replace("        return LIMIT\n", "        return 4\n").encode()
    assert find_reaching(record, {**same, "engine/coins.py": changed}) == {"counts much"}
    assert find_reaching(record, {**same, "engine/data/x.yaml": b"colours: []\n"}) == set(usual)
    without = {"engine/data/x.yaml": other}
    assert find_reaching(record, without) == set(usual)
