"""Set-up, resuming, and two callers at one game."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from companion import config as settings
from companion.app.draft import Draft
from companion.options import PlayOptions
from companion.session import Session
from companion.store import Store
from engine.record import Setup
from tests.app.driving import at_the_table

NAMES = ("Anna", "Kurt", "Ashley", "Ben")


async def test_a_game_is_set_up_by_keys() -> None:
    async with at_the_table(None) as table:
        for name in NAMES:
            await table.type(name)
            await table.keys("enter")
        await table.keys("tab")
        await table.keys("shift+up")  # Ben before Ashley
        await table.keys("up", "f7")  # Kurt
        assert "Kurt  (crown)" in table.text()
        await table.keys("f5")
        assert table.session.setup.players == ("Anna", "Kurt", "Ben", "Ashley")
        assert table.session.setup.crown == "Kurt"
        assert "Waiting for Kurt" in table.text()


async def test_what_is_wrong_with_a_set_up_is_said() -> None:
    async with at_the_table(None) as table:
        await table.type("Anna")
        await table.keys("enter")
        await table.type("anna")
        await table.keys("enter")
        assert "tell them apart" in table.text()
        await table.keys("f5")
        assert "2 to 7 players" in table.text()
        assert table.app.session is None


async def test_house_rules_are_shown_in_words_and_changed() -> None:
    async with at_the_table(None) as table:
        await table.type("Anna, Ben, Kurt, Eva")
        await table.keys("enter", "tab", "tab", "down", "enter", "down", "enter")
        words = " ".join(table.text().split())
        assert "Targets of Assassin and Thief → kept secret" in words
        await table.keys("f5")
        assert table.session.setup.secrecy == "secret"
        assert table.session.setup.options == {"city_size": 8}
        assert "8 districts, secret" in table.rows()[0]


def test_a_changed_answer_comes_back_to_the_default() -> None:
    draft = Draft.of(PlayOptions(players=NAMES), settings.load(), None)
    before = draft.lines()
    for line in range(2, len(before)):
        for _times in range(40):
            draft.change(line)
            draft.setup()
            if not draft.options:
                break
        assert draft.lines() == before


async def test_the_unfinished_game_is_offered_and_goes_on() -> None:
    async with at_the_table(NAMES, moves=["faceup bishop merchant"]) as table:
        await table.keys("a")
    async with at_the_table(None) as table:
        assert "Go on with game" in table.text()
        assert "2 moves" in table.text()
        await table.keys("enter")
        assert table.session.view.phase == "calling"
    async with at_the_table(resume=True) as table:
        assert table.session.view.phase == "calling"
        await table.keys("u")
        assert table.session.view.phase == "selection"


async def test_a_killed_caller_loses_no_accepted_move() -> None:
    script = (
        "import asyncio, os, signal\n"
        "from tests.app.driving import at_the_table\n"
        "async def main():\n"
        "    async with at_the_table() as table:\n"
        "        await table.line('faceup bishop merchant')\n"
        "        await table.keys('a')\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], env=os.environ, check=False, cwd=_top())
    assert done.returncode == -signal.SIGKILL
    async with at_the_table(resume=True) as table:
        assert [m.verb for m in table.session.referee.moves] == ["faceup", "call"]


async def test_a_game_open_elsewhere_is_one_clear_sentence() -> None:
    with Store(settings.load().games) as other:
        session = Session.begin(other, Setup("classic_2016", NAMES, "Anna"))
        async with at_the_table(None) as table:
            await table.keys("f6")
            assert "is open in another caller" in " ".join(table.text().split())
            assert table.app.session is None
        session.close()


async def test_a_new_game_begins_with_the_same_players() -> None:
    async with at_the_table(NAMES) as table:
        first = table.session
        await table.keys("ctrl+n")
        assert "Ashley" in table.text()
        await table.keys("f5")
        assert table.session is not first
        assert table.session.setup.players == NAMES
        assert len(table.app.screen_stack) == 2


def _top() -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
