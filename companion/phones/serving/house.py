"""What the pages and answers share: the table, the door, and who is asking."""

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
"""The cookies: a seat's key, that of who has said the code, what was asked of the table, a look."""

T = TypeVar("T")

LONGEST_CODE = 32  # characters of what may be a code


class Guest(NamedTuple):
    """Who is asking."""

    seat: int | None = None
    key: str = ""
    by_cookie: bool = False
    is_visitor: bool = False
    """Whether they have said the code, or have a seat."""

    @property
    def token(self) -> str:
        """What their forms carry."""
        return form_token(self.key)


NOBODY = Guest()

_GONE = Sentence("This seat is no longer yours; take it again on the start page.")


def no_longer_yours() -> Rejected:
    """What a phone is told that has lost its seat."""
    return Rejected(403, translate(_GONE))


def already_asked() -> str:
    """What somebody is told who wants a seat that somebody else is asking for."""
    return _("Another phone is already asking for this seat; the table has to answer it first.")


def _page_of(seat: int) -> tuple[str, int]:
    return "page", seat


class House:
    """Everything that a handler needs."""

    def __init__(
        self,
        table: PhoneTable,
        door: Door,
        desk: Desk,
        streams: Streams,
        where: Where,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`tell` says something to who sits at the computer; it is called in the game's thread."""
        self.table, self.door, self.desk, self.streams = table, door, desk, streams
        self.where, self._tell = where, tell
        self.tries = Tries()
        self.openings = Openings()
        self.kept = Kept()

    def find_guest(self, request: Request) -> Guest:
        """Who is asking, by cookie or bearer token. Raises Rejected for too many wrong codes."""
        bearer = request.bearer
        key = request.cookies.get(SEAT, "") if bearer is None else bearer
        seat = self.door.seat_of(key)
        if seat is not None:
            return Guest(seat, key, bearer is None, True)
        if bearer is None:
            visitor = request.cookies.get(VISITOR, "")
            said = self.door.is_visitor(visitor)
            return Guest(None, visitor if said else "", said, said)
        return Guest(None, bearer, False, self.try_code(request, bearer))

    def try_code(self, request: Request, typed: str) -> bool:
        """Whether that is the table's code. Raises Rejected after too many that were not."""
        if len(typed) > LONGEST_CODE:
            return False
        try:
            return self.tries.check(request.address, typed, self.door.code)
        except guard.TooMany:
            raise Rejected(
                429, _("Too many wrong codes; wait a minute."), **{"Retry-After": "60"}
            ) from None

    def find_look(self, request: Request) -> Look:
        """How whoever asks wants their pages."""
        return look.read(request, request.cookies.get(LOOK, ""), language.current())

    async def page(self, guest: Guest, code: str) -> Page:
        """What the player in that guest's seat is shown, or everybody; made anew only after
        something has changed. Raises Rejected where the seat is no longer theirs."""
        viewer = guest.seat
        # a seat is asked in one language: in another, what was drawn before is out of date
        name = _page_of(viewer) if viewer is not None else ("page", None, code)
        state = self.table.version, code
        page = await self.kept.get(
            name, state, lambda: self.desk.ask(lambda: self.table.page(viewer, code))
        )
        self.check_still(guest)
        return page

    async def act(self, guest: Guest, work: Callable[[int], T]) -> T:
        """Do what the phone in that guest's seat asks for, in the game's thread; `work` gets the
        seat. Raises Rejected where it is not for that seat, or that seat no longer theirs."""

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
                self.kept.drop(_page_of(guest.seat))  # a list may be open there now

    # -- the door ---------------------------------------------------------------------------------

    async def take(self, seat: int, token: str) -> str | None:
        """The key of that seat, where it is free or the table has let whoever has that token have
        it; None if it is taken."""

        def take() -> str | None:
            asked = self.door.asked(token) if token else None
            key = self.door.claim(token) if asked is not None and asked.seat == seat else None
            return key or self.door.take(seat)

        key = await self.desk.ask(take)
        self.streams.tell_door()
        return key

    async def ask(self, seat: int) -> str | None:
        """Ask the table for a taken seat: a token, None while somebody else is asking for it."""

        def ask() -> str | None:
            token = self.door.ask(seat)
            if token is not None:
                told = _("Another phone is asking for {player}'s seat. To let it in: {words}")
                words = f"phones allow {seat + 1}"
                self._tell(told.format(player=self.players[seat], words=words))
            return token

        token = await self.desk.ask(ask)
        self.streams.tell_door()
        # then others may answer in the crown's place, who have to be shown that
        asyncio.get_running_loop().call_later(FIRST_SAY, self.streams.tell_door)
        return token

    def list_asks(self, seat: int) -> list[int]:
        """The taken seats that somebody asks for, as far as the phone in that seat may answer: all
        with the crown, and the crown's own where its phone has not answered."""
        crown = self.table.session.view.crown
        asks = self.door.asks
        return [one for one in asks if seat == crown or self._is_left_to_others(one, crown)]

    def _is_left_to_others(self, seat: int, crown: int) -> bool:
        return seat == crown and self.door.is_unanswered(seat)

    async def answer(self, guest: Guest, seat: int, *, allowed: bool) -> None:
        """Let whoever asks for that seat have it, or not. Raises Rejected where the guest's phone
        may not say so."""

        def answer(sender: int) -> None:
            if seat not in self.list_asks(sender):
                self._check_crown(sender)
            self.door.answer(seat, allowed=allowed)

        await self.act(guest, answer)
        self.streams.tell_door()

    async def put_out(self, guest: Guest, seat: int | None) -> None:
        """Put out the phone in that seat, or (None) every one but the guest's own, which has the
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
        """Give the guest's seat back. Raises Rejected where it is no longer theirs."""
        await self.act(guest, self.door.free)
        self.streams.tell_door()

    def is_still(self, guest: Guest) -> bool:
        """Whether they may still hear what they began to hear."""
        if guest.seat is not None:
            return self.door.seat_of(guest.key) == guest.seat
        return self.door.is_visitor(guest.key) or guard.is_code(guest.key, self.door.code)

    def check_still(self, guest: Guest) -> None:
        """Raises Rejected where the seat is no longer that guest's: another game may have begun, or
        another phone have it."""
        if guest.seat is not None and not self.is_still(guest):
            raise no_longer_yours()

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.door.players
