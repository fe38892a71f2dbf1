"""The recap on the phones: for everybody in the room, each in their own language."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from companion.log import records
from companion.phones.serving.http_messages import name_cookie
from companion.phones.serving.pages import Look
from companion.phones.serving.site import LOOK, SEAT
from tests.games.regenerate import GAMES
from tests.serving.local_table import Table, header, read_cookies

WHOLE = records.read(str(GAMES / "whole_game.yaml")).record


async def enter(table: Table) -> str:
    """The cookie of a visitor who has entered the code."""
    return read_cookies(await table.post("/enter", code=table.code))


async def test_who_has_not_said_the_code_is_asked_for_it(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        answer = await table.get("/recap")
        assert b"Points round by round" not in answer.body
        assert b'value="/recap"' in answer.body
    finally:
        table.close()


@pytest.mark.parametrize(("code", "heading"), [("en", "Points round"), ("fr", "Points manche")])
async def test_everybody_in_the_room_can_look_back(tmp_path: Path, code: str, heading: str) -> None:
    table = Table(tmp_path, "faceup bishop merchant; call; reveal Anna; gold; build temple")
    try:
        answer = await table.get("/recap", await enter(table), accept_language=code)
        text = answer.body.decode()
        assert f'<html lang="{code}">' in text
        assert heading in text
        assert "Anna" in text
        policy = header(answer, "Content-Security-Policy") or ""
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert f'content="{policy.partition("; form-action")[0]}"' in text
        assert "<script" not in text
        names = [name for name, _value in answer.headers]
        assert len(names) == len(set(names))
    finally:
        table.close()


async def test_it_is_written_once_until_something_changes(tmp_path: Path) -> None:
    table = Table(tmp_path, "faceup bishop merchant; call")
    try:
        cookie = await enter(table)

        async def look(code: str) -> str:
            return (await table.get("/recap", cookie, accept_language=code)).body.decode()

        before = table.asked
        assert len(set(await asyncio.gather(*(look("en") for _visitor in range(5))))) == 1
        await look("de")
        assert table.asked - before == 2  # each language once
        first = await look("en")
        table.session.play("reveal Anna")
        table.session.play("gold")
        assert await look("en") != first
        assert table.asked - before == 3
    finally:
        table.close()


async def test_the_scores_lead_to_it(tmp_path: Path) -> None:
    table = Table(tmp_path, "; ".join(WHOLE.moves))
    try:
        cookie = await enter(table)
        assert b'href="/recap"' in (await table.get("/table", cookie)).body
        text = (await table.get("/recap", cookie)).body.decode()
        assert "Round 10 decided it, when Ben passed Kurt for good" in text
        assert "app.bgstatsapp.com/createPlay.html" in text
    finally:
        table.close()


async def test_at_the_end_a_phone_says_no_number_twice(tmp_path: Path) -> None:
    table = Table(tmp_path, "; ".join(WHOLE.moves))
    try:
        cookie = f"{name_cookie(SEAT, table.port)}={await table.join(1)}"
        text = (await table.get("/seat", cookie)).body.decode()
        text, _told, _rest = text.partition('id="told-lines"')
        for points in ("42 points", "25 points"):
            assert text.count(points) == 1
        assert "/7" not in text
        assert text.count('class="skyline"') == text.count('class="place"')
    finally:
        table.close()


async def test_the_card_is_for_the_room_and_only_after_the_game(tmp_path: Path) -> None:
    table = Table(tmp_path, "; ".join(WHOLE.moves[:-1]))
    try:
        cookie = await enter(table)
        assert (await table.get("/share/citadels.svg", cookie)).status == 404
        table.session.play(WHOLE.moves[-1])
        stranger = await table.get("/share/citadels.svg")
        assert b"<svg xmlns" not in stranger.body
        assert b'value="/share/citadels.svg"' in stranger.body
        picture = await table.get("/share/citadels.svg", cookie, accept_language="de")
        assert header(picture, "Content-Type") == "image/svg+xml"
        assert "Ben gewinnt 42 zu 25" in picture.body.decode()
        assert (await table.get("/share/other.svg", cookie)).status == 404
        text = (await table.get("/share/citadels.txt", cookie)).body.decode()
        assert text.startswith("Ben wins, 42 to 25.\n")
    finally:
        table.close()


async def test_it_looks_as_the_phone_does_and_leads_back(tmp_path: Path) -> None:
    table = Table(tmp_path, "faceup bishop merchant; call")
    try:
        cookie = await enter(table)
        usual = (await table.get("/recap", cookie)).body.decode()
        choice = f"{name_cookie(LOOK, table.port)}={Look('en', size='huge', theme='dark').cookie()}"
        dark = (await table.get("/recap", f"{cookie}; {choice}")).body.decode()
        assert '<html lang="en" data-size="huge">' in dark
        assert 'name="color-scheme" content="dark"' in dark
        assert "prefers-color-scheme: dark" in usual
        assert "prefers-color-scheme" not in dark
        assert re.findall(r'<li><a href="([^"]*)">', usual) == ["/", "/table"]
    finally:
        table.close()
