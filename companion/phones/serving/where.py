"""The table's address: the listening socket, its names, and how people and programs learn of it."""

from __future__ import annotations

import ipaddress
import json
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from common import own_files
from companion.language import _
from companion.phones.serving import guard

if TYPE_CHECKING:
    import ssl

    from companion.phones.serving.seat_keys import SeatKeys


LOOPBACK = "127.0.0.1"
EVERYWHERE = {"0.0.0.0": "203.0.113.1", "::": "2001:db8::1"}
"""Wildcard addresses, and for each an address that belongs to nobody."""


class Where(NamedTuple):
    """A listening socket and its names."""

    socket: socket.socket
    host: str
    """As given in the options; people are shown `address`."""

    port: int
    tls: ssl.SSLContext | None = None
    names: tuple[str, ...] = ()
    """Further names of this machine that a chip's link may use."""

    is_own: bool = False
    """Whether this machine has signed its certificate itself, of which browsers warn."""

    is_found: bool = False
    """Whether the address was found, not given: it is another one when the network changes."""

    @property
    def address(self) -> str:
        """The address for phones now: of a wildcard, this machine's address in its network."""
        if self.host in EVERYWHERE:
            return find_own_address(self.host)
        own = find_own_address() if self.is_found else LOOPBACK
        return self.host if own == LOOPBACK else own

    @property
    def url(self) -> str:
        """The URL of the first page."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        usual = guard.DEFAULT_PORTS[self.scheme]
        return f"{self.scheme}://{host}{'' if self.port == usual else f':{self.port}'}/"

    @property
    def scheme(self) -> str:
        """`https` with TLS, otherwise `http`."""
        return "http" if self.tls is None else "https"

    @property
    def is_open(self) -> bool:
        """Whether others on the network can read the traffic."""
        return self.tls is None and not guard.is_loopback(self.host)

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this server."""
        names = (self.address if self.is_found else self.host, *self.names)
        return guard.host_is_ours(host, names, self.port, secure=self.tls is not None)


def load_tls(cert: str, key: str) -> ssl.SSLContext:
    """Load the certificate and its key. Raises OSError with the file that cannot be read, and
    ssl.SSLError if they are not valid."""
    import ssl  # slow to load, and needed only with TLS

    for path in (cert, key):
        own_files.read(path, 0)  # names the file that cannot be read, and never waits for a pipe
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key, password=lambda: b"")  # a prompt would block for ever
    return context


def encrypt(where: Where, path: str) -> Where:
    """The same with a certificate that this machine signs itself, in that file, which is made if
    need be. Raises OSError."""
    from companion.phones.serving import certificate  # of the extra `tls`

    certificate.prepare(path, (where.address, *find_own_names(), *where.names))
    return where._replace(tls=load_tls(path, path), is_own=True)


def find(
    host: str | None, port: int, tls: ssl.SSLContext | None = None, names: tuple[str, ...] = ()
) -> Where:
    """Listen on that address (None: this machine's in its network) and port (0: any free one).
    Raises OSError, and UnicodeError for an impossible address."""
    place = host or find_own_address()
    listening = listen(place, port)
    port = listening.getsockname()[1]
    return Where(listening, place, port, tls, names, is_found=not host)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises as `find`."""
    addresses = socket.getaddrinfo(
        host, port, 0, socket.SOCK_STREAM, socket.IPPROTO_TCP, socket.AI_PASSIVE
    )
    family, kind, protocol, _name, place = addresses[0]
    # asyncio sends small writes at once only on a socket whose protocol is given
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone without Wi-Fi never says that it leaves
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD * 1000)
        listening.bind(place)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def is_link_local(host: str) -> bool:
    """Whether it is an IPv6 address for one link alone (`fe80::…`): each device on it has its own
    name for the link, so that no address can be shown that all of them can open."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return address.version == 6 and address.is_link_local


UNHEARD = 20  # seconds in which a client must confirm what was sent (Linux)
BACKLOG = 512  # enough for all phones connecting at once


def find_own_address(everywhere: str = "0.0.0.0") -> str:
    """This machine's address in its network; the loopback address without one."""
    family = socket.AF_INET6 if ":" in everywhere else socket.AF_INET
    # sends nothing: connecting only selects the source address
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((EVERYWHERE[everywhere], 9))
        return str(probe.getsockname()[0])
    return LOOPBACK


def find_own_names() -> tuple[str, ...]:
    """This machine's host name, and its name in the local network."""
    with suppress(OSError):
        name = socket.gethostname().lower()
        short = name.partition(".")[0]
        return tuple(dict.fromkeys((name, short, f"{short}.local")))
    return ()


def link_with_code(url: str, code: str) -> str:
    """The address with the code in its fragment, which browsers do not send."""
    return f"{url}#{code}"


def tell_address(where: Where, code: str) -> list[str]:
    """How to connect a phone, in lines for people."""
    lines = [
        _("Phones: {url}").format(url=where.url),
        _("Code: {code}").format(code=guard.format_code(code)),
        _("Television: {url}").format(url=f"{where.url}table"),
    ]
    if where.is_open:
        lines.append(
            _(
                "Not encrypted: whoever listens on this network can see every hand and take over a "
                "seat. Among friends that is fine; otherwise start with {option}."
            ).format(option="--tls auto")
        )
    elif where.is_own:
        lines.append(
            _(
                "Encrypted with a certificate that this computer has made itself: each browser "
                "warns of it once; go on under “Advanced” or “Details”."
            )
        )
    return lines


def tell_program(where: Where, door: SeatKeys, taps: str, game: str | None) -> str:
    """The same as one line of JSON, with the own code of each seat named so far, and the key for
    chips in the middle of the table; without a game yet, `game` is null."""
    now = door.now
    seats = {name: now.own_codes[name] for name in now.players}
    entrance = {"url": where.url, "code": now.code, "seats": seats, "taps": taps, "game": game}
    return json.dumps(entrance)
