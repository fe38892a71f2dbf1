"""Pages and JSON while a game is being set up, in place of those of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from common.clean import read_number
from companion import language, terminal
from companion.language import _
from companion.phones.lobby import ONLY_LEADER, Lobby, LobbyPage, do_line
from companion.phones.phone_table import NotYours
from companion.phones.serving import guard, http_messages, pages
from companion.phones.serving.api import find_seated
from companion.phones.serving.http_messages import HttpRequest, Rejected
from companion.phones.serving.pages import Look
from companion.phones.serving.site import NOBODY, Guest, Site
from companion.phones.serving.stream import PATIENCE
from companion.phones.serving.where import link_with_code
from companion.setup.draft import DOORS
from companion.setup.setup_talk import SetUpTalk

WAIT_STEP = 0.02  # seconds

WORDS: dict[str, Callable[[SetUpTalk], object]] = {
    "start": SetUpTalk.begin,
    "continue": SetUpTalk.resume,
    "back": SetUpTalk.go_back,
    **{door: partial(SetUpTalk.choose_door, door=door) for door in DOORS},
}
"""The words of the phone that leads, beside the rows."""


async def _wait_for_game(site: Site) -> None:
    """Wait until the phones follow a game that they have just begun."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while site.lobby is not None and site.lobby.set_up.is_done:
                await asyncio.sleep(WAIT_STEP)


async def _draw(site: Site, guest: Guest, code: str) -> LobbyPage | None:
    """The lobby's page for that guest; None if the game has begun. Raises Rejected if the seat is
    no longer theirs."""

    def draw() -> LobbyPage | None:
        with language.speaking(code):
            site.check_still(guest)
            return None if site.lobby is None else site.lobby.page(guest.seat)

    return await site.desk.ask(draw)


async def seat(site: Site, request: HttpRequest) -> Response:
    """The lobby for a phone that has joined; the one that leads sets up the game."""
    guest = site.find_guest(request)
    if guest.seat is None:
        return http_messages.see_other("/")
    look = site.find_look(request)
    page = await _draw(site, guest, look.language)
    if page is None:
        return http_messages.see_other("/seat")
    return pages.show(
        site.where,
        look,
        "lobby",
        page=page,
        token=guest.token,
        own_code=site.own_code(guest),
        freeable=site.list_freeable(guest.seat),
        url=site.where.url,
        code=guard.format_code(site.door.now.code),
        is_live=True,
    )


async def act(site: Site, request: HttpRequest) -> Response:
    guest, fields = await site.find_sender(request)
    code = site.find_look(request).language
    row, moment = fields.get("row", ""), fields.get("moment", "")

    def do(seat: int) -> None:
        lobby = site.lobby
        if lobby is None:
            return
        with language.speaking(code):
            _check_leads(lobby, seat)
            if "word" in fields and fields["word"] in WORDS:
                word = fields["word"]
                lobby.act(WORDS[word], moment, despite_others=word == "back")
            elif (number := read_number(row, 3)) is not None:
                lobby.take(number, moment)
            elif "text" in fields:
                lobby.act(lambda talk: talk.line(fields["text"]), moment, despite_others=True)

    await site.act_once(guest, fields, do)
    await _wait_for_game(site)
    return http_messages.see_other("/seat")


def _check_leads(lobby: Lobby, seat: int) -> None:
    if seat != lobby.leader:
        raise NotYours(ONLY_LEADER)


async def table(site: Site, request: HttpRequest) -> Response:
    """The lobby for a television: how to join, and who has."""
    look = site.find_look(request)
    if not site.find_guest(request).may_look:
        return pages.show(site.where, look, "enter", problem="", to="/table")
    page = await _draw(site, NOBODY, look.language)
    if page is None:
        return http_messages.see_other("/table")
    return await show_with_code(site, look, "lobby_table", page=page)


async def show_with_code(site: Site, look: Look, name: str, **fields: Any) -> Response:
    """A page for a television that says how to join: address, code and QR code."""
    url, code = site.where.url, site.door.now.code

    async def draw() -> Markup:
        return Markup(terminal.draw_inline(link_with_code(url, code)))

    picture = await site.kept.get("picture", (url, code), draw)
    shown = guard.format_code(code)
    return pages.show(
        site.where, look, name, is_live=True, url=url, code=shown, picture=picture, **fields
    )


async def nothing_yet(site: Site, request: HttpRequest) -> Response:
    """What a game has to answer; there is none yet."""
    if request.path.startswith("/api/"):
        raise Rejected(409, _("The game has not begun."))
    return http_messages.see_other("/")


async def moves(site: Site, request: HttpRequest) -> Response:
    """Set up the game with a line of a program; answers with the lobby, or the table once the game
    has begun."""
    guest = find_seated(site, request)
    line = (await request.json()).get("move")
    if not isinstance(line, str) or not line.strip():
        raise Rejected(400, _("Give the move: {example}").format(example='{"move": "start"}'))
    code = site.find_look(request).language

    def do(seat: int) -> list[str]:
        lobby = site.lobby
        if lobby is None:
            raise Rejected(409, _("The game has begun."))
        _check_leads(lobby, seat)
        with language.speaking(code):
            return do_line(lobby, line)

    def view_now() -> dict[str, Any]:
        site.check_still(guest)
        with language.speaking(code):
            return site.table.view(guest.seat)

    problems = await site.act(guest, do)
    await _wait_for_game(site)
    view = await site.desk.ask(view_now)
    if problems:
        refused = {"index": 0, "move": line, "rule": None, "reason": " ".join(problems)}
        return http_messages.data(view | {"refused": refused}, 409)
    return http_messages.data(view)
