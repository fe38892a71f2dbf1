"""The HTML pages: joining, the seat, the public table, a card, the display settings.

Everything works with forms and redirects; the script only saves reloading. `companion.phones`
decides what a page shows of the game.
"""

from __future__ import annotations

from markupsafe import Markup

from companion import language
from companion.language import _
from companion.phones.serving import announce, guard, lobby, messages, pages
from companion.phones.serving import look as looks
from companion.phones.serving.forms import find_place, find_sender, read_seat
from companion.phones.serving.house import (
    ASK,
    LOOK,
    NOBODY,
    SEAT,
    VISITOR,
    House,
    Joining,
    describe_arrival,
    describe_ask,
)
from companion.phones.serving.messages import Answer, Rejected, Request
from companion.phones.serving.tapping import BY_HAND
from companion.terminal import qr
from companion.wording import facts
from engine import cards

CERTIFICATE = "citadels-authority.crt"
LOOKED_AT_AGAIN = "max-age=3600"


# -- joining ------------------------------------------------------------------------------------


async def enter(house: House, request: Request) -> Answer:
    """Ask for the code, then for the seat; a phone with a seat is redirected to it."""
    guest, to = house.find_guest(request), find_place(request.query.get("to", "/"))
    if guest.seat is not None:
        return messages.see_other(_find_destination(to))
    look = house.find_look(request)
    if not guest.is_visitor:
        return pages.show(house, look, "enter", problem="", to=to)
    ticket = request.cookies.get(ASK, "")
    ask = house.door.asks.find(ticket)
    if ask is not None and ask.allowed:
        return _seat(await house.join(request, ask.seat, ticket), to)
    names = house.door.taken
    return pages.show(
        house,
        look,
        "seats",
        seats=[(seat, name, seat in names) for seat, name in enumerate(house.players)],
        asked=ask and (house.players[ask.seat], ask.number),
        problem=house.say_not_given(ticket) if ticket and ask is None else "",
        is_public=house.is_public and house.lobby is None,
        is_lobby=house.lobby is not None,
        offered=house.lobby.shared.offered if house.lobby is not None else (),
        to=to,
        is_live=ask is not None or house.lobby is not None,
    )


async def take_code(house: House, request: Request) -> Answer:
    """Check the code: the table's leads to the choice of seats, a seat's own to that seat."""
    fields = await request.form()
    code, to = fields.get("code", ""), find_place(fields.get("to", "/"))
    own = house.door.find_seat(code)
    if own is not None:
        return _seat(await house.join(request, own, by_own_code=True), to)
    if not house.try_code(request, code):
        look = house.find_look(request)
        return pages.show(house, look, "enter", 403, problem=_("Wrong code."), to=to)
    answer = messages.see_other(to)
    answer.cookies[VISITOR] = house.door.visitor
    return answer


async def sit(house: House, request: Request) -> Answer:
    """Take a free seat, or ask the table for one."""
    if not house.find_guest(request).is_visitor:
        raise Rejected(403, _("Enter the table's code first."))
    fields = await request.form()
    to, ticket = find_place(fields.get("to", "/")), request.cookies.get(ASK, "")
    if "name" in fields:
        _chair, joining = await lobby.take_chair(house, request, fields["name"], ticket)
    else:
        joining = await house.join(request, read_seat(fields.get("seat", ""), house), ticket)
    answer = _seat(joining, to)
    if "language" in fields:
        choices = looks.read_choices(fields, house.find_look(request))
        answer.cookies[LOOK] = choices.cookie()
    return answer


def _seat(joining: Joining, to: str) -> Answer:
    """Let the phone in, or have it wait for the table's answer."""
    if joining.key:
        answer = messages.see_other(_find_destination(to))
        answer.cookies |= {SEAT: joining.key, ASK: ""}
        return answer
    answer = messages.see_other("/" if to == "/" else f"/?to={to}")
    answer.cookies[ASK] = joining.ticket
    return answer


def _find_destination(to: str) -> str:
    """Where to send a phone that has just got a seat. A chip tapped before that then needs a touch
    on its page."""
    return f"{to}{BY_HAND}" if to.startswith("/t/") else "/seat" if to == "/" else to


async def leave(house: House, request: Request) -> Answer:
    """Give the seat back."""
    guest, _fields = await find_sender(house, request)
    await house.leave(guest)
    answer = messages.see_other("/")
    answer.cookies[SEAT] = ""
    return answer


async def allow(house: House, request: Request) -> Answer:
    """Let the crowned player's phone answer requests for seats, or disconnect phones."""
    guest, fields = await find_sender(house, request)
    decision, which = fields.get("say"), fields.get("which", "")
    if decision == "all":
        await house.put_out(guest, None)
    elif decision == "out":
        await house.put_out(guest, read_seat(which, house))
    else:
        number = int(which) if which.isascii() and which.isdecimal() and len(which) == 2 else 0
        await house.answer(guest, number, allowed=decision == "yes")
    return messages.see_other("/seat")


