"""The HTML pages: joining, the seat, the public table, a card, the display settings.

Everything works with forms and redirects; the script only saves reloading. `companion.phones`
decides what a page shows of the game.
"""

from __future__ import annotations

from companion import language
from companion.language import _
from companion.phones.serving import guard, lobby, messages, pages
from companion.phones.serving.messages import HttpRequest, Rejected, Response
from companion.phones.serving.site import ASK, LOOK, NOBODY, SEAT, VISITOR, Joining, Site
from companion.phones.serving.tapping import BY_HAND
from companion.wording import facts
from engine import cards

CERTIFICATE = "citadels-authority.crt"
LOOKED_AT_AGAIN = "max-age=3600"


# -- joining ------------------------------------------------------------------------------------


async def enter(site: Site, request: HttpRequest) -> Response:
    """Ask for the code, then for the seat; a phone with a seat is redirected to it."""
    guest, to = site.find_guest(request), pages.safe_redirect(request.query.get("to", "/"))
    if guest.seat is not None:
        return messages.see_other(_find_destination(to))
    look = site.find_look(request)
    if not guest.is_visitor:
        return pages.show(site.where, look, "enter", problem="", to=to)
    ticket = request.cookies.get(ASK, "")
    ask = site.door.asks.find(ticket)
    if ask is not None and ask.allowed:
        return _seat(await site.join(request, ask.seat, ticket), to)
    names = site.door.taken
    return pages.show(
        site.where,
        look,
        "seats",
        seats=[(seat, name, seat in names) for seat, name in enumerate(site.players)],
        asked=ask and (site.players[ask.seat], ask.number),
        problem=site.say_not_given(ticket) if ticket and ask is None else "",
        is_public=site.is_public and site.lobby is None,
        is_lobby=site.lobby is not None,
        offered=site.lobby.set_up.offered if site.lobby is not None else (),
        to=to,
        is_live=ask is not None or site.lobby is not None,
    )


async def take_code(site: Site, request: HttpRequest) -> Response:
    """Check the code: the table's leads to the choice of seats, a seat's own to that seat."""
    fields = await request.form()
    code, to = fields.get("code", ""), pages.safe_redirect(fields.get("to", "/"))
    own = site.door.find_seat(code)
    if own is not None:
        return _seat(await site.join(request, own, by_own_code=True), to)
    if not site.try_code(request, code):
        look = site.find_look(request)
        return pages.show(site.where, look, "enter", 403, problem=_("Wrong code."), to=to)
    answer = messages.see_other(to)
    answer.cookies[VISITOR] = site.door.visitor
    return answer


async def sit(site: Site, request: HttpRequest) -> Response:
    """Take a free seat, or ask the table for one."""
    if not site.find_guest(request).is_visitor:
        raise Rejected(403, _("Enter the table's code first."))
    fields = await request.form()
    to, ticket = pages.safe_redirect(fields.get("to", "/")), request.cookies.get(ASK, "")
    if "name" in fields:
        _chair, joining = await lobby.take_chair(site, request, fields["name"], ticket)
    else:
        joining = await site.join(request, _read_seat(fields.get("seat", ""), site), ticket)
    answer = _seat(joining, to)
    if "language" in fields:
        choices = pages.read_choices(fields, site.find_look(request))
        answer.cookies[LOOK] = choices.cookie()
    return answer


def _seat(joining: Joining, to: str) -> Response:
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


async def leave(site: Site, request: HttpRequest) -> Response:
    """Give the seat back."""
    guest, _fields = await site.find_sender(request)
    await site.leave(guest)
    answer = messages.see_other("/")
    answer.cookies[SEAT] = ""
    return answer


async def allow(site: Site, request: HttpRequest) -> Response:
    """Let the crowned player's phone answer requests for seats, or disconnect phones."""
    guest, fields = await site.find_sender(request)
    decision, which = fields.get("say"), fields.get("which", "")
    if decision == "all":
        await site.put_out(guest, None)
    elif decision == "out":
        await site.put_out(guest, _read_seat(which, site))
    else:
        number = int(which) if which.isascii() and which.isdecimal() and len(which) == 2 else 0
        await site.answer(guest, number, allowed=decision == "yes")
    return messages.see_other("/seat")


