"""Games for BG Stats: our own page about each, by a short link, and what was not sent yet."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from urllib.parse import unquote

from companion.history.recap import bgstats
from companion.log import records
from companion.log.open_game import GameSettings
from tests.games.regenerate import GAMES
from tests.serving.table import Table, read_cookies

WHOLE = records.read(str(GAMES / "whole_game.yaml")).record
LINK = re.compile(
    r'href="https://app\.bgstatsapp\.com/createPlay\.html\?data=([^"]*)" data-sent="([^"]*)"'
)


def play(folder: Path) -> Table:
    """A table whose game has just ended."""
    return Table(folder, "; ".join(WHOLE.moves))


async def test_the_short_link_is_enough_and_nothing_else_is(tmp_path: Path) -> None:
    table = play(tmp_path)
    try:
        session = table.session
        path = "/b/" + bgstats.make_key(session.settings.group, session.name)
        answer = await table.get(path)
        assert answer.status == 200
        (match,) = LINK.findall(answer.body.decode())
        message = json.loads(unquote(html.unescape(match[0])))
        assert [player["score"] for player in message["players"]] == [12, 25, 21, 42]
        assert match[1] == path
        for other in ("/b/AAAAAAAA", path[:-1], path.lower()):
            assert (await table.get(other)).status == 404
        assert (await table.get("/plays")).body.count(b"createPlay") == 0  # asks for the code
    finally:
        table.close()


async def test_a_game_that_was_sent_is_on_the_list_no_longer(tmp_path: Path) -> None:
    table = play(tmp_path)
    try:
        cookie = read_cookies(await table.post("/enter", code=table.code))
        entries = LINK.findall((await table.get("/plays", cookie)).body.decode())
        assert len(entries) == 1
        answer = await table.post(entries[0][1])
        assert answer.status == 303
        text = (await table.get("/plays", cookie)).body.decode()
        assert not LINK.findall(text)
        assert "Every finished game was sent to BG Stats." in text
        session = table.session
        assert bgstats.is_sent(session.store.path, session.name)
        assert LINK.findall((await table.get(entries[0][1])).body.decode())  # still there
    finally:
        table.close()


async def test_a_game_that_goes_on_has_no_page(tmp_path: Path) -> None:
    table = Table(tmp_path, "faceup bishop merchant; call")
    try:
        session = table.session
        key = bgstats.make_key(session.settings.group, session.name)
        assert (await table.get(f"/b/{key}")).status == 404
    finally:
        table.close()


async def test_keys_differ_by_group_and_game(tmp_path: Path) -> None:
    log = str(tmp_path / "games.sqlite3")
    groups = [GameSettings(log, name).group for name in ("one", "other")]
    keys = {bgstats.make_key(group, name) for group in groups for name in ("one", "other")}
    assert len(keys) == 4
    assert bgstats.find_game(log, bgstats.make_key(groups[0], "one")) == "one"
    assert bgstats.find_game(log, bgstats.make_key(groups[0], "other")) is None
    assert bgstats.find_game(log, "") is None
