"""What the pages and answers share: the table, the door, and who is asking."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion import language
from companion.language import _, translate
from companion.phones.serving import guard, look
from companion.phones.serving.door import form_token
from companion.phones.serving.guard import Tries
from companion.phones.serving.kept import Kept
from companion.phones.serving.messages import Rejected
from companion.phones.serving.openings import Openings
from companion.phones.table import NotYours

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

    async def page(self, viewer: int | None, code: str) -> Page:
        """What that viewer is shown; made anew only after something has changed."""
        # a seat is asked in one language: in another, what was drawn before is out of date
        name = _page_of(viewer) if viewer is not None else ("page", None, code)
        state = self.table.version, code
        return await self.kept.get(
            name, state, lambda: self.desk.ask(lambda: self.table.page(viewer, code))
        )

    async def act(self, seat: int, work: Callable[[], T]) -> T:
        """Do what that seat's phone asks for, in the game's thread. Raises Rejected where it is not
        for that seat."""
        try:
            return await self.desk.ask(work)
        except NotYours as error:
            raise Rejected(403, translate(str(error))) from None
        finally:
            self.kept.drop(_page_of(seat))  # a list may be open there now

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
        return token

    async def answer(self, seat: int, *, allowed: bool) -> bool:
        """Let whoever asks for that seat have it, or not; whether anybody asks."""
        answered = await self.desk.ask(lambda: self.door.answer(seat, allowed=allowed))
        self.streams.tell_door()
        return answered

    async def free(self, seat: int) -> None:
        """Take the seat back from its phone."""
        await self.desk.ask(lambda: self.door.free(seat))
        self.streams.tell_door()

    def is_still(self, guest: Guest) -> bool:
        """Whether they may still hear what they began to hear."""
        if guest.seat is not None:
            return self.door.seat_of(guest.key) == guest.seat
        return self.door.is_visitor(guest.key) or guard.is_code(guest.key, self.door.code)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.door.players
