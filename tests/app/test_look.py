"""Reading one's own card in private: only on the private screen, if there is no earphone."""

from __future__ import annotations

import pytest

from companion.app.screens.private_screen import PrivateScreen
from tests.app.driving import start_table

pytestmark = pytest.mark.outer


async def test_ones_own_card_is_read_on_the_private_screen_and_plays_nothing() -> None:
    async with start_table(reader="simulated", moves=["faceup thief bishop"]) as table:
        await table.keys("ctrl+o")
        assert isinstance(table.app.screen, PrivateScreen)
        await table.tap("king")
        assert "King: rank 4" in table.text()
        await table.keys("escape")
        assert table.app.screen is table.app.table
        assert "King: rank 4" not in table.text()
        assert len(table.session.referee.moves) == 1
