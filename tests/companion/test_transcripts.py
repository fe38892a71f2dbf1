"""Every line of the line caller, checked for screen-reader users: golden and random games."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from companion import language
from companion.language import list_offered
from companion.log import records
from companion.plain.caller import Caller
from engine import casts
from engine.editions import editions
from tests.companion.listening import complaints
from tests.companion.test_every_move import NAMES, at_the_table

pytestmark = pytest.mark.outer

GAMES = Path(__file__).parents[1] / "games"
GOLDEN = [
    path
    for path in sorted([*GAMES.glob("*.yaml"), *GAMES.glob("editions/*.yaml")])
    if "position:" not in path.read_text("utf-8")  # from the beginning on
]
QUERIES = (
    *("moves", "status", "who", "called", "characters", "left", "hand", "cities", "score", "last"),
    *("history 3", "options", "crown", "taps", "why", "steps", "repeat", "gold ann", "0", "*7"),
)
PROSE = ("too long", "a form of the notation")  # a card's sentence is as long as the card says it

Capture = pytest.CaptureFixture[str]


def hear(caller: Caller, line: str, capsys: Capture) -> list[str]:
    """The answer to a line, which always ends with the awaited player."""
    caller.answer(line)
    text = capsys.readouterr().out
    assert text.endswith("\n")
    lines = text.removesuffix("\n").split("\n")
    assert lines[-1] == caller.talk.asked.question, line
    numbers = [int(n) for n in re.findall(r"^(\d+): ", text, re.MULTILINE)]
    ends = numbers[:1] == [9]  # first of the list where its letter begins the name of a district
    assert numbers[ends:] == sorted(set(numbers) - ({9} if ends else set())), lines
    wrong = [c for c in complaints(lines) if not c.startswith(PROSE)]
    assert wrong == [], line
    return lines


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_is_fit_to_be_heard(path: Path, capsys: Capture) -> None:
    record = records.read(str(path)).record
    with at_the_table(record.setup.data()) as caller:
        for move in record.moves:
            assert not hear(caller, move, capsys)[0].startswith("Refused: "), move


@pytest.mark.parametrize("code", list_offered())
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_with_questions_is_fit_to_be_heard(
    seed: int, code: str, capsys: Capture
) -> None:
    chance = random.Random(seed)
    edition = chance.choice(["classic_2016", "millennium_3e", "deluxe_2016"])
    players = chance.randint(4, 7)
    cast = casts.draw(editions()[edition], players, chance.choice)
    head: dict[str, object] = {
        "edition": edition,
        "players": NAMES[:players],
        "characters": list(cast.characters),
        "secrecy": chance.choice(["announced", "secret"]),
    }
    language.use(code)
    with at_the_table(head) as caller:
        for _move in range(60):
            hear(caller, chance.choice(QUERIES), capsys)
            options = [m for m in caller.session.legal() if m.verb != "choose"]
            if not options:
                break
            hear(caller, chance.choice(options).text, capsys)
