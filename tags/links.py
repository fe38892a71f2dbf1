"""Chip ids as bytes and as text, and the web link on a chip: its allowed starts, building one and
parsing one.

Phones open the first link on a chip without an app: iPhones from the XS on after a notification has
been touched (Apple, Core NFC, "Adding support for background tag reading"), Android at once
(Android, "NFC basics", the tag dispatch system). Neither tells the page the chip's id, so the link
of a table carries it.
"""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, NamedTuple

from common.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence


LENGTHS = (4, 7, 10)
"""The id lengths of ISO 14443, in bytes."""

_SEPARATORS = re.compile(r"[\s:.-]+")

PORT = 8420
"""The port of a table whose link has none."""

_CHIPS = "/t/"  # between the table's address and the chip's id
_LONGEST = 320  # a host name has at most 253
_OWN_PAGE = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?[/=?#]?")
_TABLE = re.compile(
    r"(?:(https?)://)?(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,254})(?::([0-9]{1,5}))?(?:/|/t/[0-9a-f]{0,20})?",
    re.IGNORECASE | re.ASCII,
)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_CHIP = re.compile(r"[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20}")


NO_ID = Sentence("A chip's id is 8, 14 or 20 digits and letters from A to F, like 04A2B3C4D5E680.")
"""What is wrong with any other text, which it does not repeat."""


def format_uid(uid: bytes) -> str:
    """The id as upper-case hex pairs without separators, for example ``04A2B3C4D5E680``."""
    return uid.hex().upper()


def parse_uid(text: str) -> bytes:
    """Parse an id: hex pairs, optionally with colons, spaces, dots or dashes. Raises ``ValueError``
    with one sentence if it is not an id of 4, 7 or 10 bytes."""
    digits = _SEPARATORS.sub("", text).upper()
    if not _CHIP.fullmatch(digits):
        raise ValueError(NO_ID)
    return bytes.fromhex(digits)


def is_random(uid: bytes) -> bool:
    """Whether this id is random and changes at every touch, as with phones and bank cards.

    ISO 14443-3 reserves 4-byte ids that begin with 08h for this.
    """
    return len(uid) == 4 and uid[0] == 0x08


class Start(NamedTuple):
    """The start of links: a table's address, followed by a chip's id; or, without a ``host``, a
    user's own page, followed by what the chip stands for."""

    text: str
    host: str = ""

    def link(self, uid: bytes, words: Sequence[str]) -> str:
        """The link on the chip ``uid`` that stands for ``words``."""
        return self.text + (format_uid(uid) if self.host else "/".join(words))


NOWHERE = Start("https://citadels.example/c/")
"""The default start of links; ``.example`` is reserved (RFC 2606)."""


class ChipLink(NamedTuple):
    start: Start
    uid: bytes

    def __str__(self) -> str:
        return self.start.link(self.uid, ())


def parse(text: str | None) -> Start:
    """Parse the setting for the start of links; None is `NOWHERE`.

    A table is a host name or address, with or without a port, or a full URL copied from a browser.
    Raises ``ValueError`` with one sentence.
    """
    if text is None:
        return NOWHERE
    text = text.strip() if len(text) <= _LONGEST else ""
    if (table := _TABLE.fullmatch(text)) is not None:
        return _table(table)
    if (address := _ipv6(text)) is not None:
        return _start("http", _check_reachable(address), PORT)
    if _OWN_PAGE.fullmatch(text) and len(text) <= 60:
        return Start(text)
    raise _make_format_error()


def read(uri: str) -> ChipLink | None:
    """Parse a table's link; None unless it is exactly as `Start.link` writes it."""
    start, slash, chip = uri[: _LONGEST * 2].rpartition("/")
    try:
        parsed = parse(start + slash)
    except ValueError:
        return None
    if not parsed.host or parsed.text != start + slash or not _CHIP.fullmatch(chip):
        return None
    return ChipLink(parsed, bytes.fromhex(chip))


def _table(found: re.Match[str]) -> Start:
    scheme, host, port = (found[1] or "http").lower(), found[2].lower(), int(found[3] or PORT)
    if not 1 <= port <= 65535:
        raise ValueError(Sentence("A port is a number from 1 to 65535."))
    if host.startswith("["):
        address = _ipv6(host[1:-1])
        if address is None:
            raise _make_format_error()
        return _start(scheme, _check_reachable(address), port)
    return _start(scheme, _clean_host(host.removesuffix(".")), port)


def _start(scheme: str, host: str, port: int) -> Start:
    return Start(f"{scheme}://{host}:{port}{_CHIPS}", host)


def _make_format_error() -> ValueError:
    return ValueError(
        Sentence(
            "A chip's link must look like https://host/path/, with at most 60 characters, or be "
            "this computer's name or address, such as anna.local or 192.168.1.20:8420."
        )
    )


def _clean_host(host: str) -> str:
    """The name or IPv4 address.  Raises ``ValueError``."""
    labels = host.split(".")
    if labels[-1].isdecimal():
        try:
            return _check_reachable(ipaddress.IPv4Address(host))
        except ipaddress.AddressValueError:
            raise _make_format_error() from None
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise _make_format_error()
    if labels[-1] == "localhost":
        raise _make_reach_error()
    return host


def _ipv6(text: str) -> ipaddress.IPv6Address | None:
    """The address, if it is one."""
    try:
        return ipaddress.IPv6Address(text)
    except ipaddress.AddressValueError:
        return None


def _check_reachable(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """The address as written in a link. Raises ``ValueError`` for one that other devices cannot
    use: loopback, unspecified, multicast, and link-local, which needs the name of the local network
    interface."""
    local = address.version == 6 and (address.is_link_local or address.scope_id is not None)
    if address.is_loopback or address.is_unspecified or address.is_multicast or local:
        raise _make_reach_error()
    return f"[{address}]" if address.version == 6 else str(address)


def _make_reach_error() -> ValueError:
    return ValueError(
        Sentence(
            "A phone cannot reach this address; use this computer's name or its "
            "address on the network."
        )
    )
