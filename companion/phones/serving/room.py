"""The HTML pages: joining, the seat, the public table, a card, the display settings.

Everything works with forms and redirects; the script only saves reloading. `companion.phones`
decides what a page shows of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.responses import Response

from common.clean import read_number
from companion import language
from companion.language import _
from companion.phones.serving import afterwards, guard, http_messages, lobby_pages, pages
from companion.phones.serving.door import Proof
from companion.phones.serving.http_messages import HttpRequest, Rejected
from companion.phones.serving.site import LOOK, NOBODY, SEAT, VISITOR, Site
from companion.phones.serving.tapping import BY_HAND
from companion.wording import facts
from engine import cards

LOOKED_AT_AGAIN = "max-age=3600"


# -- joining ------------------------------------------------------------------------------------


async def enter(site: Site, request: HttpRequest) -> Response:
    """Ask for the code, then for the seat; a phone with a seat is redirected to it."""
    guest, to = site.find_guest(request), pages.safe_redirect(request.query_params.get("to", "/"))
    if guest.seat is not None:
        return http_messages.see_other(_find_destination(to))
    look = site.find_look(request)
    if not guest.may_look:
        lost = site.tell_lost(request)
        return pages.show(site.where, look, "enter", problem="", to=to, lost=lost)
    now, in_lobby = site.door.now, site.lobby  # the game's thread may end it meanwhile
    return pages.show(
        site.where,
        look,
        "seats",
        seats=[(seat, name, seat in now.taken) for seat, name in enumerate(now.players)],
        lost=site.tell_lost(request),
        is_public=site.is_public,
        is_lobby=in_lobby is not None,
        offered=in_lobby.set_up.offered if in_lobby is not None else (),
        to=to,
        is_live=in_lobby is not None,
    )


async def take_code(site: Site, request: HttpRequest) -> Response:
    """Check the code: the table's leads to the choice of seats, a seat's own to that seat."""
    fields = await request.read_form()
    code, to = fields.get("code", ""), pages.safe_redirect(fields.get("to", "/"))
    own = site.door.now.find_name(code)
    if own is not None:
        _chair, _player, key = await site.admit(request, own, Proof.SEAT)
        return _seat(request, key, to)
    if not site.try_code(request, code):
        look = site.find_look(request)
        return pages.show(site.where, look, "enter", 403, problem=_("Wrong code."), to=to)
    answer = http_messages.see_other(to)
    http_messages.keep(request, answer, VISITOR, site.door.now.visitor)
    return answer


async def sit(site: Site, request: HttpRequest) -> Response:
    """Take a free seat, or a chair in the lobby."""
    fields = await request.read_form()
    to = pages.safe_redirect(fields.get("to", "/"))
    # the key of another seat opens none
    proof = min(site.find_guest(request).proof, Proof.TABLE)
    name = fields.get("name")
    if name is None:
        players = site.players
        name = players[_read_seat(fields.get("seat", ""), players)]
    _chair, _player, key = await site.admit(request, name, proof, request.cookies.get(SEAT, ""))
    return _seat(request, key, to)


def _seat(request: HttpRequest, key: str, to: str) -> Response:
    answer = http_messages.see_other(_find_destination(to))
    http_messages.keep(request, answer, SEAT, key)
    return answer


def _find_destination(to: str) -> str:
    """Where to send a phone that has just got a seat. A chip tapped before that then needs a touch
    on its page."""
    return f"{to}{BY_HAND}" if to.startswith("/t/") else "/seat" if to == "/" else to


async def leave(site: Site, request: HttpRequest) -> Response:
    guest, _fields = await site.find_sender(request)
    await site.leave(guest)
    answer = http_messages.see_other("/")
    http_messages.keep(request, answer, SEAT, "")
    return answer


async def free(site: Site, request: HttpRequest) -> Response:
    """Clear a seat for somebody else, from the phone with the crown."""
    guest, fields = await site.find_sender(request)
    await site.free(guest, _read_seat(fields.get("seat", ""), site.players))
    return http_messages.see_other("/seat")


def _read_seat(text: str, players: Sequence[str]) -> int:
    """A seat, counted from 1 in the form. Raises Rejected."""
    seat = read_number(text, 3)
    if seat is not None and 1 <= seat <= len(players):
        return seat - 1
    raise Rejected(400, _("There is no such seat."))


# -- the seat -----------------------------------------------------------------------------------


async def seat(site: Site, request: HttpRequest) -> Response:
    guest = site.find_guest(request)
    if guest.seat is None:
        return http_messages.see_other("/")
    look = site.find_look(request)
    page = await site.page(guest, look.language)
    return pages.show(
        site.where,
        look,
        "seat",
        page=page,
        afterwards=await afterwards.look_at_end(site, page, look.language),
        token=guest.token,
        arrivals=_tell_news(site, guest.seat),
        own_code=site.own_code(guest),
        code=guard.format_code(site.door.now.code),
        freeable=site.list_freeable(guest.seat),
        is_live=True,
    )


def _tell_news(site: Site, but: int | None = None) -> list[tuple[int, str]]:
    """The seats whose phones came or were freed last, except that one, each with the sentence that
    tells it."""
    return [(news.seat, news.describe()) for news in site.list_latest_news() if news.seat != but]


async def act(site: Site, request: HttpRequest) -> Response:
    """Take a row of the page, or do a word; the page may be out of date."""
    guest, fields = await site.find_sender(request)
    code = site.find_look(request).language
    as_caller = fields.get("as") == "caller"
    row, word, moment = fields.get("row", ""), fields.get("word"), fields.get("moment", "")

    def take(seat: int) -> None:
        if word is not None:
            site.table.word(seat, word, moment, code, as_caller=as_caller)
        elif (number := read_number(row, 5)) is not None:
            site.table.take(seat, number, moment, code, as_caller=as_caller)

    await site.act_once(guest, fields, take)
    return http_messages.see_other("/seat")


# -- for everybody in the room --------------------------------------------------------------------


async def table(site: Site, request: HttpRequest) -> Response:
    """The public table, for example on a television."""
    look = site.find_look(request)
    if not site.find_guest(request).may_look:
        return pages.show(site.where, look, "enter", problem="", to="/table")
    page, now = await site.page(NOBODY, look.language), site.door.now
    return await lobby_pages.show_with_code(
        site,
        look,
        "table",
        page=page,
        afterwards=await afterwards.look_at_end(site, page, look.language),
        arrivals=_tell_news(site),
        is_public=site.is_public,
        has_free_seats=len(now.taken) < len(now.players),
    )


async def card(site: Site, request: HttpRequest) -> Response:
    """A card in the phone's language, in large print."""
    if not site.find_guest(request).may_look:
        return http_messages.see_other("/")
    name, look = request.path.rpartition("/")[2], site.find_look(request)

    def tell() -> tuple[str, str, list[str]]:
        view = site.table.session.view
        with language.speaking(look.language):
            if name not in cards.characters() and name not in view.rules.districts:
                raise Rejected(404, _("There is no such card."))
            type_ = view.rules.districts[name].type if name in view.rules.districts else ""
            return type_, language.card(name), facts.card_text(view, name)

    type_, title, lines = await site.desk.ask(tell)
    return pages.show(site.where, look, "card", sign=type_ or name, title=title, lines=lines)


# -- display settings ------------------------------------------------------------------------------


async def look(site: Site, request: HttpRequest) -> Response:
    """This phone's language, text size, contrast and theme."""
    to = pages.safe_redirect(request.query_params.get("to", "/"))
    return pages.show(site.where, site.find_look(request), "look", to=to)


async def change_look(site: Site, request: HttpRequest) -> Response:
    return await save_look(request, site.find_look(request))


async def save_look(request: HttpRequest, before: pages.Look) -> Response:
    """Have the browser keep the display settings of its form."""
    fields = await request.read_form()
    answer = http_messages.see_other(pages.safe_redirect(fields.get("to", "/")))
    look = pages.read_choices(fields, before)
    http_messages.keep(request, answer, LOOK, look.cookie())
    return answer


async def static(site: Site, request: HttpRequest) -> Response:
    return send_file(pages.files(), request.path.rpartition("/")[2])


def send_file(files: Mapping[str, tuple[str, bytes]], name: str) -> Response:
    """The one of these files. Raises Rejected if there is none of that name."""
    file = files.get(name)
    if file is None:
        raise Rejected(404)
    kind, body = file
    return Response(body, media_type=kind, headers={"Cache-Control": LOOKED_AT_AGAIN})
