"""The selection on the main screen: every step, for every number of players."""

from __future__ import annotations

import pytest

from companion.setup import PlayOptions
from tests.app.driving import start_table

pytestmark = pytest.mark.outer

NAMES = ("Anna", "Kurt", "Ashley", "Ben", "Bartholomew", "Élodie", "Борис")
NINE = ("witch", "blackmailer", "seer", "patrician", "abbot", "alchemist", "navigator", "diplomat")


@pytest.mark.parametrize("players", range(2, 8))
async def test_every_step_is_on_a_small_screen(players: int) -> None:
    options = PlayOptions(edition="deluxe_2016", characters=(*NINE, "artist"))
    if players < 5:
        options = PlayOptions()
    async with start_table(NAMES[:players], options=options) as table:
        words = " ".join(row[:33].strip() for row in table.rows())
        assert f"Shuffle the {9 if options.edition else 8} characters." in " ".join(words.split())
        for name in NAMES[:players]:
            assert name in words
        assert "the other face down." in " ".join(words.split())
        count = len(table.asked.visible)
        assert count
        assert "Choose" in table.text()


async def test_what_has_been_done_is_not_asked_for_again() -> None:
    async with start_table(size=(120, 40)) as table:
        assert "· Discard 2 face up." in table.text()
        assert "· Each keeps one" in table.text()
        await table.line("faceup bishop merchant")
        assert "· Discard 2 face up." not in table.text()
        assert "· Lay 1 face down." in table.text()
        await table.keys("a")
        assert "keeps one" not in table.text()
