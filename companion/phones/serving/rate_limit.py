"""The rate limit: clients that send too fast are delayed, at no cost to the table.

Server and game share one processor, so the server's total work per second is limited too, not only
each client's.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from companion.phones.serving.connections import Owner, Trust

EACH = 20.0  # requests per second and client
EACH_AT_ONCE = 250  # burst after a pause: a roomful of phones behind one address
ALL = 120.0  # requests per second of all clients
GUESTS = 100.0  # of all clients without a seat, part of ALL
STRANGERS = 80.0  # of all clients without the code, part of GUESTS
ALL_AT_ONCE = 300
LONGEST_WAIT = 2.0  # seconds; a request that would wait longer is rejected
MOST_CLIENTS = 1000  # that are remembered


class Bucket:
    """A token bucket: `rate` per second, with bursts of `at_once`."""

    def __init__(self, rate: float, at_once: int, now: float) -> None:
        self._step = 1.0 / rate
        self._slack = self._step * at_once
        self._next = now - self._slack  # when the next one is due

    def reserve(self, now: float) -> float:
        """Take a token; returns the seconds until it is due."""
        self._next = max(self._next, now - self._slack) + self._step
        return max(0.0, self._next - now)

    def give_back(self) -> None:
        """Return the token reserved last, which was not used."""
        self._next -= self._step


class RateLimit:
    """The rate limits of each client and of all together, where each rank leaves room for those
    above it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        rates = {Trust.STRANGER: STRANGERS, Trust.GUEST: GUESTS, Trust.SEAT: ALL}
        self._up_to = {rank: Bucket(rate, ALL_AT_ONCE, clock()) for rank, rate in rates.items()}
        self._each: OrderedDict[Owner, Bucket] = OrderedDict()

    def reserve(self, client: Owner) -> float | None:
        """The seconds until a request of that client is due; None if that is too long."""
        now = self._clock()
        bucket = self._each.get(client)
        if bucket is None:
            bucket = self._each[client] = Bucket(EACH, EACH_AT_ONCE, now)
            if len(self._each) > MOST_CLIENTS:
                self._each.popitem(last=False)
        self._each.move_to_end(client)
        buckets, wait = [], 0.0
        entries = (one for rank, one in self._up_to.items() if rank >= client.rank)
        for one in (bucket, *entries):
            buckets.append(one)
            wait = max(wait, one.reserve(now))
            if wait > LONGEST_WAIT:
                for emptied in buckets:
                    emptied.give_back()
                return None
        return wait
