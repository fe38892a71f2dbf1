"""The open connections, with a limit for each owner and one for all.

Over its own limit an owner loses its own oldest connection. At the limit of all, a new connection
replaces the oldest of whoever holds most: of strangers first, then of guests, never of a seat.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from enum import IntEnum

from common.named_tuples import NamedTuple
from companion.errors.output import print_error
from companion.language import _

MOST = 300  # connections at once
MOST_OF_SEAT = 16  # of one seat's key
MOST_OF_ADDRESS = 32  # of one address without a seat; guests and strangers are counted apart
QUIET = 60.0  # seconds between two lines about rejected connections


class Trust(IntEnum):
    """What a client has shown: nothing, the table's code, or a seat's key."""

    STRANGER = 0
    GUEST = 1
    SEAT = 2


class Owner(NamedTuple):
    """Who answers for a connection and its requests: a seat, or an address."""

    rank: Trust
    name: str

    @property
    def most(self) -> int:
        """The number of connections that it may hold."""
        return MOST_OF_SEAT if self.rank is Trust.SEAT else MOST_OF_ADDRESS


class RejectionCounter:
    """Counts rejected connections and requests, and reports them at most once per QUIET."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last_report = float("-inf")
        self.count = 0

    def add(self) -> None:
        """Count one."""
        self.count += 1
        if self._clock() - self._last_report >= QUIET:
            self._last_report = self._clock()
            text = _("Requests turned away so far: {number}.")
            print_error([text.format(number=self.count)])


class Connections:
    """The open connections of every owner, oldest first."""

    def __init__(self, rejections: RejectionCounter) -> None:
        self.rejections = rejections
        self._of: dict[Owner, dict[asyncio.WriteTransport, None]] = {}
        self._owners: dict[asyncio.WriteTransport, Owner] = {}

    def admit(self, transport: asyncio.WriteTransport, address: str) -> bool:
        """Accept a stranger's connection, if need be in place of another; returns whether there was
        room."""
        owner = Owner(Trust.STRANGER, address)
        if len(self._owners) >= MOST and len(self._of.get(owner, ())) < owner.most:
            greediest = min(self._of, key=lambda one: (one.rank, -len(self._of[one])))
            if greediest.rank is Trust.SEAT:
                self.rejections.add()
                return False
            self._abort_oldest(greediest)
        self._add(transport, owner)
        return True

    def own(self, transport: asyncio.WriteTransport, owner: Owner) -> None:
        """Count a connection as this owner's from now on, as its last request shows."""
        if self._owners.get(transport, owner) != owner:
            self.forget(transport)
            self._add(transport, owner)

    def forget(self, transport: asyncio.WriteTransport) -> None:
        """Forget a closed connection."""
        owner = self._owners.pop(transport, None)
        if owner is not None:
            del self._of[owner][transport]
            if not self._of[owner]:
                del self._of[owner]

    def close(self) -> None:
        """Close every connection."""
        for transport in tuple(self._owners):
            transport.abort()

    def _add(self, transport: asyncio.WriteTransport, owner: Owner) -> None:
        if len(self._of.get(owner, ())) >= owner.most:
            self._abort_oldest(owner)
        self._of.setdefault(owner, {})[transport] = None
        self._owners[transport] = owner

    def _abort_oldest(self, owner: Owner) -> None:
        self.rejections.add()
        oldest = next(iter(self._of[owner]))
        self.forget(oldest)
        oldest.abort()
