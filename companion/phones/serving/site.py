"""What all handlers share: the table, the door, and who is asking."""

from __future__ import annotations

import asyncio
import hmac
import math
from typing import TYPE_CHECKING, TypeVar

from common import NamedTuple
from common.sentences import Sentence
from companion import language
from companion.language import _, plural, translate, vocabulary
from companion.phones.lobby import ONLY_LEADER, Lobby
from companion.phones.page import LATEST, Page
from companion.phones.serving import guard, pages
from companion.phones.serving.asks import FIRST_SAY, MustWait, SeatRequest, TooManyAsk
from companion.phones.serving.guard import Openings, Owner, Tries, Trust
from companion.phones.serving.messages import HttpRequest, Rejected, RejectedLate, Response
from companion.phones.serving.pages import AsyncCache, Look
from companion.phones.serving.seat_keys import UNUSED_SECONDS, Arrival, SeatKeys, form_token
from companion.phones.serving.where import Where, tell_address
from companion.phones.table import ONLY_CROWN, NotYours, PhoneTable
from companion.readers import PhoneGate
from companion.settings.checks import BEATEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.phones.serving.stream import GameThread, Streams

SEAT, VISITOR, ASK, LOOK = (f"companion_{name}" for name in ("seat", "visitor", "ask", "look"))
"""Cookies: the seat's key, the visitor's key, the ticket of a request for a seat, the look."""

LIFETIMES = {SEAT: UNUSED_SECONDS, VISITOR: UNUSED_SECONDS, ASK: 0, LOOK: pages.LOOK_SECONDS}
"""Seconds that a browser keeps each; the keys from the last page shown. 0: until it is closed."""

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


class Joining(NamedTuple):
    """The answer to who wants a seat: its key, or else a ticket to ask again with."""

    key: str = ""
    ticket: str = ""
    number: int = 0


def say_words(word: str) -> str:
    """What to type for `phones` and that word, in the current language."""
    return f"{vocabulary.find_name('phones')} {vocabulary.find_typed(word)}"


def _page_of(seat: int) -> tuple[str, int]:
    return "page", seat


