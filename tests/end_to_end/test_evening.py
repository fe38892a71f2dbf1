"""A whole evening on phones alone: nobody types a byte at the computer that hosts it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.log import records
from tests.serving.hosting import STDIN, Hosting
from tests.serving.visiting import Visitor

pytestmark = pytest.mark.outer

LIGHT = records.read(str(Path(__file__).parents[1] / "games" / "light_game.yaml")).record
NAMES = ("Anna", "Kurt", "Ashley", "Ben")


class Computer(Hosting):
    """`companion host` without a word, and without standard input."""

    def __init__(self) -> None:
        super().__init__(new=False, stdin=STDIN[1])


@pytest.fixture
def computer(home: Path) -> Iterator[Computer]:
    here = Computer()
    with here:
        yield here


def seat(computer: Computer) -> list[Visitor]:
    """Four phones that have joined under their names."""
    phones = [Visitor(computer.url) for _name in NAMES]
    for phone, name in zip(phones, NAMES, strict=True):
        phone.join(computer.code, name)
        assert phone.place == "/seat", phone.page
    return phones


def play(phones: list[Visitor], moves: Sequence[str] = LIGHT.moves) -> None:
    """Play moves of the light game, each on a phone that may make it."""
    for move in moves:
        answers = [phone.call("/api/moves", move=move) for phone in phones[:1]]
        for phone in phones[1:]:
            if answers[-1][0] == 200:
                break
            answers.append(phone.call("/api/moves", move=move))
        assert answers[-1][0] == 200, (move, answers)


def test_the_address_answers_before_anybody_plays(computer: Computer) -> None:
    assert computer.told["game"] is None
    assert computer.told["seats"] == {}
    stranger = Visitor(computer.url)
    assert 'name="code"' in stranger.get("/")
    assert stranger.call("/api/table")[0] == 401
    stranger.send("/enter", code=computer.code)
    assert stranger.status == 200
    for page in ("/", "/table", "/seat", "/recap", "/card/king", "/t/04A2B3C4D5E680"):
        assert stranger.get(page), page
        assert stranger.status == 200, page
    assert computer.code in stranger.get("/table")
    assert stranger.call("/api/moves", move="start")[0] == 401
    assert computer.end() == 0


def test_a_lobby_is_led_by_the_phone_that_came_first(computer: Computer) -> None:
    anna, kurt, *_others = phones = seat(computer)
    assert "You set up the game" in anna.get("/seat")
    assert "Anna sets up the game" in kurt.get("/seat")
    kurt.send("/seat", word="start")
    assert kurt.status == 403
    assert kurt.call("/api/moves", move="start")[0] == 403
    assert "4 of 4 phones" in kurt.get("/table")
    status, lobby = kurt.call("/api/table")
    assert (status, lobby["phase"]) == (200, "lobby")
    assert lobby["players"] == list(NAMES)
    assert lobby["phones"] == [True] * 4
    assert lobby["leader"] == "Anna"
    status, left = phones[3].call("/api/leave", none=1)
    assert (status, left) == (200, {"seat": 4, "player": "Ben"})
    assert phones[3].call("/api/join", code=computer.code, name="Ben")[0] == 200
    # whoever leaves hands the set-up on
    anna.send("/leave")
    assert anna.place == "/"
    assert "You set up the game" in kurt.get("/seat")
    kurt.touch("Start the game")
    status, table = phones[2].call("/api/seat")
    assert (status, list(table["players"])) == (200, ["Kurt", "Ashley", "Ben"])
    assert computer.end() == 0


def test_an_outdated_page_does_nothing(computer: Computer) -> None:
    anna, *_others, ben = seat(computer)
    anna.get("/seat")
    ben.get("/seat")
    ben.send("/leave")
    anna.touch("Start the game")
    assert "look again" in anna.get("/seat")
    assert anna.call("/api/table")[1]["phase"] == "lobby"
    anna.touch("Start the game")
    assert anna.call("/api/table")[1]["phase"] == "selection"
