"""The table's games and statistics on the phones."""

from __future__ import annotations

import re
from pathlib import Path

from companion.game.session import Session
from companion.log import records
from companion.phones.serving.pages import AsyncCache
from companion.settings.checks import BEATEN
from tests.games.regenerate import GAMES
from tests.serving.table import Table, header, read_cookies
from tests.serving.test_recap import enter

WHOLE = records.read(str(GAMES / "whole_game.yaml")).record
SHORT = records.read(str(GAMES / "short_game.yaml")).record

STRANGERS = ("Zoe", "Yuri", "Xaver", "Wanda")  # another group's names


async def test_who_has_not_said_the_code_is_asked_for_it_and_gets_there(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        assert b'name="to" value="/games"' in (await table.get("/games")).body
        answer = await table.post("/enter", code=table.code, to="/games")
        assert header(answer, "Location") == "/games"
        text = (await table.get("/games", read_cookies(answer))).body.decode()
        assert "The games of this group" in text
    finally:
        table.close()


async def test_finished_games_of_this_group_are_told_and_added_up(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        for before in (table.session.settings, None):
            setup = (
                SHORT.setup
                if before
                else SHORT.setup._replace(players=STRANGERS, crown=STRANGERS[0])
            )
            other = Session.begin(table.store, setup, before=before)
            for move in SHORT.moves if before else ():
                other.play(move)
            other.close()
        cookie = await enter(table)
        for code, count in (("en", "1 finished game."), ("de", "1 beendete Partie.")):
            text = (await table.get("/games", cookie, accept_language=code)).body.decode()
            assert count in text
            assert "Anna" in text
            assert ("Season" if code == "en" else "Saison") in text
            assert [line for line in text.splitlines() if re.search(r"<li>1\. .*\b3\b", line)]
            assert text.count("<h2>") >= 3
            assert not [name for name in STRANGERS if name in text]
    finally:
        table.close()


async def test_games_are_told_anew_once_this_one_ends_otherwise(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        *moves, last = WHOLE.moves
        for move in moves:
            table.session.play(move)
        cookie = await enter(table)

        async def look() -> str:
            return (await table.get("/games", cookie)).body.decode()

        assert "1 finished game." not in await look()
        before = table.asked
        for _time in range(2):
            table.session.play(last)
            assert "1 finished game." in await look()
            assert "1 finished game." in await look()
            table.session.undo()
        assert table.asked - before == 2
    finally:
        table.close()


async def test_a_season_begins_on_its_first_day(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        for move in WHOLE.moves:
            table.session.play(move)
        cookie = await enter(table)
        for first, counts in (("2000-01-01", True), ("2999-01-01", False)):
            table.site.season = (BEATEN, first)
            table.site.kept = AsyncCache()
            text = (await table.get("/games", cookie)).body.decode()
            assert ("<h2>Season</h2>" in text) is counts
            assert "1 finished game." in text
    finally:
        table.close()