class Site:
    """Everything a handler needs."""

    def __init__(
        self,
        table: PhoneTable,
        door: SeatKeys,
        desk: GameThread,
        streams: Streams,
        where: Where,
        tell: Callable[[str], None] = lambda text: None,
        say: Callable[[str], None] = lambda text: None,
        *,
        remedy: Callable[[], str] = lambda: say_words("out"),
        is_public: bool = False,
        season: tuple[tuple[int, ...], str | None] = (BEATEN, None),
    ) -> None:
        """`tell` shows a message at the computer, `say` speaks it; both are called in the game's
        thread. `remedy` gives the key or the words there that remove the phone that came last. In a
        public house the table's code is enough for no seat. `season` has the settings of it."""
        self.table, self.door, self.desk, self.streams = table, door, desk, streams
        self.where, self._tell, self._say = where, tell, say
        self._remedy, self.is_public, self.season = remedy, is_public, season
        self.tries = Tries()
        self.openings = Openings()
        self.gate = PhoneGate()
        self.kept = AsyncCache()

    @property
    def lobby(self) -> Lobby | None:
        """The lobby, while a game is being set up."""
        return self.table.lobby

    def find_guest(self, request: HttpRequest) -> Guest:
        """The guest by cookie or bearer token. Raises Rejected for too many wrong codes."""
        guest = self._recognize(request)
        if request.bearer is not None and not guest.is_visitor:
            self.try_code(request, request.bearer)
        return guest

    async def find_sender(self, request: HttpRequest) -> tuple[Guest, Mapping[str, str]]:
        """The sender of a form and its fields. Raises Rejected if the form is not from a page of
        that seat."""
        fields = await request.form()
        guest = self.find_guest(request)
        token = fields.get("token", "").encode()
        if guest.seat is None or not hmac.compare_digest(token, guest.token.encode()):
            raise Rejected(403, translate(_GONE))
        return guest, fields

    def find_owner(self, request: HttpRequest) -> Owner:
        """Who answers for this request and its connection."""
        guest = self._recognize(request)
        if guest.seat is not None:
            return Owner(Trust.SEAT, f"seat {guest.seat}")
        return Owner(Trust.GUEST if guest.is_visitor else Trust.STRANGER, request.address)

    def renew_keys(self, request: HttpRequest, answer: Response) -> None:
        """Have the browser keep the keys that it has used for their whole lifetime again."""
        cookies = request.cookies
        if self.door.seat_of(cookies.get(SEAT, "")) is not None:
            answer.cookies.setdefault(SEAT, cookies[SEAT])
        if self.door.is_visitor(cookies.get(VISITOR, "")):
            answer.cookies.setdefault(VISITOR, cookies[VISITOR])

    def _recognize(self, request: HttpRequest) -> Guest:
        bearer = request.bearer
        key = request.cookies.get(SEAT, "") if bearer is None else bearer
        seat = self.door.seat_of(key)
        if seat is not None:
            return Guest(seat, key, True)
        if bearer is None:
            visitor = request.cookies.get(VISITOR, "")
            is_visitor = self.door.is_visitor(visitor)
            return Guest(None, visitor if is_visitor else "", is_visitor)
        is_visitor = len(bearer) <= LONGEST_CODE and guard.is_code(bearer, self.door.code)
        return Guest(None, bearer, is_visitor)

    def try_code(self, request: HttpRequest, text: str) -> bool:
        """Whether `text` is the table's code. Raises Rejected for one wrong code too many."""
        if len(text) > LONGEST_CODE:
            return False
        try:
            return self.tries.check(request.address, text, self.door.code)
        except guard.TooMany:
            raise RejectedLate(
                429,
                _("Too many wrong codes. The right one works at any time."),
                **{"Retry-After": "60"},
            ) from None

    def find_look(self, request: HttpRequest) -> Look:
        """The look that this phone has chosen."""
        return pages.read_look(request, request.cookies.get(LOOK, ""), language.current())

    async def page(self, guest: Guest, code: str) -> Page:
        """The page of the guest's seat, or the public one; cached until something changes. Raises
        Rejected if the seat is no longer theirs."""
        viewer = guest.seat
        # a seat is asked in one language: pages drawn in another are out of date
        name = _page_of(viewer) if viewer is not None else ("page", None, code)
        tellings = 0 if viewer is None else self.table.tellings.get(viewer, 0)
        state = self.table.version, tellings, self.table.votes.count, code
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
            self.door.save_use()
            return work(guest.seat)

        try:
            return await self.desk.ask(do)
        except NotYours as error:
            raise Rejected(403, translate(str(error))) from None
        finally:
            if guest.seat is not None:
                self.kept.drop(_page_of(guest.seat))  # it may have a list open now

    # -- the door ---------------------------------------------------------------------------------

    async def join(
        self, request: HttpRequest, seat: int, ticket: str = "", *, by_own_code: bool = False
    ) -> Joining:
        """Take that seat, or ask the table for it. With `ticket`, that of an open request for the
        seat, ask for its answer. Raises Rejected if the table cannot be asked now."""
        client = request.address
        try:
            joining, arrival = await self.desk.ask(
                lambda: self._join(client, seat, ticket, by_own_code)
            )
        except MustWait as wait:
            seconds = math.ceil(wait.seconds)
            text = plural(
                "You can ask the table again in {number} second.",
                "You can ask the table again in {number} seconds.",
                seconds,
            )
            raise Rejected(429, text, **{"Retry-After": str(seconds)}) from None
        except TooManyAsk:
            text = _("Too many phones are asking; the table has to answer them first.")
            raise Rejected(409, text) from None
        if arrival is not None:
            self.streams.tell_door(lambda: [arrival.describe(self.players)])
        elif joining.ticket != ticket:
            self.streams.tell_door()
            # from then on others may answer in the crown's place and must be shown the request
            asyncio.get_running_loop().call_later(FIRST_SAY, self.streams.tell_door)
        return joining

    def _join(
        self, client: str, seat: int, ticket: str, by_own_code: bool
    ) -> tuple[Joining, Arrival | None]:
        door, asks = self.door, self.door.asks
        ask = self.find_ask(ticket, seat)
        is_allowed = ask is not None and ask.allowed
        may_take = by_own_code or is_allowed
        if not may_take and self._may_take(seat, client):
            # who comes with no more than the table's code sees nothing that was told here before
            if self.lobby is None:
                self.table.session.forget_hand(seat)
            asks.note_told(client)
            may_take = True
        if may_take:
            key = door.give(seat, client, self.table.version)
            asks.close(ticket)
            arrival = door.arrivals[-1]
            if self.lobby is not None:
                self.lobby.note_joined(seat)
            text = arrival.describe(self.players)
            self._say(text)
            self._tell(self._offer_removal(arrival))
            return Joining(key), arrival
        if ask is None:
            asks.close(ticket)
            ticket, ask = asks.open(seat, client)
            text = ask.describe(self.players)
            self._say(text)
            self._tell(self._offer_entry(ask))
        return Joining(ticket=ticket, number=ask.number), None

    def _offer_removal(self, arrival: Arrival) -> str:
        how = _("To remove it: {key}.").format(key=self._remedy())
        return f"{arrival.describe(self.players)} {how}"

    def _offer_entry(self, ask: SeatRequest) -> str:
        words = f"{say_words('allow')} {ask.number}"
        how = _("To let it in: {words}").format(words=words)
        return f"{ask.describe(self.players)} {how}"

    def list_news(self) -> list[str]:
        """Who asks for a seat, and whose phone came last, with what to do about it."""
        asks = map(self._offer_entry, self.door.asks.unanswered)
        return [*asks, *map(self._offer_removal, self.list_arrivals()[-1:])]

    def _may_take(self, seat: int, client: str) -> bool:
        """Whether the table's code is enough for that seat: it is free, and nobody but its player
        could learn anything there."""
        door = self.door
        if self.lobby is not None:  # no seat holds anything yet
            asks_all = self.is_public and self.lobby.leader is not None
            return not (asks_all or seat in door.taken or door.was_put_out(seat, client))
        return not (
            self.is_public
            or seat in door.taken
            or door.was_put_out(seat, client)
            or self.table.holds_secrets(seat)
        )

    def find_ask(self, ticket: str, seat: int) -> SeatRequest | None:
        """The open request for that seat with that ticket."""
        ask = self.door.asks.find(ticket)
        return ask if ask is not None and ask.seat == seat else None

    def say_not_given(self, ticket: str) -> str:
        """Why a request is no longer open: the table has said no, or nothing for too long."""
        seat = self.door.asks.find_refused(ticket)
        if seat is None:
            return _("The table has not answered; ask again.")
        return _("The table has said no to {player}'s seat.").format(player=self.players[seat])

    def list_asks(self, seat: int) -> list[SeatRequest]:
        """The requests that this seat's phone may answer: the crowned player's answers all, the
        others only those for the crown's own seat once its phone has not answered."""
        head, asks, is_lobby = self.head, self.door.asks, self.lobby is not None
        return [
            ask
            for ask in asks.unanswered
            if seat == head or (ask.seat == head and (is_lobby or asks.is_overdue(ask)))
        ]

    @property
    def head(self) -> int | None:
        """The seat whose phone answers for the table: the crowned player's, or while a game is set
        up the one that leads."""
        if self.lobby is not None:
            return self.lobby.leader
        return self.table.session.view.crown

    def list_arrivals(self) -> list[Arrival]:
        """The latest arrivals, until so many moves later as a page tells."""
        since = self.table.version - LATEST
        return [arrival for arrival in self.door.arrivals if arrival.version >= since]

    async def answer(self, guest: Guest, number: int, *, allowed: bool) -> None:
        """Allow or refuse the request with that number. Raises Rejected if the guest's phone may
        not answer it."""

        def answer(sender: int) -> None:
            if number not in [ask.number for ask in self.list_asks(sender)]:
                self._check_crown(sender)
            self.door.asks.answer(number, allowed=allowed)

        await self.act(guest, answer)
        self.streams.tell_door()

    async def put_out(self, guest: Guest, seat: int | None) -> None:
        """Disconnect that seat's phone, or with None every phone but the guest's, who must have the
        crown. Raises Rejected."""

        def put_out(sender: int) -> None:
            self._check_crown(sender)
            if seat is not None:
                self.door.put_out(seat)
            else:
                self.door.free_all(but=sender)
                self._tell(tell_address(self.where, self.door.code)[1])

        await self.act(guest, put_out)
        self.streams.tell_door()

    def _check_crown(self, seat: int) -> None:
        if seat != self.head:
            raise NotYours(ONLY_CROWN if self.lobby is None else ONLY_LEADER)

    async def leave(self, guest: Guest) -> None:
        """Give the guest's seat back. Raises Rejected if it is no longer theirs."""
        await self.act(guest, self.door.free if self.lobby is None else self.lobby.leave)
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
            raise Rejected(403, translate(_GONE))

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self.door.players
