"""The records of every box: one for each unique district, for sentences of the books and rulings of
ours, whole games of each edition. A short record ends with the move that is refused, where it shows
a refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.log import records
from engine import datafiles
from engine.explain import Refused
from engine.referee import Referee
from tests.engine import boxes

GAMES = Path(__file__).parents[1] / "games"
DISTRICTS = sorted((GAMES / "districts").glob("*.yaml"))
EDITIONS = sorted((GAMES / "editions").glob("*.yaml"))
BOOKS = sorted((GAMES / "books").glob("*.yaml"))

Capture = pytest.CaptureFixture[str]


def named(paths: list[Path]) -> Any:
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


@named([*DISTRICTS, *EDITIONS, *BOOKS])
def test_the_record_ends_as_it_always_has(path: Path, capsys: Capture) -> None:
    """After an intended change, run tests/games/regenerate.py."""
    code = main(["replay", str(path), "--json"])
    table = json.loads(capsys.readouterr().out)
    assert table == json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert code == (table["refused"] is not None)
    assert path not in EDITIONS or code == 0


@named([*DISTRICTS, *EDITIONS, *(path for path in BOOKS if "untracked" not in path.stem)])
def test_every_move_was_offered_but_the_one_refused_at_the_end(path: Path) -> None:
    record = records.read(str(path)).record
    referee = Referee(record.start)
    for place, text in enumerate(record.moves):
        offers = {frozenset(move.text.split()) for move in referee.list_legal_moves()}
        is_listed = frozenset(referee.read(text).text.split()) in offers  # discards in any order
        try:
            referee.play(text)
        except Refused:
            assert not is_listed
            assert place == len(record.moves) - 1, text
            return
        assert is_listed, text


def test_every_unique_district_has_its_record() -> None:
    kinds = datafiles.load("districts")
    uniques = {id_ for id_, facts in kinds.items() if facts["type"] == "unique"}
    assert len(uniques) == 37
    assert {path.stem.split(".")[0] for path in DISTRICTS} == uniques
    for path in DISTRICTS:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# ")
        assert path.stem.split(".")[0] in text


def test_every_edition_has_a_whole_game() -> None:
    tables = set()
    for path in EDITIONS:
        record = records.read(str(path)).record
        assert record.position is None
        assert record.setup.edition == path.stem.split(".")[0]
        answer = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        assert (answer["phase"], answer["score"]["final"]) == ("over", True)
        tables.add((record.setup.edition, len(record.setup.players), len(record.start.rules.cast)))
    assert {edition for edition, _, _ in tables} == set(boxes.EDITIONS)
    assert {players for _, players, _ in tables} == set(range(2, 9))
    assert ("deluxe_2016", 3, 9) in tables
    casts = {records.read(str(path)).record.start.rules.cast for path in EDITIONS}
    assert len({character for cast in casts for character in cast}) >= 24
