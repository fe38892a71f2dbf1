"""The games of a table and their statistics on the full screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.files.locations import games_file
from tests.app.driving import start_table
from tests.bench.many_games import fill
from tests.companion.past_games import random_games

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
