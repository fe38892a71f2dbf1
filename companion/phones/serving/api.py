"""The JSON API for programs, documented in `docs/reference/api.md`; and a seat's told hand, by the
form on its page or as JSON, only for that seat's player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion import language
from companion.chips import ndef
from companion.errors.output import translate_throughout
from companion.game import telling
from companion.game.hand import ADD, ANSWER, REMOVE, CannotTell
from companion.language import _, translate
from companion.phones.serving import lobby, messages
from companion.phones.serving.messages import HttpRequest, Rejected, Response
from companion.phones.serving.site import SEAT, Guest, Joining, Site
from companion.phones.serving.tapping import touch
from engine.explain import Refused
from tags.presence import moment


async def join(site: Site, request: HttpRequest) -> Response:
    """Take a seat with the table's code or with its own; the response is the only place that
    contains its key. Where the table is asked first: a number to compare, and a ticket for asking
    again."""
    entries = await request.json()
    code, seat, ticket = entries.get("code"), entries.get("seat"), entries.get("ticket", "")
    if not isinstance(code, str) or not isinstance(ticket, str):
        raise Rejected(400, _("Give the table's code: {example}").format(example='{"code": "…"}'))
    own = site.door.find_seat(code)
    if own is None and not site.try_code(request, code):
        raise Rejected(403, _("Wrong code."))
    name = entries.get("name")
    if site.lobby is not None and isinstance(name, str) and own is None and seat is None:
        chair, joining = await lobby.take_chair(site, request, name, ticket)
        return _answer_joining(site, chair, joining)
    if site.lobby is not None and own is None and seat is None:
        raise Rejected(400, _("Give your name: {example}").format(example='{"name": "…"}'))
    if own is not None and seat is None:
        seat = own + 1
    if type(seat) is not int or not 1 <= seat <= len(site.players):
        most = len(site.players)
        raise Rejected(400, _("A seat is a number from 1 to {most}.").format(most=most))
    player = site.players[seat - 1]
    if own not in (None, seat - 1):
        raise Rejected(403, _("This is not {player}'s code.").format(player=player))
    if own is None and ticket and site.find_ask(ticket, seat - 1) is None:
        raise Rejected(403, site.say_not_given(ticket))
    joining = await site.join(request, seat - 1, ticket, by_own_code=own is not None)
    return _answer_joining(site, seat - 1, joining)


def _answer_joining(site: Site, seat: int, joining: Joining) -> Response:
    if not joining.key:
        fields = {"number": str(joining.number), "ticket": joining.ticket}
        return messages.data(fields, 202)
    player = site.players[seat]
    answer = messages.data({"seat": seat + 1, "player": player, "key": joining.key})
    answer.cookies[SEAT] = joining.key
    return answer


async def leave(site: Site, request: HttpRequest) -> Response:
    """Give the seat back."""
    guest = site.find_guest(request)
    seat = _seat(guest)
    player = site.players[seat]
    await site.leave(guest)
    answer = messages.data({"seat": seat + 1, "player": player})
    answer.cookies[SEAT] = ""
    return answer


async def table(site: Site, request: HttpRequest) -> Response:
    """The public table."""
    if not site.find_guest(request).is_visitor:
        raise Rejected(401, _("This needs the table's code or a seat's key."))
    return await _show(site, request, None)


async def seat(site: Site, request: HttpRequest) -> Response:
    """The table as this seat's player may know it."""
    guest = site.find_guest(request)
    answer = await _show(site, request, _seat(guest))
    site.check_still(guest)
    return answer


async def moves(site: Site, request: HttpRequest) -> Response:
    """Make a move for this seat's player; answers with the table after it."""
    guest = site.find_guest(request)
    _seat(guest)
    move = (await request.json()).get("move")
    if not isinstance(move, str) or not move.strip():
        raise Rejected(400, _("Give the move: {example}").format(example='{"move": "gold"}'))
    code = site.find_look(request).language
    return await _play(site, guest, code, lambda seat: site.table.move(seat, move, code))


async def taps(site: Site, request: HttpRequest) -> Response:
    """Tap a chip on this seat's own reader; answers with the table after it."""
    at = moment()
    guest = site.find_guest(request)
    _seat(guest)
    try:
        uid = ndef.parse_chip((await request.json()).get("chip"))
    except ValueError as error:
        raise Rejected(400, translate(str(error))) from None
    code = site.find_look(request).language

    def tap(seat: int) -> Any:
        try:
            entry = ndef.find_entry(uid, site.table.lookup)
        except ValueError as error:
            raise Rejected(404, str(error)) from None
        return touch(site, seat, entry, uid, code, at)

    return await _play(site, guest, code, tap, tells=True)


