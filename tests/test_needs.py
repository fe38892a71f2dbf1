"""What a run says of the tests that it skipped; only `needs.py` knows what may be missing."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import needs

ROOT = Path(__file__).parents[1]
TESTS = sorted(path for path in Path(__file__).parent.rglob("*.py") if path.name != "needs.py")


def test_the_summary_says_how_many_lack_what_and_how_to_install_it() -> None:
    reasons = ["needs tmux", "needs labels, poppler", "needs tmux", "needs scan", "takes root"]
    reasons.append("needs uv")
    assert needs.summarize(reasons) == [
        "tmux (2), poppler (1): on Debian or Ubuntu, sudo apt install tmux poppler-utils",
        'the extra labels (1), scan (1): make extras ARGS="labels scan"',
        "uv (1): pipx install uv",
        "another system or user (1): make test ARGS=-rs lists them all",
    ]


def test_packages_to_compile_an_extra_are_named_with_it() -> None:
    text, *_others = needs.summarize(["needs pcsc, pcscd"])
    assert text.endswith("apt install pcscd vsmartcard-vpcd libpcsclite-dev swig gcc libc6-dev")


def test_nothing_is_said_of_a_run_that_skipped_nothing() -> None:
    assert needs.summarize([]) == []


CONFTEST = """
from tests.needs import NEEDS, Need, pytest_runtest_setup, pytest_terminal_summary

NEEDS["tmux"] = Need(lambda: False, ("tmux",))

def pytest_configure(config):
    config.addinivalue_line("markers", "needs(...): as in pyproject.toml")
"""
SKIPPED = """
import pytest

@pytest.mark.needs("tmux")
def test_in_tmux():
    assert False

def test_passes():
    pass
"""


@pytest.mark.outer
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_ends_with_the_summary(tmp_path: Path, workers: str) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(SKIPPED)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "--rootdir", ".", "-n", workers],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    *_others, text, how, last = result.stdout.splitlines()
    assert text == ("All is well: whatever can run here has passed. Skipped tests (1) need")
    assert how == "  tmux (1): on Debian or Ubuntu, sudo apt install tmux"
    assert "1 passed, 1 skipped" in last


def test_every_extra_that_a_test_needs_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {need.extra for need in needs.NEEDS.values()} - {""}
    assert extras <= {*project["optional-dependencies"]}


def test_what_may_be_missing_is_named_in_one_place() -> None:
    """Elsewhere, tests skip only because of the system or the user."""
    for path in TESTS:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            place = f"{path.relative_to(ROOT)}:{call.lineno}"
            if call.func.attr == "importorskip":
                assert isinstance(call.args[0], ast.Constant), place
                assert call.args[0].value in sys.stdlib_module_names, place
            if call.func.attr == "skipif":
                condition = ast.unparse(call.args[0])
                assert "which" not in condition, place
                assert "find_spec" not in condition, place
