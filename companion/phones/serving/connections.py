"""The connections that are open: counted, and given up where too many come.

Who has shown no key makes room for whoever comes later, the longest connected first: so strangers
only ever displace strangers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from companion.errors.output import complain
from companion.language import _

MOST = 300  # connections at once
QUIET = 60.0  # seconds between two lines about what was turned away


class TurnedAway:
    """Counts what was refused, and says so in a line now and then, however much comes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said = float("-inf")
        self.count = 0

    def add(self) -> None:
        """One more."""
        self.count += 1
        if self._clock() - self._said >= QUIET:
            self._said = self._clock()
            told = _("Requests turned away so far: {number}.")
            complain([told.format(number=self.count)])


class Connections:
    """What is connected now."""

    def __init__(self, turned_away: TurnedAway) -> None:
        self.turned_away = turned_away
        self._strangers: dict[asyncio.WriteTransport, None] = {}
        self._known: set[asyncio.WriteTransport] = set()

    def admit(self, transport: asyncio.WriteTransport) -> bool:
        """Take in a connection, in place of a stranger's if need be; whether there is room."""
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
        """Take in that whoever is connected there has shown a key."""
        if transport in self._strangers:
            del self._strangers[transport]
            self._known.add(transport)

    def forget(self, transport: asyncio.WriteTransport) -> None:
        """Take in that a connection has ended."""
        self._strangers.pop(transport, None)
        self._known.discard(transport)

    def close(self) -> None:
        """End every connection."""
        for transport in (*self._strangers, *self._known):
            transport.abort()
