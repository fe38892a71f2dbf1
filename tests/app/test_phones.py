"""Phones beside the full screen: it paints their moves, and shows how to connect."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from companion import terminal
from companion.app.caller_app import CallerApp
from companion.app.screens.private_screen import PrivateScreen
from companion.app.widgets.choice_list import ChoiceList
from companion.app.widgets.doors import Doors
from companion.phones.serving import typed_phones, where
from tags.watch import Tap
from tests.app.driving import Driver, screen_strips, start_table
from tests.companion.talking import FOUR, SHORT
from tests.serving.hosting import ask

pytestmark = pytest.mark.outer

Ask = Callable[..., Awaitable[tuple[int, Any]]]
"""Sends a phone's request, such as `join`."""


@asynccontextmanager
async def start_open(
    players: Sequence[str] | None = FOUR, **how: Any
) -> AsyncIterator[tuple[Driver, Ask]]:
    """A table that lets phones in, and how one asks it."""
    here = where.find("127.0.0.1", 0)

    async def ask_here(path: str, key: str = "", **fields: Any) -> tuple[int, Any]:
        return await asyncio.to_thread(ask, f"{here.url}api/{path}", key, **fields)

    async with start_table(players, where=here, **how) as table:
        await table.wait_until(lambda: here.url in _said(table), "letting phones in", rest=False)
        yield table, ask_here


def _said(table: Driver) -> str:
    """The current answer to `phones`, without a sheet."""
    phones = table.app.beside.phones
    return " ".join(typed_phones.describe(phones)) if phones is not None else ""


def _find_code(table: Driver) -> str:
    return _said(table).split("Code: ")[1][:4]


async def test_what_a_phone_does_is_painted_and_the_other_way_round(home: Path) -> None:
    async with start_open(crown="Kurt", size=(120, 40)) as (table, ask):
        await table.keys("ctrl+f")
        text = table.text()
        assert "█" in text
        code = re.findall(r"Code: (\S+)", text)[0]
        assert re.search(r"Television: http://127\.0\.0\.1:\d+/table", text)
        await table.keys("escape")
        status, kurt = await ask("join", code=code, seat=2)
        assert status == 200
        status, _view = await ask("moves", kurt["key"], move="faceup bishop merchant")
        assert status == 200
        await table.wait_until(lambda: "Has everybody chosen?" in table.text(), "painting the move")
        await table.row("Everybody has chosen")
        _status, view = await ask("seat", kurt["key"])
        assert view["phase"] == "calling"
        # "Kurt's phone", one key: his own code, which takes the seat over
        await table.keys("ctrl+f")
        assert "2: Kurt's phone" in table.text()
        await table.keys("2")
        own = re.findall(r"Code for Kurt's seat alone: (\S+)", table.text())[0]
        await table.keys("escape")
        assert own not in table.text()
        status, new = await ask("join", code=own)
        assert (status, new["player"]) == (200, "Kurt")
        told = "Another phone has Kurt's seat now."
        await table.wait_until(lambda: told in table.text(), "telling it")
        assert (await ask("seat", kurt["key"]))[0] == 401
        status, _anna = await ask("join", code=code, seat=1)
        assert status == 200
        await table.wait_until(lambda: "Anna has joined with a phone" in table.text(), "telling it")
        assert "To remove it: Ctrl+X." in table.text()
        await table.keys("v", "escape")  # it does not go with the next key
        assert "To remove it: Ctrl+X." in table.text()
        await table.keys("ctrl+x")
        assert "Anna has joined" not in table.text()
        assert "Anna's phone was removed" in table.text()
        await table.line("phones out all")
        assert "1 phone was removed" in table.text()
        assert (await ask("seat", kurt["key"]))[0] == 401


@pytest.mark.parametrize("key", ["4", "enter", "escape", "u", "x"])
async def test_the_key_after_a_private_moment_that_a_phone_has_ended_is_not_played(
    home: Path, key: str
) -> None:
    async with start_with_phone("call") as (table, play):
        await table.keys("p", "2")
        await play("call")
        assert isinstance(table.app.screen, PrivateScreen)
        assert "Everybody has chosen. What you typed was dropped." in table.text()
        await table.keys(key)
        assert not isinstance(table.app.screen, PrivateScreen)
        assert table.session.referee.moves[-1].text == "call"
        assert "Who is the Assassin" in table.text()


async def test_a_line_typed_unseen_stays_unseen_after_a_phone_has_played(home: Path) -> None:
    async with start_with_phone("call") as (table, play):
        await table.keys(":")
        await table.type("choose Kurt kin")
        await play("call")
        await table.type("g")
        assert "choose" not in table.text()
        await table.keys("enter")
        assert "What you typed was dropped." in table.text()
        assert "choose" not in table.text()
        assert table.session.referee.moves[-1].text == "call"


