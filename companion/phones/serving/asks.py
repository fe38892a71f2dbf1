"""Phones that ask the table for a seat: several at once, each with a number that both sides see.

A phone that the table has refused waits before it may ask again, each time twice as long. Methods
that change anything run in the game's thread; the others are safe in any.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any

from common import NamedTuple
from companion.language import _

TICKET_BYTES = 32
PATIENCE = 120.0  # seconds that a request for a seat stays open
FIRST_SAY = 30.0  # seconds in which only the crowned player's phone may answer for its own seat
MOST_ASKS = 16  # open requests at the table
MOST_OF_CLIENT = 4  # open requests from one address; more replace its own oldest
FIRST_WAIT = 5.0  # seconds that a refused phone waits; twice as long after each further refusal
LONGEST_WAIT = 600.0  # seconds
MOST_TOLD = (
    24  # requests and arrivals from one address in a WINDOW: each is told, and heard, by all
)
WINDOW = 120.0  # seconds
FORGOTTEN_AFTER = 3600.0  # seconds without a refusal after which they are forgotten
MOST_REFUSED = 1000  # addresses and tickets remembered for refusals, and for what was told

_NUMBERS = range(10, 100)


class MustWait(Exception):
    """The table has refused this phone, or heard of it too often: it may ask again after so many
    `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class TooManyAsk(Exception):
    """The table has to answer other phones first."""


class SeatRequest(NamedTuple):
    """A request for a seat."""

    seat: int
    number: int
    """Of two digits; both sides see it. Unique among the open requests."""

    client: str
    """Where it comes from, as `Request.address`."""

    ticket_hash: str
    """Hash of the ticket of who asks."""

    until: float
    allowed: bool = False

    def describe(self, players: Sequence[str]) -> str:
        """Which phone asks for whose seat, in a sentence."""
        text = _("A phone with the number {number} is asking for {player}'s seat.")
        return text.format(number=self.number, player=players[self.seat])


class _Refusals(NamedTuple):
    """How often a client was refused, when last, and until when it waits."""

    times: int
    at: float
    until: float


class Asks:
    """The requests at one table."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asks: dict[str, SeatRequest] = {}  # by the hash of the ticket, oldest first
        self._refusals: OrderedDict[str, int] = OrderedDict()  # seats by the hash of the ticket
        self._waits: OrderedDict[str, _Refusals] = OrderedDict()  # by client
        self._answers: OrderedDict[str, deque[float]] = OrderedDict()  # times by client

    # -- who asks ---------------------------------------------------------------------------------

    def open(self, seat: int, client: str) -> tuple[str, SeatRequest]:
        """Ask for that seat: the ticket of the request, and the request. Raises MustWait and
        TooManyAsk."""
        waits = self._waits.get(client)
        if waits is not None and waits.until > self._clock():
            raise MustWait(waits.until - self._clock())
        self.note_told(client)
        asks = self._list_open()
        own = [ask for ask in asks if ask.client == client]
        if len(own) >= MOST_OF_CLIENT:
            del self._asks[own[0].ticket_hash]
        elif len(asks) >= MOST_ASKS:
            raise TooManyAsk
        ticket = secrets.token_urlsafe(TICKET_BYTES)
        names = {ask.number for ask in asks}
        number = secrets.choice([number for number in _NUMBERS if number not in names])
        ask = SeatRequest(seat, number, client, _hash(ticket), self._clock() + PATIENCE)
        self._asks = {one.ticket_hash: one for one in (*self._list_open(), ask)}
        return ticket, ask

    def note_told(self, client: str) -> None:
        """Note that the table is told of a phone from there. Raises MustWait if that is too
        often."""
        now = self._clock()
        times = self._answers.setdefault(client, deque(maxlen=MOST_TOLD))
        if len(times) == MOST_TOLD and times[0] > now - WINDOW:
            raise MustWait(times[0] + WINDOW - now)
        times.append(now)
        self._answers.move_to_end(client)
        _limit(self._answers)

    def find(self, ticket: str) -> SeatRequest | None:
        """The open request with that ticket; None once it is closed, refused or expired."""
        ask = self._asks.get(_hash(ticket))
        return None if ask is None or ask.until < self._clock() else ask

    def find_refused(self, ticket: str) -> int | None:
        """The seat that the table refused to this ticket's owner."""
        return self._refusals.get(_hash(ticket))

    def close(self, ticket: str) -> None:
        """End the request with that ticket, if there is one."""
        self._asks.pop(_hash(ticket), None)

    # -- the table --------------------------------------------------------------------------------

    @property
    def unanswered(self) -> tuple[SeatRequest, ...]:
        """The requests that the table has to answer, oldest first."""
        return tuple(ask for ask in self._list_open() if not ask.allowed)

    def answer(self, number: int, *, allowed: bool) -> SeatRequest | None:
        """Allow or refuse the request with that number; None if there is none."""
        ask = next((ask for ask in self.unanswered if ask.number == number), None)
        if ask is not None and allowed:
            self._asks[ask.ticket_hash] = ask._replace(allowed=True)
            self._waits.pop(ask.client, None)
        elif ask is not None:
            del self._asks[ask.ticket_hash]
            self._refuse(ask)
        return ask

    def is_overdue(self, ask: SeatRequest) -> bool:
        """Whether the request has been open for longer than FIRST_SAY."""
        return ask.until - self._clock() < PATIENCE - FIRST_SAY

    def forget(self, seat: int | None = None) -> None:
        """End the requests for that seat, or all of them."""
        for ask in tuple(self._asks.values()):
            if seat in (None, ask.seat):
                self._asks.pop(ask.ticket_hash, None)

    # -- what is remembered -----------------------------------------------------------------------

    def _list_open(self) -> list[SeatRequest]:
        now = self._clock()
        return [ask for ask in tuple(self._asks.values()) if ask.until >= now]

    def _refuse(self, ask: SeatRequest) -> None:
        now = self._clock()
        before = self._waits.pop(ask.client, None)
        times = before.times if before and now - before.at < FORGOTTEN_AFTER else 0
        # the power is bounded: what it gives beyond would be cut anyway
        wait = min(FIRST_WAIT * 2 ** min(times, 16), LONGEST_WAIT)
        self._waits[ask.client] = _Refusals(times + 1, now, now + wait)
        self._refusals[ask.ticket_hash] = ask.seat
        _limit(self._waits)
        _limit(self._refusals)


def _limit(memory: OrderedDict[str, Any]) -> None:
    if len(memory) > MOST_REFUSED:
        memory.popitem(last=False)


def _hash(ticket: str) -> str:
    return hashlib.sha256(ticket.encode(errors="replace")).hexdigest()
