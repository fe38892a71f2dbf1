"""How often anybody may ask: whoever asks too fast waits, and costs the table nothing meanwhile.

The game and the server share one processor in turns, so what the server does in a second is bounded
too, not only what each client may have.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

EACH = 20.0  # requests a second of one client
EACH_AT_ONCE = 250  # and so many more after a rest: a roomful of phones behind one address
ALL = 120.0  # requests a second of all clients
ALL_AT_ONCE = 300
STRANGERS = 80.0  # of these a second those of clients without a seat, however many they are
LONGEST_WAIT = 2.0  # seconds; who would wait longer is told to come back later
MOST_CLIENTS = 1000  # that are remembered


class Bucket:
    """So many a second, and `at_once` after a rest."""

    def __init__(self, rate: float, at_once: int, now: float) -> None:
        self._step = 1.0 / rate
        self._slack = self._step * at_once
        self._next = now - self._slack  # when the next one is due

    def reserve(self, now: float) -> float:
        """Take one; in how many seconds it is due."""
        self._next = max(self._next, now - self._slack) + self._step
        return max(0.0, self._next - now)

    def give_back(self) -> None:
        """Take back what was reserved last and is not used."""
        self._next -= self._step


class Pace:
    """The pace of every client, by whatever tells one from another, and of all together."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = Bucket(ALL, ALL_AT_ONCE, clock())
        self._strangers = Bucket(STRANGERS, ALL_AT_ONCE, clock())
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def reserve(self, client: str, *, seated: bool = False) -> float | None:
        """In how many seconds the request of that client is due; None if that is too long. Those
        who have no seat leave room for those who have."""
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
