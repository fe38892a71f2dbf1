"""The rate limit: clients that send too fast are delayed, at no cost to the table.

Server and game share one processor, so the server's total work per second is limited too, not only
each client's.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

EACH = 20.0  # requests per second and client
EACH_AT_ONCE = 250  # burst after a pause: a roomful of phones behind one address
ALL = 120.0  # requests per second of all clients
ALL_AT_ONCE = 300
STRANGERS = 80.0  # requests per second of all clients without a seat, part of ALL
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


class Pace:
    """The rate limits of each client, by any key that identifies it, and of all together."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = Bucket(ALL, ALL_AT_ONCE, clock())
        self._strangers = Bucket(STRANGERS, ALL_AT_ONCE, clock())
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def reserve(self, client: str, *, seated: bool = False) -> float | None:
        """The seconds until a request of that client is due; None if that is too long. Clients
        without a seat leave room for those with one."""
        now = self._clock()
        bucket = self._each.get(client)
        if bucket is None:
            bucket = self._each[client] = Bucket(EACH, EACH_AT_ONCE, now)
            if len(self._each) > MOST_CLIENTS:
                self._each.popitem(last=False)
        self._each.move_to_end(client)
        reserved, wait = [], 0.0
        for one in (bucket, *(() if seated else (self._strangers,)), self._all):
            reserved.append(one)
            wait = max(wait, one.reserve(now))
            if wait > LONGEST_WAIT:
                for taken in reserved:
                    taken.give_back()
                return None
        return wait
