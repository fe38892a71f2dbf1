"""The JSON API for programs, documented in `docs/reference/api.md`; and a seat's told hand, by the
form on its page or as JSON, only for that seat's player.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from common.clean import read_number
from common.sentences import Sentence
from companion import language
from companion.chips import ndef
from companion.chips.entries import Entry
from companion.errors.output import translate_throughout
from companion.game import hand_telling
from companion.game.hand import ADD, REMOVE, UNDO, CannotTell
from companion.language import _, begin_sentence, end_sentence, translate
from companion.phones.serving import http_messages
from companion.phones.serving.door import Proof
from companion.phones.serving.http_messages import HttpRequest, Rejected
from companion.phones.serving.site import NOBODY, SEAT, Guest, Site
from companion.phones.serving.tapping import touch, touch_in_the_middle
from engine.explain import Refused
from engine.moves import fold
from tags.presence import moment


async def join(site: Site, request: HttpRequest) -> Response:
    """Take a seat with the table's code or with its own, in the lobby by name; the response is the
    only place that contains its key."""
    fields = await request.json()
    code = fields.get("code")
    if not isinstance(code, str):
        raise Rejected(400, _("Give the table's code: {example}").format(example='{"code": "…"}'))
    own = site.door.now.find_name(code)
    if own is None and not site.try_code(request, code):
        raise Rejected(403, _("Wrong code."))
    player = _find_named(site, fields, own)
    if own is not None and fold(own) != fold(player):
        raise Rejected(403, _("This is not {player}'s code.").format(player=player))
    proof = Proof.TABLE if own is None else Proof.SEAT
    chair, player, key = await site.admit(request, player, proof, request.cookies.get(SEAT, ""))
    answer = http_messages.data({"seat": chair + 1, "player": player, "key": key})
    http_messages.keep(request, answer, SEAT, key)
    return answer


def _find_named(site: Site, fields: dict[str, Any], own: str | None) -> str:
    """The player in a request to join: by name, by seat, or whose code it has. Raises Rejected."""
    seat, name, players = fields.get("seat"), fields.get("name"), site.players
    if seat is None and isinstance(name, str):
        return name
    if seat is None and own is not None:
        return own
    if seat is None and site.lobby is not None:
        raise Rejected(400, _("Give your name: {example}").format(example='{"name": "…"}'))
    if type(seat) is not int or not 1 <= seat <= len(players):
        problem = Sentence("a seat is a number from 1 to {most}", most=len(players))
        raise Rejected(400, end_sentence(begin_sentence(problem)))
    return players[seat - 1]


async def leave(site: Site, request: HttpRequest) -> Response:
    guest = find_seated(site, request)
    seat, player = await site.leave(guest)
    answer = http_messages.data({"seat": seat + 1, "player": player})
    http_messages.keep(request, answer, SEAT, "")
    return answer


async def table(site: Site, request: HttpRequest) -> Response:
    if not site.find_guest(request).may_look:
        raise Rejected(401, _("This needs the table's code or a seat's key."))
    return await _show(site, request, None)


async def seat(site: Site, request: HttpRequest) -> Response:
    """The table as this seat's player may know it."""
    guest = find_seated(site, request)
    answer = await _show(site, request, guest.seat)
    site.check_still(guest)
    return answer


async def moves(site: Site, request: HttpRequest) -> Response:
    """Make a move for this seat's player; answers with the table after it."""
    guest = find_seated(site, request)
    move = (await request.json()).get("move")
    if not isinstance(move, str) or not move.strip():
        raise Rejected(400, _("Give the move: {example}").format(example='{"move": "gold"}'))
    code = site.find_look(request).language
    return await _play(site, guest, code, lambda seat: site.table.move(seat, move, code))


