"""Connections of the browser view: counted, and ended where they take too long or too many come.

Stands between the sockets and aiohttp, which lets a request begin for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from companion.commands.output import complain
from companion.language import _

MOST = 64  # at once; each tab needs one, and some for a moment while its page loads
HEADER_SECONDS = 10.0  # to send the head of a request
ANSWER_SECONDS = 60.0  # to take the answer; a slow network takes the fonts in some seconds
BACKLOG = 64  # that the system keeps waiting
QUIET = 60.0  # seconds between two lines about what was turned away


class TurnedAway:
    """Counts what was refused, and says so in a line now and then, however much comes."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._said = float("-inf")
        self.count = 0

    def add(self) -> None:
        """One more."""
        self.count += 1
        if self._clock() - self._said >= QUIET:
            self._said = self._clock()
            told = _("Requests that were turned away so far: {number}.")
            complain([told.format(number=self.count)])


class Connections:
    """What is connected now. `serve` makes aiohttp's protocol for one connection."""

    def __init__(self, serve: Callable[[], asyncio.Protocol], turned_away: TurnedAway) -> None:
        self._serve = serve
        self._turned_away = turned_away
        self._open: dict[asyncio.BaseTransport, Connection] = {}

    def __call__(self) -> asyncio.Protocol:
        """The protocol of a new connection."""
        return Connection(self._serve(), self)

    def opened(self, connection: Connection, transport: asyncio.BaseTransport) -> bool:
        """Take in a connection; whether there is room for it."""
        if len(self._open) >= MOST:
            self._turned_away.add()
            return False
        self._open[transport] = connection
        return True

    def closed(self, transport: asyncio.BaseTransport | None) -> None:
        """Take in that a connection has ended."""
        if transport is not None:
            self._open.pop(transport, None)

    def late(self) -> None:
        """Take in that a connection has taken too long."""
        self._turned_away.add()

    def heard(self, transport: asyncio.BaseTransport | None, seconds: float | None) -> None:
        """Give a connection whose request has come so long for the answer; None for ever."""
        if transport is not None and transport in self._open:
            self._open[transport].wait(seconds)


class Connection(asyncio.Protocol):
    """One connection; everything is handed on to aiohttp's own protocol."""

    def __init__(self, inner: asyncio.Protocol, all_of_them: Connections) -> None:
        self._inner = inner
        self._all = all_of_them
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._refused = False

    def wait(self, seconds: float | None) -> None:
        """End it after so many seconds; None for never."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        self._all.late()
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._refused = not self._all.opened(self, transport)
        if self._refused:
            transport.abort()
            return
        self._transport = transport
        self.wait(HEADER_SECONDS)
        self._inner.connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.wait(None)
        self._all.closed(self._transport)
        if not self._refused:
            self._inner.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._refused else self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
