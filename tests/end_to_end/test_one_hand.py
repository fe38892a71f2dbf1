"""Whole games without letters, from the started command: by the numeric keypad, and by chips.

The moves of a record are played by the numbers that they have in the lists that are read out.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion import records
from engine import views
from engine.moves import Move, quoted
from engine.referee import Referee
from tests.companion.listening import Listener, companion, complaints
from tests.companion.numbering import numbers_to

GAMES = Path(__file__).parents[1] / "games"


def options_of(record: records.Record) -> list[str]:
    """How `play` begins the game of that record."""
    setup = record.setup
    words = ["--new", "--players", ",".join(setup.players), "--crown", setup.crown]
    return [*words, "--edition", setup.edition, "--secrecy", setup.secrecy]


def steps(record: records.Record) -> list[tuple[Move, list[int]]]:
    """Each move with the numbers that pick it."""
    referee = Referee(record.start)
    found = []
    for text in record.moves:
        view = views.redact(referee.table, views.PUBLIC)
        move = referee.read(text)
        listed = next(m for m in view_legal(view) if same(m, move))
        found.append((listed, numbers_to(view, listed)))
        referee.play(text)
    return found


def view_legal(view: views.Table) -> list[Move]:
    """The moves that are offered."""
    return views.legal(view)


def same(one: Move, other: Move) -> bool:
    """Whether two moves are the same, discards in whatever order."""
    if one.verb == other.verb == "faceup":
        return set(one.args) == set(other.args)
    return one == other


def outcome() -> object:
    """The scores of the last game."""
    return json.loads(companion("score", "--json").stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["whole_game", "secret_game"])
def test_a_whole_game_by_the_numeric_keypad(name: str) -> None:
    record = records.read(str(GAMES / f"{name}.yaml")).record
    expected = json.loads((GAMES / f"{name}.json").read_text("utf-8"))
    with Listener(*options_of(record), new=False) as caller:
        caller.hear()
        for move, numbers in steps(record):
            keys = "+" if move.text in ("call", "nobody", "end") else "/"
            answer = caller.tell(keys)
            for number in numbers if keys == "/" else ():
                answer = caller.tell(str(number))
            assert not any(line.startswith("Refused") for line in answer), (move, answer)
            assert "Waiting for " in answer[-1] or answer[-1] == "The game is over."
        assert caller.tell("*5")[-1] == "The game is over."
        for query in ("0", "*", "*1", "*12", "*2", "*3", "*31", "*4", "*6", "*7", "*8", "*9", "*0"):
            assert not caller.tell(query)[0].startswith("Refused: "), query
        assert [c for c in complaints(caller.transcript) if not c.startswith("too long")] == []
        assert caller.leave() == 0
    assert outcome() == expected["score"]


@pytest.mark.slow
def test_a_whole_game_by_chips() -> None:
    """Every line begins with `tap`; every move of the record is a few chips."""
    record = records.read(str(GAMES / "three_players.yaml")).record
    expected = json.loads((GAMES / "three_players.json").read_text("utf-8"))
    with Listener(*options_of(record), new=False, reader="simulated") as caller:
        caller.hear()
        for move, numbers in steps(record):
            answer: list[str] = []
            for chip in chips_of(move, numbers):
                answer = caller.tell(f"tap {chip}")
            assert not any(line.startswith("Refused") for line in answer), (move, answer)
        assert caller.tell("tap score")[-1] == "The game is over."
        assert caller.leave() == 0
    assert outcome() == expected["score"]


def chips_of(move: Move, numbers: list[int]) -> list[str]:
    """What is tapped for a move: its own chip, else the digits of its numbers."""
    if move.text in ("call", "nobody"):
        return ["crown"]
    if not move.args and move.text != "income":
        return [move.text]
    if move.verb in ("reveal", "kill", "rob"):
        return [quoted(move.args[0])]
    return ["moves", *(digit for number in numbers for digit in digits(number))]


def digits(number: int) -> list[str]:
    """The chips of a number; enter ends one that could begin a longer one."""
    return [*str(number), *(["enter"] if number < 4 else [])]