async def taps(site: Site, request: HttpRequest) -> Response:
    """Tap a chip on this seat's own reader, or with the key for that in the middle of the table;
    answers with the table after it."""
    at = moment()
    in_the_middle = site.taps.matches(request.bearer)
    guest = NOBODY if in_the_middle else find_seated(site, request)
    fields = await request.json()
    code = site.find_look(request).language

    def find_touched() -> tuple[Entry, bytes] | None:
        """The chip; None if the program says that there is none. Call it in the game's thread."""
        try:
            line = ndef.parse_touch(fields, site.table.lookup)
        except ValueError as error:
            raise Rejected(400, translate(str(error))) from None
        try:
            return None if line is None else (ndef.find_named(line, site.table.lookup), line.uid)
        except ValueError as error:
            raise Rejected(404, str(error)) from None

    def tap_in_the_middle() -> Response:
        touched = find_touched()
        lines = () if touched is None else touch_in_the_middle(site, *touched, at)
        return http_messages.data(_view(site, None, code) | {"lines": list(lines)})

    if in_the_middle:
        return await site.desk.ask(tap_in_the_middle)

    def tap(seat: int) -> Any:
        touched = find_touched()
        return () if touched is None else touch(site, seat, *touched, code, at)

    return await _play(site, guest, code, tap, tells=True)


async def events(site: Site, request: HttpRequest) -> Response:
    """Stream events as they happen: the seat's view with its key, the public one with the code."""
    guest = site.find_guest(request)
    if not guest.may_look:
        raise Rejected(401, _("This needs the table's code or a seat's key."))
    after = request.headers.get("last-event-id", "")
    number = read_number(after, 15)
    code = site.find_look(request).language
    viewer = None if request.query_params.get("view") == "public" else guest.seat
    parts = site.streams.listen(viewer, code, number, lambda: site.is_still(guest))
    return http_messages.EventStream(parts)


def find_seated(site: Site, request: HttpRequest) -> Guest:
    """The guest whose seat's key came with the request. Raises Rejected."""
    guest = site.find_guest(request)
    if guest.seat is None:
        raise Rejected(401, _("This needs a seat's key."))
    return guest


async def _show(site: Site, request: HttpRequest, viewer: int | None) -> Response:
    code = site.find_look(request).language
    return http_messages.data(await site.desk.ask(lambda: _view(site, viewer, code)))


async def _play(
    site: Site, guest: Guest, code: str, work: Callable[[int], Any], *, tells: bool = False
) -> Response:
    """Run `work` in the game's thread; its result, or the refusal."""

    def play(seat: int) -> Response:
        try:
            with language.speaking(code):
                result = work(seat)
        except Refused as error:
            with language.speaking(code):
                refused = _refusal(site, error)
                return http_messages.data(_view(site, seat, code) | {"refused": refused}, 409)
        lines = {"lines": list(result)} if tells else {}
        return http_messages.data(_view(site, seat, code) | lines)

    return await site.act(guest, play)


def _view(site: Site, viewer: int | None, code: str) -> dict[str, Any]:
    """The table for that viewer in that language; call it in the game's thread."""
    with language.speaking(code):
        view: dict[str, Any] = translate_throughout(site.table.view(viewer))
        return view


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
    guest = find_seated(site, request)
    return await site.act(guest, lambda seat: _show_hand(site, seat))


async def change(site: Site, request: HttpRequest) -> Response:
    """Add a card to the told hand, or remove one; the hand after it."""
    guest = find_seated(site, request)
    word, district = _read(await request.json())

    def work(seat: int) -> Response:
        if district not in site.table.session.view.rules.districts:
            raise Rejected(400, _("There is no such district in this game."))
        _tell(site, seat, word, district)
        return _show_hand(site, seat)

    return await site.act(guest, work)


def _show_hand(site: Site, seat: int) -> Response:
    return http_messages.data(hand_telling.data(site.table.session.notebook, seat))


def _read(request: dict[str, Any]) -> tuple[str, str]:
    """What is said, and the district. Raises Rejected."""
    named = [word for word in (ADD, REMOVE) if word in request]
    if len(named) == 1 and isinstance(district := request[named[0]], str):
        return named[0], district
    example = '{"add": "tavern"}, {"remove": "tavern"}'
    raise Rejected(400, _("Give one of these: {examples}").format(examples=example))


def _tell(site: Site, seat: int, word: str, district: str) -> None:
    """Note it, in the game's thread. Raises Rejected."""
    try:
        site.table.session.tell_hand(seat, word, district)
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
        elif typed := fields.get("typed", "").strip():
            site.table.tell_typed(seat, typed[:_MOST], code)
        for word in (ADD, REMOVE, UNDO):
            if word in fields:
                _tell(site, seat, word, fields[word])

    await site.act_once(guest, fields, work)
    return http_messages.see_other("/seat")
