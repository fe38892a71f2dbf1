"""The end of a game on the screen: scores in steps, the winner in large print, the table of scores,
and the next game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from companion.app.widgets.players_panel import Players
from companion.app.widgets.status import Prompt
from companion.game.demonstration import read_demo
from companion.game.events import tell_recent
from companion.language import list_offered
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

GAME = read_demo()


@asynccontextmanager
async def end_game(code: str = "en", **how: Any) -> AsyncIterator[Driver]:
    """A table whose game has just ended, in that language."""
    setup = GAME.setup
    async with start_table(setup.players, crown=setup.crown, moves=GAME.moves[:-1], **how) as table:
        table.app.use_language(code)
        await table.line(GAME.moves[-1])
        assert table.session.over
        yield table


async def test_the_scores_come_one_part_at_a_time() -> None:
    async with end_game() as table:
        for title in ("Districts", "Five types", "Complete cities", "Unique districts"):
            assert title in table.text()
            assert "Ben wins" not in table.text()
            await table.keys("enter")
        assert "The winner" in table.text()
        assert table.text().count("█") > 20
        assert "Ben wins with 23 points." in table.text()
        await table.keys("space")
        row = next(row for row in table.rows() if "1. Ben" in row)
        assert row.strip(" │").split()[2:] == ["16", "3", "4", "0", "23"]
        await table.keys("enter")
        assert "1   Play again" in table.text()
        assert [row for row in table.rows() if "▶ " in row] == [
            row for row in table.rows() if "▶ Ben" in row
        ]


async def test_at_the_end_no_moment_before_it_is_announced() -> None:
    async with end_game() as table:
        assert tell_recent(table.session) is not None
        await table.keys(*["enter"] * 6)
        assert table.app.screen.query_one(Prompt).moment == ""


@pytest.mark.parametrize("code", list_offered())
async def test_the_scores_fit_a_small_terminal(code: str) -> None:
    async with end_game(code, size=(60, 22)) as table:
        await table.keys(*["enter"] * 5)
        row = next(row for row in table.rows() if "1. Ben" in row)
        assert row.strip(" │").split()[2:] == ["16", "3", "4", "0", "23"]
        assert len([row for row in table.rows() if row.strip(" │")[:1].isdecimal()]) == 4


async def test_a_tap_goes_on_to_the_next_part() -> None:
    async with end_game(reader="simulated") as table:
        assert "Districts" in table.text()
        await table.tap("crown")
        assert "Five types" in table.text()


async def test_the_same_names_play_again() -> None:
    async with end_game() as table:
        await table.keys(*["enter"] * 6)
        first = table.session
        await table.keys("1")
        assert table.session is first  # it asks first
        assert "Play again with" in table.text()
        await table.keys("1")
        assert table.session is not first
        assert table.session.setup.players == GAME.setup.players
        assert not table.session.referee.moves
        assert "Round 1" in table.rows()[0]
        assert table.app.table is not None
        assert not any(table.app.table.query_one(Players).changes)
