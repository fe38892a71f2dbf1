"""A seat's told hand over HTTP: its form on the page, and its JSON. Only for that seat's player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.game import telling
from companion.game.hand import ADD, ANSWER, REMOVE, CannotTell
from companion.language import _, translate
from companion.phones.serving import messages
from companion.phones.serving.forms import find_sender
from companion.phones.serving.messages import Rejected

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.phones.serving.messages import HttpRequest, Response
    from companion.phones.serving.site import Site

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
    guest, fields = await find_sender(site, request)
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
