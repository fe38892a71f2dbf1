"""Looking back on the full screen: this game, the games of a table, their statistics."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion import terminal
from companion.extensions.looking_back import recap
from companion.extensions.looking_back.recap import bgstats
from companion.files.locations import games_file
from companion.game.demonstration import read_demo
from tests.app.driving import Driver, start_table
from tests.bench.many_games import fill
from tests.companion.past_games import random_games
from tests.looking_back.test_recap_shown import browse

pytestmark = pytest.mark.outer


async def test_games_and_statistics_have_a_page_each(home: Path) -> None:
    fill(games_file(str(home / "data")), random_games(3))
    async with start_table(["Anna", "Kurt", "Ashley", "Ben"]) as table:
        await table.keys("ctrl+g")
        assert "The games of this table" in table.text()
        assert "2001-01-04-1: " in table.text()
        await table.keys("escape", "ctrl+b")
        assert "3 finished games." in table.text()
        assert "Anna: " in table.text()
        await table.keys("escape")
        await table.line("stats Anna")
        assert "Anna as " in table.text()


GAME = read_demo()


async def _ended(table: Driver) -> None:
    await table.line(GAME.moves[-1])
    assert table.session.over


async def test_the_game_is_looked_back_at_and_handed_to_bg_stats() -> None:
    setup = GAME.setup
    async with start_table(
        setup.players, crown=setup.crown, moves=GAME.moves[:-1], size=(80, 18)
    ) as table:
        await _ended(table)
        await table.keys(*["enter"] * 6, "4")
        assert "Round 1." in table.text()
        assert "Points: " in table.text()
        await table.keys("escape", "5")
        assert "The QR code needs a window of" in table.text()
        assert "bgstatsapp.com" not in table.text()
        await table.keys("escape")
        assert "1   Play again" in table.text()


async def test_a_window_that_is_large_enough_shows_the_code_whole() -> None:
    setup = GAME.setup
    async with start_table(
        setup.players, crown=setup.crown, moves=GAME.moves[:-1], size=(150, 70)
    ) as table:
        await _ended(table)
        await table.keys(*["enter"] * 6, "5")
        link = bgstats.make_link(_look(table))
        lines = [row.rstrip() for row in table.rows()]
        for row in terminal.draw_half_blocks(link):
            assert row.rstrip() in lines


def _look(table: Driver) -> recap.Recap:
    session = table.session
    return recap.look_back(session.referee, session.name, session.store, session.game)


@pytest.mark.needs("Chromium")
async def test_where_a_browser_is_a_row_opens_the_recap_whose_card_is_a_png(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = tmp_path / "opened"
    for name in ("xdg-open", "open"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\necho "$1" >{opened}.new\nmv {opened}.new {opened}\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":9")
    setup = GAME.setup
    async with start_table(setup.players, crown=setup.crown, moves=GAME.moves[:-1]) as table:
        await table.line(GAME.moves[-1])
        await table.keys(*["enter"] * 6, "4")
        assert "Open in the browser: " in " ".join(table.text().split())
        await table.wait_until(opened.exists, "opening the page")
    page = Path(opened.read_text(encoding="utf-8").strip())
    shown = browse(tmp_path, "--virtual-time-budget=5000", "--dump-dom", page.as_uri())
    assert "Ben wins" in shown
    assert 'href="data:image/png;base64,iVBOR' in shown
    assert f'download="{page.stem}.png"' in shown
