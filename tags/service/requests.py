"""The requests of a reader service's client. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from tags.service import fields
from tags.service.fields import LONGEST_REQUEST, ProtocolError, line

Use = Literal["hold", "release", "return"]
"""The ways a client may use a reader: reserve its taps, have the service release the reader itself,
or give either back."""


@dataclass(frozen=True)
class Ask:
    """A request without arguments; a pong repeats ``id``: a number, a text or None."""

    what: Literal["ping", "snapshot", "retry"]
    id: int | str | None = None


@dataclass(frozen=True)
class Wish:
    """A request to use a reader in that way; the answer repeats ``id``."""

    use: Use
    reader: str
    id: int | str | None = None


@dataclass(frozen=True)
class Auth:
    """The token of a service on loopback TCP; the first line there."""

    token: str


Request: TypeAlias = Ask | Wish | Auth


def parse_request(raw: bytes) -> Request:
    """Parse a client's line. Raises ``ProtocolError``."""
    data = fields.parse(raw, LONGEST_REQUEST)
    what = data.get("type")
    if what in ("ping", "snapshot", "retry"):
        return Ask(what, fields.request_id(data))
    if what == "auth":
        return Auth(fields.text(data, "token"))
    if what in get_args(Use):
        return Wish(cast(Use, what), fields.text(data, "reader"), fields.request_id(data))
    raise ProtocolError("The request is none of ping, snapshot, retry, hold, release, return.")


def wish_line(wish: Wish) -> bytes:
    """The request line for ``wish``."""
    return line(wish.use, id=wish.id, reader=wish.reader)
