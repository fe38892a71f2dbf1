"""docs/dev/rules-coverage.md: every question on which the boxes disagree names an existing test."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from engine import datafiles
from engine.editions import editions, switches
from tests.games.regenerate import GAMES, UNANSWERED

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "dev" / "rules-coverage.md"
TESTS = ROOT / "tests" / "engine"
OURS = "*ours*"
CONTRADICTIONS = 43  # questions on which rulebooks disagree


def rows(part: str | None = None) -> list[list[str]]:
    """The cells of every row of the questions' tables, or of the tables under one heading."""
    found, heading, is_wanted = [], "", False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        is_wanted = line.startswith("|") and (is_wanted or line.startswith("| Question "))
        is_row = is_wanted and not line.startswith(("|---", "| Question "))
        if is_row and part in (None, heading):
            found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return found


@cache
def functions_of(name: str) -> frozenset[str]:
    """The test functions of a module of these tests."""
    tree = ast.parse((TESTS / name).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_row_has_a_question_what_is_played_and_what_holds_it() -> None:
    for row in rows():
        question, move, text, name = row
        assert question, row
        places = [place.partition(", ") for place in text.split("; ")]
        in_books = all(book in datafiles.load("books") and place for book, _, place in places)
        assert text in switches() or text == OURS or in_books, row
        assert move, row
        assert name, row
    questions = [row[0] for row in rows()]
    assert len(set(questions)) == len(questions)
    assert len(rows("The contradictions")) == CONTRADICTIONS


def test_every_named_test_and_record_exists() -> None:
    count = 0
    for *_, text in rows():
        for name in text.split(", "):
            count += 1
            if name.endswith(".yaml"):
                record = GAMES / name
                assert record.exists(), name
                is_answered = record.parent.name not in UNANSWERED
                assert record.with_suffix(".json").exists() is is_answered, name
            else:
                module, function = name.split("::")
                assert function in functions_of(module), name
    assert count > len(rows())


def test_every_switch_has_its_row() -> None:
    names = [row[2] for row in rows()]
    assert sorted(name for name in names if name in switches()) == sorted(switches())


def test_nothing_else_is_written_as_code_that_is_not_there() -> None:
    """Editions and paths in backquotes exist."""
    text = PAGE.read_text(encoding="utf-8")
    for word in re.findall(r"`([^`]+)`", text):
        is_there = word in editions() or (ROOT / word).exists() or word == "test_…"
        assert is_there, word
