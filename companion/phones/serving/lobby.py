"""Pages and JSON while a game is being set up, in place of those of a game."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from companion import language
from companion.language import _
from companion.phones.lobby import ONLY_LEADER, do_line
from companion.phones.serving import announce, guard, messages, pages
from companion.phones.serving.desk import PATIENCE
from companion.phones.serving.forms import find_sender
from companion.phones.serving.house import NOBODY, describe_ask
from companion.phones.serving.messages import Rejected
from companion.phones.table import NotYours
from companion.setup.conversation import SetUpTalk
from companion.terminal import qr

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.phones.lobby import Lobby, LobbyPage
    from companion.phones.serving.house import Guest, House, Joining
    from companion.phones.serving.messages import Answer, Request

WAIT_STEP = 0.02  # seconds

WORDS: dict[str, Callable[[SetUpTalk], object]] = {
    "start": SetUpTalk.begin,
    "continue": SetUpTalk.resume,
    "back": SetUpTalk.back,
}
"""The words of the phone that leads, beside the rows."""


async def take_chair(
    house: House, request: Request, name: str, ticket: str = ""
) -> tuple[int, Joining]:
    """Join the lobby under that name: the seat, and the answer of `House.join`. Raises Rejected
    with what is wrong with the name."""

    def find() -> int:
        if house.lobby is None:
            raise Rejected(409, _("The game has begun; choose a seat."))
        seat = house.lobby.find_seat(name)
        problem = house.lobby.add(name) if seat is None else ""
        if problem:
            raise Rejected(409, problem)
        return len(house.players) - 1 if seat is None else seat

    seat = await house.desk.ask(find)
    return seat, await house.join(request, seat, ticket)


async def _wait_for_game(house: House) -> None:
    """Wait until the phones follow a game that they have just begun."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while house.lobby is not None and house.lobby.shared.is_done:
                await asyncio.sleep(WAIT_STEP)


async def _draw(house: House, guest: Guest, code: str) -> LobbyPage | None:
    """The lobby's page for that guest; None if the game has begun. Raises Rejected if the seat is
    no longer theirs."""

    def draw() -> LobbyPage | None:
        with language.speaking(code):
            house.check_still(guest)
            return None if house.lobby is None else house.lobby.page(guest.seat)

    return await house.desk.ask(draw)


async def seat(house: House, request: Request) -> Answer:
    """The lobby for a phone that has joined; the one that leads sets up the game."""
    guest = house.find_guest(request)
    if guest.seat is None:
        return messages.see_other("/")
    look = house.find_look(request)
    page = await _draw(house, guest, look.language)
    if page is None:
        return messages.see_other("/seat")
    asks = house.list_asks(guest.seat)
    return pages.show(
        house,
        look,
        "lobby",
        page=page,
        token=guest.token,
        asks=[(one.number, describe_ask(one, house.players)) for one in asks],
        url=house.where.url,
        code=guard.format_code(house.door.code),
        is_live=True,
    )


async def act(house: House, request: Request) -> Answer:
    """Change the set-up, or one's own name."""
    guest, fields = await find_sender(house, request)
    code = house.find_look(request).language
    row, moment = fields.get("row", ""), fields.get("moment", "")

    def do(seat: int) -> None:
        lobby = house.lobby
        if lobby is None:
            return
        with language.speaking(code):
            if "name" in fields:
                problem = lobby.rename(seat, fields["name"])
                if problem:
                    raise Rejected(409, problem)
                return
            _check_leads(lobby, seat)
            if "word" in fields and fields["word"] in WORDS:
                lobby.act(WORDS[fields["word"]], moment)
            elif row.isascii() and row.isdecimal() and len(row) < 4:
                lobby.take(fields.get("page", ""), int(row), moment)
            elif "text" in fields:
                lobby.act(lambda talk: talk.line(fields["text"]), moment)

    await house.act(guest, do)
    await _wait_for_game(house)
    return messages.see_other("/seat")


def _check_leads(lobby: Lobby, seat: int) -> None:
    if seat != lobby.leader:
        raise NotYours(ONLY_LEADER)


async def table(house: House, request: Request) -> Answer:
    """The lobby for a television: how to join, and who has."""
    look = house.find_look(request)
    if not house.find_guest(request).is_visitor:
        return pages.show(house, look, "enter", problem="", to="/table")
    page = await _draw(house, NOBODY, look.language)
    if page is None:
        return messages.see_other("/table")
    url, code = house.where.url, house.door.code

    async def draw() -> Markup:
        return Markup(qr.draw_inline(announce.link(url, code)))

    return pages.show(
        house,
        look,
        "lobby_table",
        page=page,
        is_live=True,
        url=url,
        code=guard.format_code(code),
        picture=await house.kept.get("picture", (url, code), draw),
    )


async def nothing_yet(house: House, request: Request) -> Answer:
    """What a game has to answer; there is none yet."""
    if request.path.startswith("/api/"):
        raise Rejected(409, _("The game has not begun."))
    return messages.see_other("/")


async def moves(house: House, request: Request) -> Answer:
    """Set up the game with a line of a program; answers with the lobby, or the table once the game
    has begun."""
    guest = house.find_guest(request)
    if guest.seat is None:
        raise Rejected(401, _("This needs a seat's key."))
    line = (await request.json()).get("move")
    if not isinstance(line, str) or not line.strip():
        raise Rejected(400, _("Give the move: {example}").format(example='{"move": "start"}'))
    code = house.find_look(request).language

    def do(seat: int) -> list[str]:
        lobby = house.lobby
        if lobby is None:
            raise Rejected(409, _("The game has begun."))
        _check_leads(lobby, seat)
        with language.speaking(code):
            return do_line(lobby, line)

    def view_now() -> dict[str, Any]:
        house.check_still(guest)
        with language.speaking(code):
            return house.table.view(guest.seat)

    problems = await house.act(guest, do)
    await _wait_for_game(house)
    view = await house.desk.ask(view_now)
    if problems:
        entries = {"index": 0, "move": line, "rule": None, "reason": " ".join(problems)}
        return messages.data(view | {"refused": entries}, 409)
    return messages.data(view)
