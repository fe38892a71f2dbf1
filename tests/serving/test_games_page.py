"""The table's games and statistics on the phones."""

from __future__ import annotations

from pathlib import Path

from companion.game.session import Session
from companion.log import records
from tests.games.regenerate import GAMES
from tests.serving.table import Table
from tests.serving.test_recap import enter

SHORT = records.read(str(GAMES / "short_game.yaml")).record


async def test_who_has_not_said_the_code_is_asked_for_it(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        assert b'value="/games"' in (await table.get("/games")).body
    finally:
        table.close()


async def test_finished_games_are_told_and_added_up(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        other = Session.begin(table.store, SHORT.setup)
        for move in SHORT.moves:
            other.play(move)
        other.close()
        cookie = await enter(table)
        for code, count in (("en", "1 finished game."), ("de", "1 beendete Partie.")):
            text = (await table.get("/games", cookie, accept_language=code)).body.decode()
            assert count in text
            assert "Anna" in text
            assert text.count("<h2>") >= 3
    finally:
        table.close()
