"""Access checks: the table's code, limits on wrong codes, on requests and on open connections,
host and origin headers.

No network here: the server passes in the address and the time. Over its own limit an owner loses
its own oldest connection. At the limit of all, a new connection replaces the oldest of whoever
holds most: of strangers first, then of guests, never of a seat.

A chip's page allows one tap. Reloading it, going back to it or submitting its form twice taps once;
a page that was only prefetched is never used.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
import time
import unicodedata
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from companion.errors.output import print_error
from companion.language import _
from companion.phones.serving.door import Proof

MOST = 300  # connections at once
MOST_OF_SEAT = 16  # of one seat's key
MOST_OF_ADDRESS = 32  # of one address without a seat; guests and strangers are counted apart
QUIET = 60.0  # seconds between two lines about rejected connections

CODE_LETTERS = "ABCDEFGHJKLMNPQRTUVWXY346789"  # none that is easily misread
CODE_LENGTH = 8
"""Letters of a seat's own code, which opens what only its player may know."""

TABLE_LENGTH, PUBLIC_LENGTH = 4, 6
"""Letters of the table's code, at home and in a public house. It opens the public view and at home
free seats that hold nothing private, and every arrival is told. `RateLimit` lets 20 requests a
second of one address through and 80 of all strangers: to try half of all codes takes 3.7 hours from
one address and 55 minutes from many at home, and 28 days in a public house."""

MOST_WRONG = 5  # wrong codes from one client in a WINDOW; further ones are answered late
WINDOW = 60.0  # seconds
MOST_ARRIVALS = 24  # of one client in ARRIVING: each is told, and heard, by all
ARRIVING = 120.0  # seconds
MOST_ADDRESSES = 1000  # remembered for wrong codes, and for arrivals

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
DEFAULT_PORTS = {"http": 80, "https": 443}


class Owner(NamedTuple):
    """Who answers for a connection and its requests: a seat, or an address."""

    rank: Proof
    name: str

    @property
    def most(self) -> int:
        """The number of connections that it may hold."""
        return MOST_OF_SEAT if self.rank is Proof.SEAT else MOST_OF_ADDRESS


class RejectionCounter:
    """Counts rejected connections and requests, and reports them at most once per QUIET."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last_report = float("-inf")
        self.count = 0

    def add(self) -> None:
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
        owner = Owner(Proof.NOTHING, address)
        if len(self._owners) >= MOST and len(self._of.get(owner, ())) < owner.most:
            greediest = min(self._of, key=lambda one: (one.rank, -len(self._of[one])))
            if greediest.rank is Proof.SEAT:
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
        owner = self._owners.pop(transport, None)
        if owner is not None:
            del self._of[owner][transport]
            if not self._of[owner]:
                del self._of[owner]

    def close(self) -> None:
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


def make_code(length: int = CODE_LENGTH) -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _place in range(length))


def format_code(code: str) -> str:
    """The code as it is read aloud: a long one in two halves."""
    if len(code) <= TABLE_LENGTH:
        return code
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


def is_code(typed: str, code: str) -> bool:
    """Whether `typed` is the code, ignoring case, spacing and letters of full width."""
    typed = unicodedata.normalize("NFKC", typed[:64]).upper()
    plain = "".join(letter for letter in typed if letter.isalnum())
    return hmac.compare_digest(plain.encode(), code.encode())


class Often:
    """Counts what clients do too often: more than `most` times in `seconds`."""

    def __init__(
        self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def note(self, client: str) -> bool:
        """Note it; returns whether that is once too many."""
        times = self._times.setdefault(client, deque(maxlen=self._most))
        is_full = len(times) == self._most and times[0] >= self._clock() - self._seconds
        times.append(self._clock())
        self._times.move_to_end(client)
        if len(self._times) > MOST_ADDRESSES:
            self._times.popitem(last=False)
        return is_full


def find_network(address: str, own: str) -> str:
    """What a client is counted by: its address. An IPv6 client elsewhere has a whole /64 of them;
    those of our own network, which that of `own` (this machine's end of the connection) tells, are
    different clients."""
    client, here = _read_address(address), _read_address(own)
    if client is None:
        return address[:64]
    if client.version == 4 or client.is_link_local:
        return str(client)
    network = ipaddress.ip_network((int(client), 64), strict=False)
    return str(client if here in network else network)


def _read_address(
    address: str,
) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, of IPv4 where it is one mapped to IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


def host_is_ours(header: str, names: tuple[str, ...], port: int, *, secure: bool = False) -> bool:
    """Whether a Host header names this server (against DNS rebinding). Any IP address does, unless
    only this machine is served; a name must be one of `names`, the first of which is the `--host`
    option."""
    try:
        parts = urlsplit(f"//{header}")
        name, its_port = parts.hostname or "", parts.port
    except ValueError:
        return False
    usual = DEFAULT_PORTS["https" if secure else "http"]
    if parts.path or parts.query or parts.username or (its_port or usual) != port:
        return False
    if is_loopback(names[0]):
        return name in LOOPBACK_NAMES
    return name in LOOPBACK_NAMES or name in map(str.lower, names) or _is_address(name)


def origin_is_ours(origin: str | None, host: str, *, secure: bool = False) -> bool:
    """Whether a request comes from one of this server's own pages."""
    return origin == f"{'https' if secure else 'http'}://{host}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    return host in LOOPBACK_NAMES or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


# -- the rate limit -------------------------------------------------------------------------------


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
        rates = {Proof.NOTHING: STRANGERS, Proof.TABLE: GUESTS, Proof.SEAT: ALL}
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
        reserved, wait = [], 0.0
        shared = (one for rank, one in self._up_to.items() if rank >= client.rank)
        for one in (bucket, *shared):
            reserved.append(one)
            wait = max(wait, one.reserve(now))
            if wait > LONGEST_WAIT:
                for taken in reserved:
                    taken.give_back()
                return None
        return wait


MOST_OPENINGS = 16
"""Pages kept per seat; older ones must be opened again."""


class Opening(NamedTuple):
    """A page as it was shown: its chip, and the effect that it announced."""

    uid: bytes
    told: tuple[str, ...]


class Openings:
    """The open pages of every seat; not thread-safe."""

    def __init__(self) -> None:
        self._of_seat: dict[int, OrderedDict[str, Opening]] = {}

    def add(self, seat: int, opening: Opening) -> str:
        """Add a page; returns the token for its form."""
        pages = self._of_seat.setdefault(seat, OrderedDict())
        while len(pages) >= MOST_OPENINGS:
            pages.popitem(last=False)
        word = secrets.token_urlsafe(16)
        pages[word] = opening
        return word

    def use(self, seat: int, word: str) -> Opening | None:
        """Take the page with that token; None if it was used, is too old or never existed."""
        return self._of_seat.get(seat, OrderedDict()).pop(word, None)