async def test_a_chip_laid_down_while_a_phone_moves_belongs_to_the_question_before(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The crown's chip calls the first rank; of a called one it says that nobody has it."""
    async with start_with_phone("call") as (table, play):
        uid = await table.uid("crown")
        do = CallerApp.do_posted

        def lay_down_meanwhile(app: CallerApp, work: Callable[[], None]) -> None:
            def move() -> None:
                before = table.session.version
                work()
                if table.session.version != before:
                    table.app.call_later(table.app.hear_reader, Tap(uid), table.app.gone)

            do(app, move)

        monkeypatch.setattr(CallerApp, "do_posted", lay_down_meanwhile)
        await play("call")
        assert "Something else is asked now. What you typed was dropped." in table.text()
        assert table.session.referee.moves[-1].text == "call"
        await table.tap("crown")
        assert table.session.referee.moves[-1].text == "nobody"


@asynccontextmanager
async def start_with_phone(
    move: str = "",
) -> AsyncIterator[tuple[Driver, Callable[[str], Awaitable[None]]]]:
    """A table where everybody chooses, and how Ben records a move with a phone; for `call` he has
    the crown."""
    moves, crown = ("faceup bishop warlord",), "Ben" if move else "Kurt"
    async with start_open(crown=crown, moves=moves, reader="simulated") as (table, ask):
        _status, ben = await ask("join", code=_find_code(table), seat=4)

        async def play(move: str) -> None:
            status, _view = await ask("moves", ben["key"], move=move)
            assert status == 200
            await table.wait_until(
                lambda: table.session.referee.moves[-1].text == move, "playing the move"
            )

        yield table, play


async def test_a_card_is_read_to_one_person_alone_although_a_phone_plays(home: Path) -> None:
    async with start_with_phone() as (table, play):
        await table.line("look")
        await play("choose Ben thief")
        await table.tap("merchant")
        assert isinstance(table.app.screen, PrivateScreen)
        await play("choose Ben king")
        assert "Merchant: rank 6" in table.text()
        await table.keys("escape")
        assert "Merchant: rank 6" not in table.text()


async def test_the_highlighted_row_stays_highlighted_although_a_phone_plays(home: Path) -> None:
    async with start_with_phone() as (table, play):
        choices = table.app.screen.query_one("#choices", ChoiceList)
        usual = choices.highlighted
        await table.keys("up" if usual else "down")
        place = choices.highlighted
        assert place != usual
        await play("choose Ben thief")
        assert choices.highlighted == place
        await table.keys("p", "3", "down", "down", "down")
        choices = table.app.screen.query_one("#private-choices", ChoiceList)
        assert choices.highlighted == 2
        await play("choose Ben king")
        assert table.app.screen.query_one("#private-choices", ChoiceList).highlighted == 2


async def test_whoever_begins_another_game_still_does_when_a_phone_joins(home: Path) -> None:
    async with start_table(crown="Kurt", moves=("faceup bishop warlord",)):
        pass
    async with start_open(None, size=(120, 40)) as (table, ask):
        code = _find_code(table)
        await table.keys("right")
        ways = table.app.screen.query_one(Doors)
        assert ways.marked == 1
        status, _mia = await ask("join", code=code, name="Mia")
        assert status == 200
        await table.wait_until(lambda: "Mia" in table.text(), "seating Mia")
        assert ways.marked == 1
        assert ways.has_focus


async def test_the_crown_s_phone_begins_the_next_game_on_the_screen(home: Path) -> None:
    setup = SHORT.setup
    ended = start_open(crown=setup.crown, house=setup.options, moves=SHORT.moves)
    async with ended as (table, ask):
        seat = FOUR.index("Ben") + 1  # who has the crown at the end
        _status, ben = await ask("join", code=_find_code(table), seat=seat)
        status, _view = await ask("moves", ben["key"], move="rematch")
        assert status == 200
        await table.wait_until(lambda: "Discard 2" in table.text(), "beginning the next game")
        _status, view = await ask("seat", ben["key"])
        assert view["phase"] == "selection"


async def test_a_new_game_asks_whether_the_same_people_play(home: Path) -> None:
    async with start_open(crown="Kurt", size=(120, 40)) as (table, ask):
        code = _find_code(table)
        _status, kurt = await ask("join", code=code, seat=2)
        await table.keys("ctrl+n")
        assert "The same people as in the last game? → yes" in table.text()
        await table.keys("f5")
        assert (await ask("seat", kurt["key"]))[0] == 200
        assert code in _said(table)
        await table.keys("ctrl+n", "tab", "tab", "down", "enter")
        assert "The same people as in the last game? → no" in table.text()
        await table.keys("f5")
        assert (await ask("seat", kurt["key"]))[0] == 401
        assert code not in _said(table)


async def test_without_phones_the_screen_says_how_to_have_them(home: Path) -> None:
    async with start_table(crown="Kurt") as table:
        await table.keys("ctrl+f")
        assert "start it with --phones" in table.text()


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM", "nothing"])
async def test_the_code_is_dark_on_light_with_its_margin(
    home: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "linux")
    here = where.find("127.0.0.1", 0)
    async with start_table(crown="Kurt", size=(120, 50), where=here) as table:
        await table.wait_until(lambda: here.url in _said(table), "letting phones in", rest=False)
        await table.keys("ctrl+f")
        code = re.findall(r"Code: (\S+)", table.text())[0]
        rows = terminal.draw_half_blocks(where.link_with_code(here.url, code))
        shown = [row for row in screen_strips(table.app) if rows[1] in row.text]
        left = shown[0].text.index(rows[1])
        top = screen_strips(table.app).index(shown[0]) - 1
        for line, row in enumerate(rows, start=top):
            for segment in screen_strips(table.app)[line].crop(left, left + len(row)):
                assert segment.text in row
                assert segment.style is not None
                assert segment.style.color is not None
                assert segment.style.bgcolor is not None
                assert sum(segment.style.color.get_truecolor()) < 100
                assert sum(segment.style.bgcolor.get_truecolor()) > 700
