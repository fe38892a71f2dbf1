"""No rule depends on an edition's name, only on its data."""

from __future__ import annotations

import ast
import re
from itertools import zip_longest
from pathlib import Path

import pytest

from engine import record, views
from engine.editions import editions
from engine.ruleset import Ruleset
from engine.table import Table
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import random_game

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "companion", "tags", "common")
MODULES = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
RULES = ("engine/rules/", "engine/position/", "engine/scoring.py", "engine/table.py",
         "engine/referee.py")  # fmt: skip
NAMING = {
    "engine/record.py": {"classic_2016"},  # the default edition of a record
    # the usual value of a setting, and an example of one
    "companion/settings/all_settings.py": {"classic_2016", "millennium_3e"},
}


def named_in(path: Path) -> set[str]:
    """The editions and printings that the module's strings name, docstrings aside."""
    names = {*editions(), *(edition.printing for edition in editions().values())}
    text = path.read_text(encoding="utf-8")
    whole = re.sub(r"""["']\s*[bf]?["']""", "", text)  # strings in parts are one to the parser
    if not any(name in whole for name in names):
        return set()  # parsing takes long
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]
    return {name for name in names if any(name in text for text in strings)}


def test_no_program_text_names_an_edition() -> None:
    results = {str(path.relative_to(ROOT)): named_in(path) for path in MODULES}
    assert {path: names for path, names in results.items() if names} == NAMING


def test_rules_do_not_even_look_at_the_edition() -> None:
    for path in MODULES:
        if str(path.relative_to(ROOT)).startswith(RULES):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            looked_at = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            assert looked_at & {"edition", "printing", "edition_id"} == set(), path


@pytest.mark.parametrize("box", EDITIONS)
def test_an_edition_under_another_name_plays_the_same(box: str) -> None:
    edition = editions()[box]
    nameless = edition._replace(id="nameless", title=edition.title)
    setup = record.read_setup(random_setup(box, 1))
    games = [
        random_game(
            Table(Ruleset(each, setup.players, cast=setup.characters, uniques=setup.districts), 0),
            "named",
            choose=False,
        )
        for each in (edition, nameless)
    ]
    for referee, other in zip_longest(*games):
        assert told(referee.table) == told(other.table)


def told(table: Table) -> dict[str, object]:
    """The table as JSON, without the edition's name."""
    answer = views.table_json(table, full=True)
    score = answer["score"] and {**answer["score"], "edition": ""}
    return {**answer, "edition": "", "score": score}
