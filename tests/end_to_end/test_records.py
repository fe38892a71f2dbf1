"""The golden records end as they always have: whole games of every box, printed examples, one for
each character and unique district, and for sentences of the books and rulings of ours. Every rule
that can refuse a move does so with the table untouched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.files.locations import games_file
from companion.game.session import Session
from companion.log import records
from companion.log.store import Store
from engine import cards
from engine.explain import Refused
from engine.referee import Referee
from engine.rules import owners_of
from engine.rules.characters import POWERS
from tests.engine import boxes

GAMES = Path(__file__).parents[1] / "games"
GOLDEN = sorted(GAMES.glob("*.yaml"))
CHARACTERS, DISTRICTS, EDITIONS, BOOKS, REFUSED, IMPOSSIBLE = (
    sorted((GAMES / folder).glob("*.yaml"))
    for folder in ("characters", "districts", "editions", "books", "refused", "impossible")
)
RECORDS = [*GOLDEN, *CHARACTERS, *DISTRICTS, *EDITIONS, *BOOKS]

Capture = pytest.CaptureFixture[str]


def named(paths: list[Path]) -> Any:
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


def replayed(path: Path, capsys: Capture, *words: str) -> tuple[int, Any, str]:
    code = main(["replay", str(path), "--json", *words])
    output = capsys.readouterr()
    return code, json.loads(output.out), output.err


@named(RECORDS)
def test_a_record_ends_as_it_always_has(path: Path, capsys: Capture) -> None:
    """A short one ends with the move that is refused, where it shows a refusal. After an intended
    change, run tests/games/regenerate.py."""
    code, table, text = replayed(path, capsys)
    assert table == json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert code == (table["refused"] is not None)
    assert path not in (*GOLDEN, *EDITIONS) or (code, text) == (0, "")


@named([*CHARACTERS, *REFUSED])
def test_the_rule_refuses_and_nothing_changes(path: Path, tmp_path: Path, capsys: Capture) -> None:
    code, table, text = replayed(path, capsys)
    assert code == 1
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    assert lines[-1] == f"  - {table['refused']['move']}"
    rule = table["refused"]["rule"]
    assert path in CHARACTERS or rule == path.stem
    assert text.startswith(f"{path}:{len(lines)}: ")
    assert table["refused"]["reason"] in text
    assert rule in text

    without = tmp_path / "without.yaml"
    moves = lines[:-1] if lines[-2] != "moves:" else lines[:-2]
    without.write_text("\n".join(moves), encoding="utf-8")
    code, before, text = replayed(without, capsys)
    assert (code, text) == (0, "")
    assert before == table | {"refused": None}
    assert table["refused"]["move"] not in table["legal"]


@named(IMPOSSIBLE)
def test_what_cannot_have_come_about_is_refused_line_by_line(path: Path, capsys: Capture) -> None:
    """A comment on a line of these records gives its problem; there are no others."""
    marks = enumerate(path.read_text(encoding="utf-8").split("\n"), start=1)
    wrong = [(n, line.split("# wrong: ")[1]) for n, line in marks if "# wrong: " in line]
    assert wrong
    assert main(["replay", str(path), "--json"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    lines = output.err.rstrip("\n").split("\n")
    assert len(lines) == len(wrong)
    for (number, words), problem in zip(wrong, lines, strict=True):
        assert problem.startswith(f"{path}:{number}: {words}")


@named([path for path in RECORDS if "untracked" not in path.stem])
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


def test_every_short_record_begins_with_what_it_shows() -> None:
    assert all(path.read_text(encoding="utf-8").startswith("# ") for path in RECORDS[len(GOLDEN) :])


@pytest.mark.parametrize("character", cards.characters())
def test_the_character_plays_and_uses_what_is_its_own(character: str) -> None:
    path = GAMES / "characters" / f"{character}.yaml"
    record = records.read(str(path)).record
    referee, moves = Referee(record.start), set()
    for text in record.moves[:-1]:
        move = referee.play(text)
        turn = referee.table_before().turn
        if turn is not None and turn.character == character:
            moves.add(move.verb)
    assert moves & {"gold", "cards"}, f"{path}: the {character} gathers before the last move"
    powers = {power.verb for power in POWERS[character]}
    assert all(character in owners_of(verb) for verb in powers)
    assert not powers or moves & powers, f"{path}: before the last move, one of {powers} is used"


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


def test_the_printed_warlord_turn(capsys: Capture) -> None:
    """Classic rulebooks: from no gold over 2, 1 and 3 to none, and 29 points to 28."""
    record = records.read(str(GAMES / "warlord_turn.yaml")).record
    referee = Referee(record.start)
    purse = []
    for text in record.moves[:-1]:
        referee.play(text)
        purse.append(referee.table.acting.gold)
    assert purse == [0, 2, 1, 3, 0]
    _, table, _ = replayed(GAMES / "warlord_turn.yaml", capsys)
    assert table["players"]["Ashley"]["gold"] == 0
    assert table["score"]["players"]["Kurt"]["total"] == 28
    assert table["score"]["players"]["Ashley"]["total"] == 29


@named([path for path in GOLDEN if "position:" not in path.read_text(encoding="utf-8")])
def test_a_saved_game_leaves_as_the_same_record(
    path: Path, home: Path, tmp_path: Path, capsys: Capture
) -> None:
    record = records.read(str(path)).record
    with Store(games_file(str(home / "data"))) as store:
        session = Session.begin(store, record.setup)
        for move in record.moves:
            session.play(move)
        session.close()
    assert main(["record"]) == 0
    save = tmp_path / "saved.yaml"
    save.write_text(capsys.readouterr().out, encoding="utf-8")
    reference = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert replayed(save, capsys)[1] == reference
    assert main(["score", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == reference["score"]
