"""The open connections, with a limit.

At the limit, a new connection replaces the oldest one that has shown no key. So strangers only
replace strangers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from companion.errors.output import complain
from companion.language import _

MOST = 300  # connections at once
QUIET = 60.0  # seconds between two lines about rejected connections


class TurnedAway:
    """Counts rejected connections and requests, and reports them at most once per QUIET."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said = float("-inf")
        self.count = 0

    def add(self) -> None:
        """Count one."""
        self.count += 1
        if self._clock() - self._said >= QUIET:
            self._said = self._clock()
            told = _("Requests turned away so far: {number}.")
            complain([told.format(number=self.count)])


class Connections:
    """The open connections."""

    def __init__(self, turned_away: TurnedAway) -> None:
        self.turned_away = turned_away
        self._strangers: dict[asyncio.WriteTransport, None] = {}
        self._known: set[asyncio.WriteTransport] = set()

    def admit(self, transport: asyncio.WriteTransport) -> bool:
        """Accept a connection, if need be in place of a stranger's; returns whether there was
        room."""
        if len(self._strangers) + len(self._known) >= MOST:
            self.turned_away.add()
            if not self._strangers:
                return False
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.abort()
        self._strangers[transport] = None
        return True

    def know(self, transport: asyncio.WriteTransport) -> None:
        """Mark a connection as having shown a key."""
        if transport in self._strangers:
            del self._strangers[transport]
            self._known.add(transport)

    def forget(self, transport: asyncio.WriteTransport) -> None:
        """Forget a closed connection."""
        self._strangers.pop(transport, None)
        self._known.discard(transport)

    def close(self) -> None:
        """Close every connection."""
        for transport in (*self._strangers, *self._known):
            transport.abort()