# -- the seat -----------------------------------------------------------------------------------


async def seat(house: House, request: Request) -> Answer:
    """The page of this seat's player."""
    guest = house.find_guest(request)
    if guest.seat is None:
        return messages.see_other("/")
    look = house.find_look(request)
    page = await house.page(guest, look.language)
    asks = house.list_asks(guest.seat)
    return pages.show(
        house,
        look,
        "seat",
        page=page,
        token=guest.token,
        asks=[(one.number, describe_ask(one, house.players)) for one in asks],
        arrivals=_tell_arrivals(house, guest.seat),
        code=guard.format_code(house.door.code),
        others=[(seat, house.players[seat]) for seat in sorted(house.door.taken - {guest.seat})],
        is_live=True,
    )


def _tell_arrivals(house: House, but: int | None = None) -> list[tuple[int, str]]:
    """The seats whose phones came last, except that one, each with the sentence that tells it."""
    arrivals = [one for one in house.list_arrivals() if one.seat != but]
    return [(one.seat, describe_arrival(one, house.players)) for one in arrivals]


async def act(house: House, request: Request) -> Answer:
    """Take a row of the page, or do a word; the page may be out of date."""
    guest, fields = await find_sender(house, request)
    code = house.find_look(request).language
    as_caller = fields.get("as") == "caller"
    row, word, moment = fields.get("row", ""), fields.get("word"), fields.get("moment", "")

    def take(seat: int) -> None:
        if word is not None:
            house.table.word(seat, word, moment, code, as_caller=as_caller)
        elif row.isascii() and row.isdecimal() and len(row) < 6:
            house.table.take(seat, int(row), moment, code, as_caller=as_caller)

    await house.act(guest, take)
    return messages.see_other("/seat")


# -- for everybody in the room --------------------------------------------------------------------


async def table(house: House, request: Request) -> Answer:
    """The public table, for example on a television."""
    look = house.find_look(request)
    if not house.find_guest(request).is_visitor:
        return pages.show(house, look, "enter", problem="", to="/table")
    page = await house.page(NOBODY, look.language)
    url, code = house.where.url, house.door.code

    async def draw() -> Markup:
        return Markup(qr.draw_inline(announce.link(url, code)))

    return pages.show(
        house,
        look,
        "table",
        page=page,
        is_live=True,
        url=url,
        code=guard.format_code(code),
        arrivals=_tell_arrivals(house),
        is_public=house.is_public,
        has_free_seats=len(house.door.taken) < len(house.players),
        picture=await house.kept.get("picture", (url, code), draw),
    )


async def card(house: House, request: Request) -> Answer:
    """A card in the phone's language, in large print."""
    if not house.find_guest(request).is_visitor:
        return messages.see_other("/")
    name, look = request.path.rpartition("/")[2], house.find_look(request)

    def tell() -> list[str]:
        view = house.table.session.view
        with language.speaking(look.language):
            if name not in cards.characters() and name not in view.rules.districts:
                raise Rejected(404, _("There is no such card."))
            return [language.card(name), *facts.card_text(view, name)]

    title, *lines = await house.desk.ask(tell)
    return pages.show(house, look, "card", title=title, lines=lines)


# -- display settings ------------------------------------------------------------------------------


async def look(house: House, request: Request) -> Answer:
    """This phone's language, text size, contrast and theme."""
    to = find_place(request.query.get("to", "/"))
    return pages.show(house, house.find_look(request), "look", to=to)


async def change_look(house: House, request: Request) -> Answer:
    """Save the display settings."""
    fields = await request.form()
    answer = messages.see_other(find_place(fields.get("to", "/")))
    choices = looks.read_choices(fields, house.find_look(request))
    answer.cookies[LOOK] = choices.cookie()
    return answer


async def trust(house: House, request: Request) -> Answer:
    """What is encrypted here and what is not, and this computer's own certificate authority for
    phones to install."""
    where = house.where
    certificate = f"/static/{CERTIFICATE}" if where.authority else ""
    return pages.show(
        house,
        house.find_look(request),
        "trust",
        certificate=certificate,
        fingerprint=where.fingerprint,
        is_encrypted=where.tls is not None,
    )


async def static(house: House, request: Request) -> Answer:
    """A style sheet, script or picture, or the certificate of `trust`."""
    name = request.path.rpartition("/")[2]
    if name == CERTIFICATE and house.where.authority:
        return Answer(kind="application/x-x509-ca-cert", body=house.where.authority)
    match = pages.files().get(name)
    if match is None:
        raise Rejected(404)
    kind, body = match
    return Answer(kind=kind, body=body, headers=[("Cache-Control", LOOKED_AT_AGAIN)])
