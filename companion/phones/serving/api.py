"""The JSON API for programs, documented in `docs/reference/api.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import language
from companion.chips import ndef
from companion.errors.output import translate_throughout
from companion.language import _, translate
from companion.phones.serving import lobby, messages
from companion.phones.serving.house import SEAT, Guest, House, Joining
from companion.phones.serving.messages import Answer, Rejected, Request
from companion.phones.serving.tapping import touch
from engine.refusals import Refused
from tags.presence import moment

if TYPE_CHECKING:
    from collections.abc import Callable


async def join(house: House, request: Request) -> Answer:
    """Take a seat with the table's code or with its own; the response is the only place that
    contains its key. Where the table is asked first: a number to compare, and a ticket for asking
    again."""
    entries = await request.json()
    code, seat, ticket = entries.get("code"), entries.get("seat"), entries.get("ticket", "")
    if not isinstance(code, str) or not isinstance(ticket, str):
        raise Rejected(400, _("Give the table's code: {example}").format(example='{"code": "…"}'))
    own = house.door.find_seat(code)
    if own is None and not house.try_code(request, code):
        raise Rejected(403, _("Wrong code."))
    name = entries.get("name")
    if house.lobby is not None and isinstance(name, str) and own is None and seat is None:
        chair, joining = await lobby.take_chair(house, request, name, ticket)
        return _answer_joining(house, chair, joining)
    if house.lobby is not None and own is None and seat is None:
        raise Rejected(400, _("Give your name: {example}").format(example='{"name": "…"}'))
    if own is not None and seat is None:
        seat = own + 1
    if type(seat) is not int or not 1 <= seat <= len(house.players):
        most = len(house.players)
        raise Rejected(400, _("A seat is a number from 1 to {most}.").format(most=most))
    player = house.players[seat - 1]
    if own not in (None, seat - 1):
        raise Rejected(403, _("This is not {player}'s code.").format(player=player))
    if own is None and ticket and house.find_ask(ticket, seat - 1) is None:
        raise Rejected(403, house.say_not_given(ticket))
    joining = await house.join(request, seat - 1, ticket, by_own_code=own is not None)
    return _answer_joining(house, seat - 1, joining)


def _answer_joining(house: House, seat: int, joining: Joining) -> Answer:
    if not joining.key:
        fields = {"number": str(joining.number), "ticket": joining.ticket}
        return messages.data(fields, 202)
    player = house.players[seat]
    answer = messages.data({"seat": seat + 1, "player": player, "key": joining.key})
    answer.cookies[SEAT] = joining.key
    return answer


async def leave(house: House, request: Request) -> Answer:
    """Give the seat back."""
    guest = house.find_guest(request)
    seat = _seat(guest)
    player = house.players[seat]
    await house.leave(guest)
    answer = messages.data({"seat": seat + 1, "player": player})
    answer.cookies[SEAT] = ""
    return answer


async def table(house: House, request: Request) -> Answer:
    """The public table."""
    if not house.find_guest(request).is_visitor:
        raise Rejected(401, _("This needs the table's code or a seat's key."))
    return await _show(house, request, None)


async def seat(house: House, request: Request) -> Answer:
    """The table as this seat's player may know it."""
    guest = house.find_guest(request)
    answer = await _show(house, request, _seat(guest))
    house.check_still(guest)
    return answer


async def moves(house: House, request: Request) -> Answer:
    """Make a move for this seat's player; answers with the table after it."""
    guest = house.find_guest(request)
    _seat(guest)
    move = (await request.json()).get("move")
    if not isinstance(move, str) or not move.strip():
        raise Rejected(400, _("Give the move: {example}").format(example='{"move": "gold"}'))
    code = house.find_look(request).language
    return await _play(house, guest, code, lambda seat: house.table.move(seat, move, code))


async def taps(house: House, request: Request) -> Answer:
    """Tap a chip on this seat's own reader; answers with the table after it."""
    at = moment()
    guest = house.find_guest(request)
    _seat(guest)
    try:
        uid = ndef.parse_chip((await request.json()).get("chip"))
    except ValueError as error:
        raise Rejected(400, translate(str(error))) from None
    code = house.find_look(request).language

    def tap(seat: int) -> Any:
        try:
            entry = ndef.find_entry(uid, house.table.lookup)
        except ValueError as error:
            raise Rejected(404, str(error)) from None
        return touch(house, seat, entry, uid, code, at)

    return await _play(house, guest, code, tap, tells=True)


async def events(house: House, request: Request) -> Answer:
    """Stream events as they happen: the seat's view with its key, the public one with the code."""
    guest = house.find_guest(request)
    if not guest.is_visitor:
        raise Rejected(401, _("This needs the table's code or a seat's key."))
    after = request.headers.get("last-event-id", "")
    number = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else None
    code = house.find_look(request).language
    viewer = None if request.query.get("view") == "public" else guest.seat
    parts = house.streams.listen(viewer, code, number, lambda: house.is_still(guest))
    return Answer(kind=messages.EVENTS, parts=parts)


def _seat(guest: Guest) -> int:
    """The guest's seat. Raises Rejected."""
    if guest.seat is None:
        raise Rejected(401, _("This needs a seat's key."))
    return guest.seat


async def _show(house: House, request: Request, viewer: int | None) -> Answer:
    code = house.find_look(request).language
    return messages.data(await house.desk.ask(lambda: _view(house, viewer, code)))


async def _play(
    house: House, guest: Guest, code: str, work: Callable[[int], Any], *, tells: bool = False
) -> Answer:
    """Run `work` in the game's thread; its result, or the refusal."""

    def play(seat: int) -> Answer:
        try:
            with language.speaking(code):
                match = work(seat)
        except Refused as error:
            with language.speaking(code):
                entries = _refusal(house, error)
                return messages.data(_view(house, seat, code) | {"refused": entries}, 409)
        lines = {"lines": list(match)} if tells else {}
        return messages.data(_view(house, seat, code) | lines)

    return await house.act(guest, play)


def _view(house: House, viewer: int | None, code: str) -> dict[str, Any]:
    """The table for that viewer in that language; call it in the game's thread."""
    with language.speaking(code):
        results: dict[str, Any] = translate_throughout(house.table.view(viewer))
        return results


def _refusal(house: House, error: Refused) -> dict[str, Any]:
    """The refusal as far as that seat may know it, in the JSON format of `companion replay`."""
    return {
        "index": len(house.table.session.referee.moves),
        "move": error.move,
        "rule": error.refusal.rule or None,
        "reason": translate(error.refusal.reason),
    }
