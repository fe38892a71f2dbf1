"""What a client may ask of the reader service.  Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from tags.service import fields
from tags.service.fields import LONGEST_REQUEST, ProtocolError, line

Use = Literal["hold", "release", "return"]
"""What a client may want with a reader: its taps for itself alone, the reader itself, which the
service then closes, and everything as it was before."""


@dataclass(frozen=True)
class Ask:
    """A request without further words; a pong repeats ``id``: a number, a text or None."""

    what: Literal["ping", "snapshot", "retry"]
    id: int | str | None = None


@dataclass(frozen=True)
class Wish:
    """Let this client use that reader so; the answer repeats ``id``."""

    use: Use
    reader: str
    id: int | str | None = None


@dataclass(frozen=True)
class Auth:
    """The token of a service on loopback TCP; the first line there."""

    token: str


Request: TypeAlias = Ask | Wish | Auth


def parse_request(raw: bytes) -> Request:
    """What a client's line asks for.  Raises ``ProtocolError``."""
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
    """The request for that."""
    return line(wish.use, id=wish.id, reader=wish.reader)
