"""Everything that docs/dev/adding.md requires for a new thing exists for all current ones; a
missing part fails with a sentence that names the file."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from importlib import import_module
from inspect import signature
from itertools import chain
from pathlib import Path

import pytest

from companion.commands.declared import Command
from companion.commands.declared import list_names as list_options
from companion.commands.names import find_command, list_below, list_names
from companion.extending import GROUP
from companion.language import list_offered
from companion.settings.keys import ACTIONS, SCREEN_ACTIONS, list_in_force
from companion.verbs import VERBS
from engine import cards, datafiles, explain
from engine.editions import editions
from engine.moves import GRAMMAR
from engine.rules.characters import POWERS
from tags.readers.roads import ROADS, Road
from tests.engine import boxes
from tests.engine.bookkeeping import keeper
from tests.engine.playing import game
from tests.engine.test_rules_coverage import rows
from tests.games.regenerate import GAMES
from tests.test_house import MODULES, PACKAGES

ROOT = Path(__file__).parents[1]
DISTRICTS = {id_ for printing in boxes.PRINTINGS for id_ in boxes.districts(printing)}
UNIQUES = [id_ for id_, facts in datafiles.load("districts").items() if facts["type"] == "unique"]


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "listed"), [("characters", {*boxes.CHARACTERS}), ("districts", DISTRICTS)]
)
def test_the_cards_are_those_of_the_boxes(kind: str, listed: set[str]) -> None:
    entries = datafiles.load_shipped(kind)
    for id_ in listed:
        text = f"engine/data/cards/{id_}.yaml, or else engine/data/{kind}.yaml, lacks {id_}"
        assert id_ in entries, text
    for id_ in entries:
        assert id_ in listed, f"tests/engine/boxes.py lacks {id_}, which is in no box without it"


def test_the_editions_are_those_of_the_boxes() -> None:
    for id_ in boxes.EDITIONS:
        assert id_ in editions(), f"engine/data/editions.yaml lacks {id_}"
    for id_ in editions():
        assert id_ in boxes.EDITIONS, f"EDITIONS in tests/engine/boxes.py lacks {id_}"


@pytest.mark.parametrize("code", list_offered())
def test_every_card_has_its_words_in_every_language(code: str) -> None:
    names = datafiles.load_shipped(f"names.{code}")["cards"]
    texts = datafiles.load_shipped(f"texts.{code}")
    fields = datafiles.load_shipped("texts.en")
    for id_ in chain(datafiles.load_shipped("characters"), datafiles.load_shipped("districts")):
        where = f"engine/data/cards/{id_}.yaml, or else engine/data/{{}}.{code}.yaml"
        assert id_ in names, f"{where.format('names')}, lacks the name of {id_}"
        is_wanted = id_ in fields or id_ in cards.characters()
        assert id_ in texts or not is_wanted, f"{where.format('texts')}, lacks the text of {id_}"
        usual = id_ in cards.characters()
        assert not usual or "usually" in texts[id_], f"{where.format('texts')}: {id_} lacks usually"


VERBS_OF_POWERS = {power.verb for powers in POWERS.values() for power in powers}
VERBS_OF_CARDS = set(chain.from_iterable(datafiles.load_of_cards("moves").values()))


@pytest.mark.parametrize("verb", sorted(VERBS_OF_POWERS | VERBS_OF_CARDS))
def test_every_verb_of_a_power_is_known(verb: str) -> None:
    assert verb in GRAMMAR, f"moves in a card's file, or GRAMMAR in engine/moves.py, lacks {verb}"
    lacks = f"engine/rules/characters/hands.py, or a module beside it, lacks {verb}"
    assert verb in VERBS_OF_POWERS, lacks
    assert verb in VERBS, f"companion/verbs/powers.py, or a module beside it, lacks {verb}"
    name = "tests/engine/bookkeeping/powers.py, or a module beside it, lacks"
    assert verb in keeper.MOVES, f"{name} {verb}"


def test_every_sentence_of_a_book_has_its_record() -> None:
    for view in chain.from_iterable(row.shown for row in rows()):
        path = (GAMES / f"{view.record}.yaml").relative_to(ROOT)
        assert (ROOT / path).exists(), (
            f"docs/dev/rules-coverage.md names {path}, which is not there"
        )


@pytest.mark.parametrize(
    ("kind", "ids"), [("characters", {*cards.characters()}), ("districts", {*UNIQUES})]
)
def test_every_card_has_its_game(kind: str, ids: set[str]) -> None:
    shown = {path.stem.partition(".")[0] for path in (GAMES / kind).glob("*.yaml")}
    for id_ in ids:
        assert id_ in shown, f"tests/games/{kind}/{id_}.yaml is not there"
    for id_ in shown:
        text = f"engine/data/cards/{id_}.yaml, or else engine/data/{kind}.yaml, lacks {id_}"
        assert id_ in ids, text


def test_every_rule_refuses_in_a_game() -> None:
    """In one of its name, or in that of a character."""
    shown = {path.stem for path in (GAMES / "refused").glob("*.yaml")}
    for path in (GAMES / "characters").glob("*.json"):
        refusal = json.loads(path.read_text(encoding="utf-8"))["refused"]
        shown |= {refusal["rule"]} if refusal else set()
    for rule in explain.rules():
        assert rule in shown, f"tests/games/refused/{rule}.yaml is not there"
    for rule in shown:
        assert rule in explain.rules(), f"engine/data/rules.yaml, or a card's file, lacks {rule}"


def test_every_box_on_the_page_for_players_is_in_the_data() -> None:
    for id_ in re.findall(r"^\| `(\w+)`", read("docs/boxes.md"), re.MULTILINE):
        assert id_ in editions(), f"engine/data/editions.yaml lacks {id_}, a box of docs/boxes.md"


@pytest.mark.parametrize("name", list_names())
def test_every_command_is_a_module(name: str) -> None:
    command = find_command(name)
    assert command is not None
    if list_below(name):
        return
    path = f"{command.module.replace('.', '/')}.py"
    assert (ROOT / path).exists(), f"{name} is declared, but {path} is not there"
    assert isinstance(import_module(command.module).run, Command), f"{path} lacks run"


def test_every_module_of_a_command_is_declared() -> None:
    modules = {command.module for name in list_names() if (command := find_command(name))}
    for folder in (ROOT / "companion").rglob("commands"):
        place = "companion/commands/names.py"
        if folder.parent.name != "companion":
            place = f"{folder.parent.relative_to(ROOT).as_posix()}/__init__.py"
        for path in folder.rglob("*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if "\n@command(" in path.read_text(encoding="utf-8"):
                assert module in modules, f"commands in {place} lack {path.stem}"


def test_every_command_that_looks_back_has_its_test() -> None:
    for path in (ROOT / "companion/extensions/looking_back/commands").glob("[a-z]*.py"):
        test = f"tests/looking_back/test_{path.name}"
        assert (ROOT / test).exists(), f"{test} is not there"


def test_what_a_command_prints_for_programs_is_told() -> None:
    pages = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "docs/reference").glob("*.md")
    )
    for name in list_names():
        command = find_command(name)
        if command is None or list_below(name):
            continue
        options = chain.from_iterable(map(list_options, import_module(command.module).run.options))
        is_told = re.search(rf"`[^`\n]*\b{name.rpartition(' ')[2]}\b[^`\n]* --json", pages)
        assert is_told or "--json" not in options, f"docs/reference/api.md lacks {name} --json"


@pytest.mark.documents
def test_every_extension_is_installed_and_has_its_tests() -> None:
    points = tomllib.loads(read("pyproject.toml"))["project"]["entry-points"][GROUP]
    for path in (ROOT / "companion" / "extensions").glob("*/__init__.py"):
        assert path.parent.name in points, f"pyproject.toml lacks {path.parent.name}"
    for name in points:
        module = f"companion/extensions/{name}/__init__.py"
        assert (ROOT / module).exists(), f"{module} is not there"
        has_tests = any((ROOT / "tests" / name).glob("test_*.py"))
        assert has_tests, f"tests/{name}/test_{name}.py is not there, nor another beside it"


def test_every_module_that_is_imported_is_there() -> None:
    """Also modules that are imported lazily."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES):
                target = (node.module or "").replace(".", "/")
                there = (ROOT / f"{target}.py").exists() or (ROOT / target).is_dir()
                assert there, f"{path.relative_to(ROOT)} imports {target}.py, which is not there"


