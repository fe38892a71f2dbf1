"""docs/dev/rules-coverage.md: every sentence of the rulebooks has a record, which plays as the page
says, and every question on which the boxes disagree an existing test.

A row is tested in every box that it names: its record is played there too, with that box's rules,
and must end the same way.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from common.problems import Problems
from engine import cards, datafiles, record, words
from engine.editions import editions, switches
from engine.explain import Refused
from engine.referee import Referee
from tests.engine.boxes import OWN_FILES
from tests.games.regenerate import GAMES, UNANSWERED

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "dev" / "rules-coverage.md"
TESTS = ROOT / "tests" / "engine"
OURS = "*ours*"
DELUXE_HEADINGS = ("3-Player Rule Changes", "Using 9 Characters", "Customization Rules",
                   "Preset Options")  # fmt: skip
AT_THE_TABLE = "*at the table*: "
_SHOWN = re.compile(r"(?P<record>[\w./]+)(?: (?P<sign>[▸✗]) (?P<what>.+))?")


class Shown(NamedTuple):
    """A record, and the move that it must accept or the rule that must refuse its last move."""

    record: str
    move: str | None
    rule: str | None


class Row(NamedTuple):
    """A sentence of a rulebook; `reason` says why no record shows it, `test` names the test of a
    set-up rule."""

    sentence: str
    section: str
    boxes: tuple[str, ...]
    played: str
    shown: tuple[Shown, ...]
    reason: str
    test: str


def tables(head: str) -> list[list[str]]:
    """The rows of every table on the page whose header has that prefix."""
    found, is_wanted = [], False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            is_wanted = False
        elif line.startswith(head):
            is_wanted = True
        elif is_wanted and not line.startswith("|---"):
            found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return found


@cache
def boxes_called() -> dict[str, tuple[str, ...]]:
    """The boxes of each short name."""
    names = {short: tuple(re.findall(r"`(\w+)`", ids)) for short, ids in tables("| Short |")}
    return {**names, "all": tuple(editions()), **{id_: (id_,) for id_ in editions()}}


def boxes_of(cell: str) -> tuple[str, ...]:
    """The boxes that a cell names: `Classic, Deluxe except hobby_world_2022`."""
    within, _, without = cell.partition(" except ")
    ids = {id_ for name in within.split(", ") for id_ in boxes_called()[name]}
    ids -= {id_ for name in without.split(", ") if name for id_ in boxes_called()[name]}
    return tuple(id_ for id_ in editions() if id_ in ids)


def shown_by(text: str) -> Shown:
    """Parse one part of the last cell."""
    shown = _SHOWN.fullmatch(text)
    assert shown, text
    path, sign, what = shown["record"], shown["sign"], shown["what"]
    if path.startswith("refused/"):
        return Shown(path, None, path.removeprefix("refused/"))
    return Shown(path, what if sign == "▸" else None, what if sign == "✗" else None)


@cache
def rows() -> list[Row]:
    """Every sentence of the page."""
    sentences = []
    for sentence, section, boxes, move, text in tables("| Sentence |"):
        reason = text.removeprefix(AT_THE_TABLE) if text.startswith(AT_THE_TABLE) else ""
        test = text if "::" in text else ""
        showns = () if reason or test else tuple(map(shown_by, text.split("; ")))
        sentences.append(Row(sentence, section, boxes_of(boxes), move, showns, reason, test))
    return sentences


@cache
def questions() -> list[list[str]]:
    """The cells of every row of the questions' tables."""
    return tables("| Question ")


