"""Light mode on the screen: amounts by keys, cities by taps, no hands and no cities meanwhile."""

from __future__ import annotations

import pytest

from companion.wording import state
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

PLAYERS = ["Anna", "Kurt", "Ashley", "Ben"]
LIGHT = {"cities": "untracked"}


def played(table: Driver) -> list[str]:
    return [move.text for move in table.session.referee.moves]


async def test_a_round_by_keys_and_the_cities_by_taps() -> None:
    async with start_table(PLAYERS, house=LIGHT, reader="simulated") as table:
        await table.line("faceup bishop merchant")
        await table.keys("a", "1", "g")
        assert "in hand" not in table.text()
        assert state.progress(0, 7) not in table.text()
        await table.keys("d")
        assert " 3   3 gold" in table.text()
        await table.keys("3")
        assert "build 3" in played(table)
        await table.keys("p", "1")
        assert played(table)[-1] == "pay 1"
        assert "7 districts, light mode" in table.rows()[0]
        assert "house rule" not in table.rows()[0]
        assert "Assassin · complete" not in table.text()
        await table.line("complete Anna")
        assert "Assassin · complete" in table.text()
        assert "LAST ROUND" in table.rows()[1]
        await table.keys("e", "e", *["n"] * 5)  # two ranks lie face up
        assert "Which districts are in your city?" in table.text()
        await table.tap("temple")
        await table.tap("keep")
        assert played(table)[-2:] == ["city Anna temple", "city Anna keep"]
        await table.line("counted")
        assert "was complete first, but has 2 districts. Right?" in table.text()
        await table.keys("y")
        for _ in PLAYERS[1:]:
            await table.line("counted")
        assert table.session.over
        assert "Districts" in table.text()


async def test_there_are_no_scores_before_the_cities_are_counted() -> None:
    async with start_table(PLAYERS, house=LIGHT) as table:
        await table.keys("s")
        assert "There are no scores until the cities are counted" in table.text()