def test_every_reader_has_its_road_and_its_test() -> None:
    modules = {road.reader.partition(".")[0] for road in ROADS.values()}
    folder = ROOT / "tags" / "readers"
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests/tags").glob("test_*.py"))
    for name in modules:
        assert (folder / f"{name}.py").exists(), f"ROADS names tags/readers/{name}.py"
        assert f"tags.readers.{name} import" in tests, f"tests/tags/test_{name}.py is not there"
    for path in folder.glob("*.py"):
        is_reader = re.search(r"^class \w+Reader\b", path.read_text(encoding="utf-8"), re.MULTILINE)
        if is_reader and path.stem not in ("auto_reader", "line_reader", "simulated"):
            assert path.stem in modules, f"ROADS in tags/readers/roads.py lacks {path.stem}"


@pytest.mark.parametrize("road", ROADS.values(), ids=ROADS)
def test_every_road_is_told(road: Road) -> None:
    beginning = re.split(r",|by-id|[A-Z]", road.words)[0]
    page = "docs/reference/readers.md"
    assert beginning in read(page), f"{page} does not mention {beginning}"


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_of_the_screen_is_carried_out_and_told(action: str) -> None:
    from companion.app.caller_app import CallerApp
    from companion.app.screens.table_screen import TableScreen

    is_done = any(hasattr(each, f"action_{action}") for each in (TableScreen, CallerApp))
    assert is_done, f"companion/app/screens/table_screen.py lacks action_{action}"


def test_every_action_of_the_table_has_its_keys() -> None:
    from companion.app.screens.table_screen import TableScreen

    for name, method in vars(TableScreen).items():
        if name.startswith("action_") and len(signature(method).parameters) == 1:  # no click's
            lacks = f"SCREEN_ACTIONS in companion/settings/keys.py lacks {name}"
            assert name.removeprefix("action_") in (*ACTIONS, "back"), lacks  # Escape, everywhere


def test_the_help_tells_of_every_action() -> None:
    from companion.app.help import keys

    rules = game().table.rules
    text = " ".join(keys(list_in_force({}), rules, {"reader", "phones"}).plain.split())
    for action in SCREEN_ACTIONS:
        assert action.does in text, f"companion/app/help.py leaves out the group {action.group}"
