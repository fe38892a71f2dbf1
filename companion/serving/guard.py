"""Who may enter the browser view: the access code, tickets for who knew it, and addresses checked.

No network here: the server asks, and tells who is asking and what time it is.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from urllib.parse import urlsplit

CODE_LETTERS = "ABCDEFGHJKLMNPQRTUVWXY346789"  # none that is mistaken for another
CODE_LENGTH = 8
MOST_WRONG = 5  # codes from one address in a WINDOW
WINDOW = 60.0  # seconds
MOST_ADDRESSES = 1000  # that are remembered for wrong codes
MOST_TICKETS = 50

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


def new_code() -> str:
    """A code that nobody can guess in the tries that there are."""
    return "".join(secrets.choice(CODE_LETTERS) for _place in range(CODE_LENGTH))


def shown(code: str) -> str:
    """The code as people read it aloud: in two halves."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


class TooMany(Exception):
    """Too many wrong codes from one place: nobody there is let in for a while."""


class Guard:
    """The door, which opens for that code. Who guesses shuts it for himself alone: eight letters
    would take even a whole network years."""

    def __init__(self, code: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._code = code
        self._clock = clock
        self._tickets: deque[str] = deque(maxlen=MOST_TICKETS)
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def enter(self, address: str, typed: str) -> str | None:
        """A ticket for whoever typed the right code; None for a wrong one. Raises TooMany."""
        address = _network(address)
        if self._is_tired(address):
            raise TooMany
        plain = "".join(letter for letter in typed.upper()[:64] if letter.isalnum())
        if not hmac.compare_digest(plain.encode(), self._code.encode()):
            self._wrong.setdefault(address, deque()).append(self._clock())
            if len(self._wrong) > MOST_ADDRESSES:
                self._wrong.popitem(last=False)
            return None
        ticket = secrets.token_urlsafe(32)
        self._tickets.append(ticket)
        return ticket

    def knows(self, ticket: str) -> bool:
        """Whether the ticket was given out here."""
        shown = ticket[:64].encode(errors="replace")
        return any([hmac.compare_digest(shown, one.encode()) for one in self._tickets])

    def _is_tired(self, address: str) -> bool:
        times = self._wrong.get(address, deque())
        while times and times[0] < self._clock() - WINDOW:
            times.popleft()
        return len(times) >= MOST_WRONG


def _network(address: str) -> str:
    """Whose address that is: of the newer kind everybody has a whole network of them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if found.version == 6:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def host_is_ours(header: str, bound: str, port: int) -> bool:
    """Whether a Host header names this server: a page elsewhere may have bound its own name to our
    address. A name that was not given to `--host` is none of ours; an address is."""
    try:
        parts = urlsplit(f"//{header}")
        name, its_port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.path or parts.query or parts.username or (its_port or 80) != port:
        return False
    if is_loopback(bound):
        return name in LOOPBACK_NAMES
    return name in (*LOOPBACK_NAMES, bound.lower()) or _is_address(name)


def origin_is_ours(origin: str | None, host: str) -> bool:
    """Whether a request comes from a page that this server itself has sent."""
    return origin in (f"http://{host}", f"https://{host}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    return host in LOOPBACK_NAMES or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