def _read_seat(text: str, site: Site) -> int:
    """A seat, counted from 1 in the form. Raises Rejected."""
    if text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= len(site.players):
        return int(text[:3]) - 1
    raise Rejected(400, _("There is no such seat."))


# -- the seat -----------------------------------------------------------------------------------


async def seat(site: Site, request: HttpRequest) -> Response:
    """The page of this seat's player."""
    guest = site.find_guest(request)
    if guest.seat is None:
        return messages.see_other("/")
    look = site.find_look(request)
    page = await site.page(guest, look.language)
    asks = site.list_asks(guest.seat)
    return pages.show(
        site.where,
        look,
        "seat",
        page=page,
        token=guest.token,
        asks=[(one.number, one.describe(site.players)) for one in asks],
        arrivals=_tell_arrivals(site, guest.seat),
        code=guard.format_code(site.door.code),
        others=[(seat, site.players[seat]) for seat in sorted(site.door.taken - {guest.seat})],
        is_live=True,
    )


def _tell_arrivals(site: Site, but: int | None = None) -> list[tuple[int, str]]:
    """The seats whose phones came last, except that one, each with the sentence that tells it."""
    arrivals = [one for one in site.list_arrivals() if one.seat != but]
    return [(one.seat, one.describe(site.players)) for one in arrivals]


async def act(site: Site, request: HttpRequest) -> Response:
    """Take a row of the page, or do a word; the page may be out of date."""
    guest, fields = await site.find_sender(request)
    code = site.find_look(request).language
    as_caller = fields.get("as") == "caller"
    row, word, moment = fields.get("row", ""), fields.get("word"), fields.get("moment", "")

    def take(seat: int) -> None:
        if word is not None:
            site.table.word(seat, word, moment, code, as_caller=as_caller)
        elif row.isascii() and row.isdecimal() and len(row) < 6:
            site.table.take(seat, int(row), moment, code, as_caller=as_caller)

    await site.act(guest, take)
    return messages.see_other("/seat")


# -- for everybody in the room --------------------------------------------------------------------


async def table(site: Site, request: HttpRequest) -> Response:
    """The public table, for example on a television."""
    look = site.find_look(request)
    if not site.find_guest(request).is_visitor:
        return pages.show(site.where, look, "enter", problem="", to="/table")
    page = await site.page(NOBODY, look.language)
    return await lobby.show_with_code(
        site,
        look,
        "table",
        page=page,
        arrivals=_tell_arrivals(site),
        is_public=site.is_public,
        has_free_seats=len(site.door.taken) < len(site.players),
    )


async def card(site: Site, request: HttpRequest) -> Response:
    """A card in the phone's language, in large print."""
    if not site.find_guest(request).is_visitor:
        return messages.see_other("/")
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
    to = pages.safe_redirect(request.query.get("to", "/"))
    return pages.show(site.where, site.find_look(request), "look", to=to)


async def change_look(site: Site, request: HttpRequest) -> Response:
    """Save the display settings."""
    fields = await request.form()
    answer = messages.see_other(pages.safe_redirect(fields.get("to", "/")))
    choices = pages.read_choices(fields, site.find_look(request))
    answer.cookies[LOOK] = choices.cookie()
    return answer


async def trust(site: Site, request: HttpRequest) -> Response:
    """What is encrypted here and what is not, and this computer's own certificate authority for
    phones to install."""
    where = site.where
    certificate = f"/static/{CERTIFICATE}" if where.authority else ""
    return pages.show(
        site.where,
        site.find_look(request),
        "trust",
        certificate=certificate,
        fingerprint=where.fingerprint,
        is_encrypted=where.tls is not None,
    )


async def static(site: Site, request: HttpRequest) -> Response:
    """A style sheet, script or picture, or the certificate of `trust`."""
    name = request.path.rpartition("/")[2]
    if name == CERTIFICATE and site.where.authority:
        return Response(kind="application/x-x509-ca-cert", body=site.where.authority)
    match = pages.files().get(name)
    if match is None:
        raise Rejected(404)
    kind, body = match
    return Response(kind=kind, body=body, headers=[("Cache-Control", LOOKED_AT_AGAIN)])
