"""One conversation: each face sets up and begins the same game, which a phone does for the
screen."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from companion.beside import Beside
from companion.game.keypad import is_keypad
from companion.game.session import Session
from companion.log.store import Store
from companion.plain.caller_state import LineHost
from companion.plain.setup import open_session
from companion.settings import config as settings
from companion.setup import PlayOptions
from companion.terminal.inbox import Inbox
from engine.editions import editions
from engine.record import Setup
from tests.app.driving import start_table
from tests.companion.listening import Listener
from tests.end_to_end.test_evening import Computer, play
from tests.serving.visiting import Visitor

pytestmark = pytest.mark.outer

BOX = 1 + list(editions()).index("deluxe_2016")
WANTED = {
    "edition": "deluxe_2016",
    "players": ["Anna", "Kurt", "Bea"],
    "crown": "Kurt",
    "options": {"city_size": 7},
    "secrecy": "secret",
}
MOVES = ["call", "nobody", "nobody", "reveal Kurt", "gold", "end", "reveal Bea", "cards", "end"]
TOUCHES = (
    *((1, "Everybody has chosen"), (1, "Nobody"), (1, "Nobody"), (1, "Kurt")),
    *((1, "Take 2 gold"), (1, "End the turn"), (1, "Bea"), (2, "Draw 2"), (2, "End the turn")),
)
"""The same on phones: the seat (from 0) whose phone is touched, and the row."""
ASKED = "Who is the Bishop?"
"""What is then asked, in every face."""


async def on_screen() -> None:
    """By keys: names by spaces, one of them corrected, the crown by hand; then single keys."""
    async with start_table(None, options=PlayOptions()) as table:
        await table.type("Anna Kurt Ben")
        await table.keys("enter", "tab", "f2")
        await table.keys(*["backspace"] * 3)
        await table.type("Bea")
        await table.keys("enter", "up", "f7")
        assert "Kurt  (crown)" in table.text()
        await table.keys("tab", "enter", str(BOX), "down", "down", "down", "enter")
        await table.keys("down", "down", "enter", "2")  # behind “More”: seven districts
        await table.keys("down", "enter", "f5")
        assert table.session.setup.players == ("Anna", "Kurt", "Bea")
        await table.keys("a", "n", "n", "2", "g", "9", "3", "c", "9")
        assert ASKED in table.text()


async def in_lines() -> None:
    """By lines: the questions, then the list of everything, a player's own, and the crown."""
    with Listener("--new", new=False) as caller:
        lines: list[str] = []

        def say(line: str, until: str) -> None:
            caller.type(line)
            while not (lines and until in lines[-1]):
                text = caller.line()
                assert text is not None, lines
                lines.append(text)
            lines.append("")

        def number(what: str) -> str:
            row = next(line for line in reversed(lines) if what in line)
            return row.partition(":")[0]

        say("Anna Kurt Ben", "5: ")
        say(number("change the box"), "First crown")
        say(number("Box"), f"{len(editions())}: ")
        say(str(BOX), "First crown")
        say(number("More: "), "First crown")
        say(number("How many districts"), "3: ")
        say(number("seven"), "First crown")
        say(number("Targets of"), "First crown")
        say(number("Players: "), "3: ")
        say("3", "5: ")
        say(number("Another name"), "What is Ben called?")
        say("Bea", "5: ")
        say("", "3: ")
        say("", "First crown")
        say("", "5: ")
        say("2", "Has everybody chosen?")
        for line in ("call", "nobody", "nobody", "kurt", "take 2 gold", "end", "bea", "draw"):
            caller.tell(line)
        assert ASKED in caller.tell("end")[-1]
        assert caller.leave() == 0


async def by_keypad_and_ear() -> None:
    """By the keys of a keypad alone, with nothing but what the voice reads; the names are those of
    the last game."""
    lines: list[str] = []
    config, options = settings.load(), PlayOptions(new=True)
    boxes = [*editions()]
    steps = [
        *("+", "4", "Box", f"{boxes.index('deluxe_2016') + 1}", "More: "),
        *("How many districts", "seven", "Targets of", "First crown", "Kurt", "+", "0", "+"),
    ]

    def press() -> str | None:
        """The next key: a number, or the number of the row that was read with that text."""
        step = steps.pop(0)
        if is_keypad(step):
            return step
        return next(line for line in reversed(lines) if step in line).partition(":")[0]

    with Store(config.games) as store:
        Session.begin(store, Setup("classic_2016", ("Anna", "Kurt", "Bea"), "Anna")).close()
        beside = Beside(LineHost(Inbox()), config)
        beside.voice.read_set_up = lines.extend  # type: ignore[method-assign, assignment]
        session = open_session(store, options, config, press, beside)
        assert session is not None
        assert not steps
        session.close()
    with tempfile.TemporaryDirectory() as folder:
        env = {"TESTS_VOICE": folder}
        with Listener("--resume", "--voice", new=False, env=env) as caller:
            caller.hear()
            for keys in ("+", "+", "+", "2", "1", "9", "3", "2", "9"):
                caller.tell(keys)
            assert caller.leave() == 0
        spoken = Path(folder, "table.txt").read_text(encoding="utf-8").splitlines()
    assert ASKED in spoken[-1]
    assert len(spoken) < len(MOVES) + 2


