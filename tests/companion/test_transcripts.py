"""Every line of the line caller, checked for screen-reader users: golden and random games."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion import language
from companion.game.session import Session
from companion.language import list_offered
from companion.log import records
from companion.log.store import Store
from companion.plain.caller import Caller
from companion.settings import config as settings
from companion.terminal.inbox import Inbox
from engine import casts, record
from engine.editions import editions
from tests.companion.listening import complaints

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
NAMES = ["Anna", "Kurt", "Ashley", "Ben", "Zoe", "Max", "Li"]


@contextmanager
def at_the_table(head: dict[str, Any]) -> Iterator[Caller]:
    """A line caller, called directly."""
    config = settings.load(options={"plain": True})
    with Store(config.games) as store:
        session = Session.begin(store, record.read_setup(head))
        caller = Caller(session, store, config, Inbox())
        try:
            yield caller
        finally:
            session.close()


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
    game = records.read(str(path)).record
    with at_the_table(game.setup.data()) as caller:
        for move in game.moves:
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