async def events(site: Site, request: HttpRequest) -> Response:
    """Stream events as they happen: the seat's view with its key, the public one with the code."""
    guest = site.find_guest(request)
    if not guest.is_visitor:
        raise Rejected(401, _("This needs the table's code or a seat's key."))
    after = request.headers.get("last-event-id", "")
    number = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else None
    code = site.find_look(request).language
    viewer = None if request.query.get("view") == "public" else guest.seat
    parts = site.streams.listen(viewer, code, number, lambda: site.is_still(guest))
    return Response(kind=messages.EVENTS, parts=parts)


def _seat(guest: Guest) -> int:
    """The guest's seat. Raises Rejected."""
    if guest.seat is None:
        raise Rejected(401, _("This needs a seat's key."))
    return guest.seat


async def _show(site: Site, request: HttpRequest, viewer: int | None) -> Response:
    code = site.find_look(request).language
    return messages.data(await site.desk.ask(lambda: _view(site, viewer, code)))


async def _play(
    site: Site, guest: Guest, code: str, work: Callable[[int], Any], *, tells: bool = False
) -> Response:
    """Run `work` in the game's thread; its result, or the refusal."""

    def play(seat: int) -> Response:
        try:
            with language.speaking(code):
                match = work(seat)
        except Refused as error:
            with language.speaking(code):
                entries = _refusal(site, error)
                return messages.data(_view(site, seat, code) | {"refused": entries}, 409)
        lines = {"lines": list(match)} if tells else {}
        return messages.data(_view(site, seat, code) | lines)

    return await site.act(guest, play)


def _view(site: Site, viewer: int | None, code: str) -> dict[str, Any]:
    """The table for that viewer in that language; call it in the game's thread."""
    with language.speaking(code):
        results: dict[str, Any] = translate_throughout(site.table.view(viewer))
        return results


def _refusal(site: Site, error: Refused) -> dict[str, Any]:
    """The refusal as far as that seat may know it, in the JSON format of `companion replay`."""
    return {
        "index": len(site.table.session.referee.moves),
        "move": error.move,
        "rule": error.refusal.rule or None,
        "reason": translate(error.refusal.reason),
    }


_MOST = 60  # characters of a district's name


async def show(site: Site, request: HttpRequest) -> Response:
    """The told hand of the seat whose key is given."""
    guest = site.find_guest(request)
    if guest.seat is None:
        raise Rejected(401, _("This needs a seat's key."))
    session = site.table.session
    return await site.act(guest, lambda seat: messages.data(telling.data(session.notebook, seat)))


async def change(site: Site, request: HttpRequest) -> Response:
    """Add a card to the told hand, remove one, or answer which cards went; the hand after it."""
    guest = site.find_guest(request)
    if guest.seat is None:
        raise Rejected(401, _("This needs a seat's key."))
    word, districts = _read(await request.json())

    def work(seat: int) -> Response:
        session = site.table.session
        if any(district not in session.view.rules.districts for district in districts):
            raise Rejected(400, _("There is no such district in this game."))
        _tell(site, seat, word, districts)
        return messages.data(telling.data(session.notebook, seat))

    return await site.act(guest, work)


def _read(request: dict[str, Any]) -> tuple[str, list[str]]:
    """What is said, and the districts. Raises Rejected."""
    words = [word for word in (ADD, REMOVE, ANSWER) if word in request]
    if len(words) == 1:
        card = request[words[0]]
        districts = [card] if isinstance(card, str) else card
        is_list = isinstance(districts, list) and all(isinstance(one, str) for one in districts)
        if is_list and (len(districts) == 1 or words[0] == ANSWER):
            return words[0], districts
    example = '{"add": "tavern"}, {"remove": "tavern"}, {"answer": ["tavern"]}'
    raise Rejected(400, _("Give one of these: {examples}").format(examples=example))


def _tell(site: Site, seat: int, word: str, districts: list[str]) -> None:
    """Note it, in the game's thread. Raises Rejected."""
    try:
        site.table.session.tell_hand(seat, word, *districts)
    except CannotTell as error:
        raise Rejected(409, translate(str(error))) from None


async def act(site: Site, request: HttpRequest) -> Response:
    """Do what a touch on the hand's form asks for."""
    guest, fields = await site.find_sender(request)
    code = site.find_look(request).language

    def work(seat: int) -> None:
        mode = fields.get("adding")
        if mode is not None:
            site.table.switch_adding(seat, on=mode == "yes")
        elif text := fields.get("typed", "").strip():
            site.table.tell_typed(seat, text[:_MOST], code)
        elif (word := fields.get("say", "")) in (ADD, REMOVE, ANSWER):
            _tell(site, seat, word, _list_districts(site, seat, word, fields))

    await site.act(guest, work)
    return messages.see_other("/seat")


def _list_districts(site: Site, seat: int, word: str, fields: Mapping[str, str]) -> list[str]:
    """The districts that the form names: one, or for an answer any number of the pool's places."""
    one = fields.get("district", "")
    if one or word != ANSWER:
        return [one]
    hand = site.table.session.notebook.of(seat)
    pool = [*(hand.question.aside if hand.question else ()), *hand.told]
    return [district for place, district in enumerate(pool) if f"gone{place}" in fields]
