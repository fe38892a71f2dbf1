"""What all handlers share: the table, the door, and who is asking."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from common.sentences import Sentence
from companion import language
from companion.language import _, translate
from companion.phones.serving import announce, guard, look
from companion.phones.serving.door import FIRST_SAY, form_token
from companion.phones.serving.guard import Tries
from companion.phones.serving.kept import Kept
from companion.phones.serving.messages import Rejected
from companion.phones.serving.openings import Openings
from companion.phones.table import ONLY_CROWN, NotYours

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.phones.page import Page
    from companion.phones.serving.desk import Desk
    from companion.phones.serving.door import Door
    from companion.phones.serving.look import Look
    from companion.phones.serving.messages import Request
    from companion.phones.serving.stream import Streams
    from companion.phones.serving.where import Where
    from companion.phones.table import PhoneTable

SEAT, VISITOR, ASK, LOOK = (f"companion_{name}" for name in ("seat", "visitor", "ask", "look"))
"""Cookies: the seat's key, the visitor's key, the token of a request for a seat, the look."""

T = TypeVar("T")

LONGEST_CODE = 32  # characters; anything longer is no code


class Guest(NamedTuple):
    """The client that sent a request."""

    seat: int | None = None
    key: str = ""
    is_visitor: bool = False
    """Whether they have given the code, or have a seat."""

    @property
    def token(self) -> str:
        """The CSRF token in their forms."""
        return form_token(self.key)


NOBODY = Guest()

_GONE = Sentence("This seat is no longer yours; take it again on the start page.")


def make_lost_error() -> Rejected:
    """The error for a phone that has lost its seat."""
    return Rejected(403, translate(_GONE))


def say_already_asked() -> str:
    """The message when another phone's request for this seat is open."""
    return _("Another phone is already asking for this seat; the table has to answer it first.")


def _page_of(seat: int) -> tuple[str, int]:
    return "page", seat