@cache
def functions_of(name: str) -> frozenset[str]:
    """The test functions of a module of these tests."""
    tree = ast.parse((TESTS / name).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


class End(NamedTuple):
    """The end of a record: everybody's belongings, and the rule that refuses its last move, if
    any."""

    cities: list[tuple[int, int, list[str]]]
    crown: int
    first: tuple[int, ...]
    rule: str | None
    accepted: tuple[str, ...]


@cache
def facts_of(path: str) -> dict[str, Any]:
    """The record as it is written."""
    facts: dict[str, Any] = yaml.safe_load((GAMES / f"{path}.yaml").read_text(encoding="utf-8"))
    return facts


@cache
def end_of(path: str, box: str) -> End | None:
    """How the record ends in that box; None if that box cannot even set the table up."""
    try:
        data = record.read({**facts_of(path), "edition": box})
    except Problems:
        return None
    referee, rule = Referee(data.start), None
    for place, move in enumerate(data.moves):
        try:
            referee.play(move)
        except Refused as error:
            if place < len(data.moves) - 1:
                return None
            rule = error.refusal.rule
    t = referee.table
    return End(
        [(seat.gold, seat.hand, [card.id for card in seat.city.cards]) for seat in t.seats],
        t.crown,
        t.first_complete,
        rule,
        tuple(move.text for move in referee.moves),
    )


def holds(view: Shown, box: str) -> bool:
    """Whether the record, played in that box, shows the row's sentence, as in its own box."""
    end = end_of(view.record, box)
    if end is None or end != end_of(view.record, facts_of(view.record)["edition"]):
        return False
    return end.rule == view.rule if view.rule else view.move is None or view.move in end.accepted


@pytest.mark.parametrize("row", rows(), ids=[row.sentence[:60] for row in rows()])
def test_a_sentence_is_played_in_each_of_its_boxes(row: Row) -> None:
    assert row.boxes
    for view in row.shown:
        assert holds(view, facts_of(view.record)["edition"]), view
    for box in row.boxes if row.shown else ():
        assert any(holds(view, box) for view in row.shown), (row.sentence, box)


def test_a_record_is_named_with_the_move_that_shows_it() -> None:
    """Except whole games, whose scores are what they show."""
    whole = ("scoring_examples", "warlord_turn")
    for row in rows():
        for view in row.shown:
            says = view.move or view.rule or view.record in whole
            assert says or view.record.startswith("editions/"), (row.sentence, view.record)


def test_what_no_record_can_show_says_why() -> None:
    unshown = [row for row in rows() if not row.shown]
    assert all(len(row.reason) > 10 or row.test for row in unshown)
    for module, function in (row.test.split("::") for row in unshown if row.test):
        assert function in functions_of(module), function
    assert len(unshown) < len(rows()) / 6
    sentences = [(row.sentence, row.section, row.boxes) for row in rows()]
    assert len(set(sentences)) == len(sentences)


def test_a_sentence_has_its_place_in_the_books_or_is_ours() -> None:
    """There is no third kind; a place in the deluxe rulebook is one of its headings or cards."""
    for row in rows():
        assert row.section, row.sentence
        assert "ours" not in row.section or row.section == OURS, row.sentence
        assert "(ours" not in row.sentence
        if row.boxes == ("deluxe_2016",) and row.section != OURS:
            for place in row.section.split("; "):
                is_there = place in DELUXE_HEADINGS or place in _cards_of_deluxe()
                assert is_there, f"{place}: neither a heading nor a card, as in “6. Merchant”"


def _cards_of_deluxe() -> set[str]:
    """The unique districts, and the characters after their rank, as the headings have them."""
    of_rank = {f"{card.rank}. {words.card(id_)}" for id_, card in cards.characters().items()}
    return of_rank | {str(words.card(id_)) for id_ in cards.districts("deluxe_2016")}


def test_the_code_that_plays_a_sentence_exists() -> None:
    """A class, function or assigned name exists in the module, or a word in the data."""
    for row in rows():
        path, _, name = row.played.partition(": ")
        text = (ROOT / "engine" / path).read_text(encoding="utf-8")
        word = rf"(class|def) {name}\b|^ *(self\.)?{name}\b.*=" if path.endswith(".py") else name
        assert re.search(word, text, re.MULTILINE), row.played


@pytest.mark.parametrize("box", editions())
def test_every_character_and_unique_district_of_a_box_has_its_sentence(box: str) -> None:
    edition = editions()[box]
    same = {id_ for id_, other in editions().items() if other.printing == edition.printing}
    of_box = (row for row in rows() if same.intersection(row.boxes))
    text = " ".join(f"{row.sentence} {row.section}" for row in of_box)
    in_box = {id_ for id_, card in cards.characters().items() if edition.printing in card.printings}
    in_box |= {id_ for id_, d in cards.districts(edition.printing).items() if d.type == "unique"}
    in_box -= OWN_FILES.keys()  # in no rulebook
    assert [id_ for id_ in in_box if str(words.card(id_)) not in text] == []


def test_every_row_has_a_question_what_is_played_and_what_holds_it() -> None:
    for row in questions():
        question, move, text, name = row
        assert question, row
        places = [place.partition(", ") for place in text.split("; ")]
        in_books = all(book in datafiles.load("books") and place for book, _, place in places)
        assert text in switches() or text == OURS or in_books, row
        assert move, row
        assert name, row
    asked = [row[0] for row in questions()]
    assert len(set(asked)) == len(asked)


def test_every_named_test_and_record_exists() -> None:
    count = 0
    for *_, text in questions():
        for name in text.split(", "):
            count += 1
            if name.endswith(".yaml"):
                path = GAMES / name
                assert path.exists(), name
                is_answered = path.parent.name not in UNANSWERED
                assert path.with_suffix(".json").exists() is is_answered, name
            else:
                module, function = name.split("::")
                assert function in functions_of(module), name
    assert count > len(questions())


def test_every_switch_has_its_row() -> None:
    names = [row[2] for row in questions()]
    assert sorted(name for name in names if name in switches()) == sorted(switches())


def test_nothing_else_is_written_as_code_that_is_not_there() -> None:
    """Editions and paths in backquotes exist."""
    text = PAGE.read_text(encoding="utf-8")
    for word in re.findall(r"`([^`]+)`", text):
        is_there = word in editions() or (ROOT / word).exists() or word == "test_…"
        assert is_there, word