async def on_pages() -> None:
    """By touches on pages without a script; a name is corrected there, and keeps its phone."""
    computer = Computer()
    anna, kurt, ben = (Visitor(computer.url) for _phone in range(3))
    for phone, name in ((anna, "Anna"), (kurt, "Kurt"), (ben, "Ben")):
        phone.join(computer.code, name)
    anna.get("/seat")
    for label in ("Players", "Ben", "Another name"):
        anna.touch(label)
    anna.send("/seat", text="Bea")
    for _page in range(2):
        anna.touch("Back")
    anna.touch("Box")
    anna.touch(editions()["deluxe_2016"].title)
    anna.touch("More")
    anna.touch("How many districts")
    anna.touch("seven")
    anna.touch("Targets of")
    anna.touch("First crown")
    anna.touch("Kurt")
    anna.touch("Start the game")
    assert anna.call("/api/seat")[1]["phase"] == "selection"
    for seat_of_touch, label in TOUCHES:
        phone = (anna, kurt, ben)[seat_of_touch]
        phone.get("/seat")
        phone.touch(label)
    assert ASKED in anna.get("/seat")
    assert computer.end() == 0


async def by_program() -> None:
    """By JSON."""
    computer = Computer()
    phones = [Visitor(computer.url) for _phone in range(3)]
    for phone, name in zip(phones, ("Anna", "Kurt", "Bea"), strict=True):
        status, answer = phone.call("/api/join", code=computer.code, name=name)
        assert (status, answer["player"]) == (200, name)
    moves = ("box deluxe_2016", "city_size 7", "secrecy secret", "crown Kurt", "start")
    for move in moves:
        status, answer = phones[0].call("/api/moves", move=move)
        assert status == 200, answer
    assert answer["phase"] == "selection"
    play(phones, MOVES)
    assert computer.end() == 0


@pytest.mark.parametrize("face", [on_screen, in_lines, by_keypad_and_ear, on_pages, by_program])
async def test_every_face_sets_up_and_begins_the_same_game(
    face: Callable[[], Awaitable[None]], home: Path
) -> None:
    await face()
    assert_same_game()


def assert_same_game() -> None:
    """The last game begun has the set-up wanted, and the moves."""
    with Store(settings.load().games) as store:
        game = max(store.games(), key=lambda game: game.id)
        setup: dict[str, Any] = dict(game.setup)
        session = Session.resume(store, game.id)
        moves = [move.text for move in session.referee.moves]
        session.close()
    assert {key: setup[key] for key in WANTED} == WANTED
    assert moves == MOVES


async def test_a_phone_sets_up_the_game_on_the_screen(home: Path) -> None:
    from companion.phones.serving import where

    here = where.find("127.0.0.1", 0)
    async with start_table(None, options=PlayOptions(), size=(120, 40), where=here) as table:
        await table.wait_until(lambda: "Code: " in table.text(), "letting phones in", rest=False)
        code = table.text().split("Code: ")[1][:4]
        anna, kurt = Visitor(here.url), Visitor(here.url)
        await asyncio.to_thread(anna.join, code, "Anna")
        await asyncio.to_thread(kurt.join, code, "Kurt")
        await table.wait_until(lambda: "2 of 2 phones" in table.text(), "both phones")
        assert "1   Anna" in table.text()
        await table.keys("tab")
        await table.keys("f7")  # what the screen does is on the phones
        page = await asyncio.to_thread(kurt.get, "/table")
        assert 'class="crown"' in page
        await asyncio.to_thread(anna.get, "/seat")
        await asyncio.to_thread(anna.touch, "Start the game")
        await table.wait_until(lambda: table.app.table is not None, "the game")
        status, view = await asyncio.to_thread(kurt.call, "/api/seat")
        assert (status, view["phase"]) == (200, "selection")
        # the screen sets up the next one, and thinks better of it
        await table.keys("ctrl+n")
        await asyncio.to_thread(kurt.wait_for, "/seat", "sets up the game")
        await table.keys("escape")
        assert table.app.screen is table.app.table
        await asyncio.to_thread(kurt.wait_for, "/seat", "Round 1")