class House:
    """Everything a handler needs."""

    def __init__(
        self,
        table: PhoneTable,
        door: Door,
        desk: Desk,
        streams: Streams,
        where: Where,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`tell` shows a message at the computer; it is called in the game's thread."""
        self.table, self.door, self.desk, self.streams = table, door, desk, streams
        self.where, self._tell = where, tell
        self.tries = Tries()
        self.openings = Openings()
        self.kept = Kept()

    def find_guest(self, request: Request) -> Guest:
        """The guest by cookie or bearer token. Raises Rejected for too many wrong codes."""
        bearer = request.bearer
        key = request.cookies.get(SEAT, "") if bearer is None else bearer
        seat = self.door.seat_of(key)
        if seat is not None:
            return Guest(seat, key, True)
        if bearer is None:
            visitor = request.cookies.get(VISITOR, "")
            said = self.door.is_visitor(visitor)
            return Guest(None, visitor if said else "", said)
        return Guest(None, bearer, self.try_code(request, bearer))

    def try_code(self, request: Request, typed: str) -> bool:
        """Whether `typed` is the table's code. Raises Rejected after too many wrong ones."""
        if len(typed) > LONGEST_CODE:
            return False
        try:
            return self.tries.check(request.address, typed, self.door.code)
        except guard.TooMany:
            raise Rejected(
                429, _("Too many wrong codes; wait a minute."), **{"Retry-After": "60"}
            ) from None

    def find_look(self, request: Request) -> Look:
        """The look that this phone has chosen."""
        return look.read(request, request.cookies.get(LOOK, ""), language.current())

    async def page(self, guest: Guest, code: str) -> Page:
        """The page of the guest's seat, or the public one; cached until something changes. Raises
        Rejected if the seat is no longer theirs."""
        viewer = guest.seat
        # a seat is asked in one language: pages drawn in another are out of date
        name = _page_of(viewer) if viewer is not None else ("page", None, code)
        state = self.table.version, code
        page = await self.kept.get(
            name, state, lambda: self.desk.ask(lambda: self.table.page(viewer, code))
        )
        self.check_still(guest)
        return page

    async def act(self, guest: Guest, work: Callable[[int], T]) -> T:
        """Run an action of the guest's phone in the game's thread; `work` gets the seat. Raises
        Rejected if that seat may not do it or is no longer theirs."""

        def do() -> T:
            if guest.seat is None or not self.is_still(guest):
                raise NotYours(_GONE)
            return work(guest.seat)

        try:
            return await self.desk.ask(do)
        except NotYours as error:
            raise Rejected(403, translate(str(error))) from None
        finally:
            if guest.seat is not None:
                self.kept.drop(_page_of(guest.seat))  # it may have a list open now

    # -- the door ---------------------------------------------------------------------------------

    async def take(self, seat: int, token: str) -> str | None:
        """The key of that seat if it is free or the table has allowed it to the token's owner; None
        if it is taken."""

        def take() -> str | None:
            asked = self.door.find_ask(token) if token else None
            key = self.door.claim(token) if asked is not None and asked.seat == seat else None
            return key or self.door.take(seat)

        key = await self.desk.ask(take)
        self.streams.tell_door()
        return key

    async def ask(self, seat: int) -> str | None:
        """Ask the table for a taken seat: a token, None while another request for it is open."""

        def ask() -> str | None:
            token = self.door.ask(seat)
            if token is not None:
                told = _("Another phone is asking for {player}'s seat. To let it in: {words}")
                words = f"phones allow {seat + 1}"
                self._tell(told.format(player=self.players[seat], words=words))
            return token

        token = await self.desk.ask(ask)
        self.streams.tell_door()
        # from then on others may answer in the crown's place and must be shown the request
        asyncio.get_running_loop().call_later(FIRST_SAY, self.streams.tell_door)
        return token

    def list_asks(self, seat: int) -> list[int]:
        """The seats with requests that this seat's phone may answer: the crowned player's answers
        all, the others only for the crown's own seat once its phone has not answered."""
        crown = self.table.session.view.crown
        asks = self.door.asks
        return [one for one in asks if seat == crown or self._is_left_to_others(one, crown)]

    def _is_left_to_others(self, seat: int, crown: int) -> bool:
        return seat == crown and self.door.is_unanswered(seat)

    async def answer(self, guest: Guest, seat: int, *, allowed: bool) -> None:
        """Allow or refuse the request for that seat. Raises Rejected if the guest's phone may not
        answer it."""

        def answer(sender: int) -> None:
            if seat not in self.list_asks(sender):
                self._check_crown(sender)
            self.door.answer(seat, allowed=allowed)

        await self.act(guest, answer)
        self.streams.tell_door()

    async def put_out(self, guest: Guest, seat: int | None) -> None:
        """Disconnect that seat's phone, or with None every phone but the guest's, who must have the
        crown. Raises Rejected."""

        def put_out(sender: int) -> None:
            self._check_crown(sender)
            if seat is not None:
                self.door.free(seat)
            else:
                self.door.free_all(but=sender)
                self._tell(announce.tell(self.where, self.door.code)[1])

        await self.act(guest, put_out)
        self.streams.tell_door()

    def _check_crown(self, seat: int) -> None:
        if seat != self.table.session.view.crown:
            raise NotYours(ONLY_CROWN)

    async def leave(self, guest: Guest) -> None:
        """Give the guest's seat back. Raises Rejected if it is no longer theirs."""
        await self.act(guest, self.door.free)
        self.streams.tell_door()

    def is_still(self, guest: Guest) -> bool:
        """Whether the guest may keep the stream it has opened."""
        if guest.seat is not None:
            return self.door.seat_of(guest.key) == guest.seat
        return self.door.is_visitor(guest.key) or guard.is_code(guest.key, self.door.code)

    def check_still(self, guest: Guest) -> None:
        """Raise Rejected if the seat is no longer the guest's: another game may have begun, or
        another phone may have the seat."""
        if guest.seat is not None and not self.is_still(guest):
            raise make_lost_error()

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self.door.players
