"""Access checks: the table's code, limits on wrong codes, host and origin headers.

No network here: the server passes in the address and the time.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from urllib.parse import urlsplit

CODE_LETTERS = "ABCDEFGHJKLMNPQRTUVWXY346789"  # none that is easily misread
CODE_LENGTH = 8
MOST_WRONG = 5  # wrong codes from one network in a WINDOW
WINDOW = 60.0  # seconds
MOST_ADDRESSES = 1000  # remembered for wrong codes

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
DEFAULT_PORTS = {"http": 80, "https": 443}


def make_code() -> str:
    """A random code, too long to guess within the allowed tries."""
    return "".join(secrets.choice(CODE_LETTERS) for _place in range(CODE_LENGTH))


def format_code(code: str) -> str:
    """The code in two halves, easy to read aloud."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


def is_code(typed: str, code: str) -> bool:
    """Whether `typed` is the code, ignoring case and spacing."""
    plain = "".join(letter for letter in typed[:64].upper() if letter.isalnum())
    return hmac.compare_digest(plain.encode(), code.encode())


class TooMany(Exception):
    """Too many wrong codes from one network: it is blocked for a while."""


class Tries:
    """Counts wrong codes by network. Guessing locks out only the guesser's network; with eight
    letters even a whole network would need years."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, address: str, typed: str, code: str) -> bool:
        """Whether `typed` is the code. Raises TooMany after too many wrong ones."""
        address = name_client(address)
        if self._is_blocked(address):
            raise TooMany
        if is_code(typed, code):
            return True
        self._wrong.setdefault(address, deque()).append(self._clock())
        if len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)
        return False

    def _is_blocked(self, address: str) -> bool:
        times = self._wrong.get(address, deque())
        while times and times[0] < self._clock() - WINDOW:
            times.popleft()
        return len(times) >= MOST_WRONG


def name_client(address: str) -> str:
    """Who counts as one client: its address; an IPv6 client has a whole /64."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if found.version == 6:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


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
