"""One short record for each character, readable beside its card: it ends with a refusal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.log import records
from engine import cards
from engine.referee import Referee
from engine.rules import owners_of
from engine.rules.characters import POWERS

FOLDER = Path(__file__).parents[1] / "games" / "characters"
LONGEST = 100  # characters a line


def test_every_character_has_its_record() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.yaml")) == sorted(cards.characters())


@pytest.mark.parametrize("character", cards.characters())
def test_the_record_ends_as_it_always_has(
    character: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """After an intended change, run tests/games/regenerate.py."""
    path = FOLDER / f"{character}.yaml"
    code = main(["replay", str(path), "--json"])
    output = capsys.readouterr()
    table = json.loads(output.out)
    assert code == 1
    assert table == json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    assert lines[0].startswith("# ")
    assert max(map(len, lines)) <= LONGEST
    assert lines[-1] == f"  - {table['refused']['move']}"  # only the last move is refused
    assert output.err.startswith(f"{path}:{len(lines)}: ")


@pytest.mark.parametrize("character", cards.characters())
def test_the_character_plays_and_uses_what_is_its_own(character: str) -> None:
    record = records.read(str(FOLDER / f"{character}.yaml")).record
    referee, moves = Referee(record.start), set()
    for text in record.moves[:-1]:
        offers = {frozenset(move.text.split()) for move in referee.list_legal_moves()}
        assert frozenset(text.split()) in offers  # of several cards the order is free
        move = referee.play(text)
        turn = referee.table_before().turn
        if turn is not None and turn.character == character:
            moves.add(move.verb)
    assert moves & {"gold", "cards"}
    powers = {power.verb for power in POWERS[character]}
    assert all(character in owners_of(verb) for verb in powers)
    assert not powers or moves & powers
