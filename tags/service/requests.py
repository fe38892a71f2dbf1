"""What a client may ask of the reader service.  Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from tags.service import fields
from tags.service.fields import LONGEST_REQUEST, Rubbish, line

Deed = Literal["borrow", "return", "read", "write", "erase", "lock"]
"""What may be done with a reader and the chip on it: have it for oneself, give it back, and
whole things with one chip, of which all but reading need the reader to be borrowed."""


@dataclass(frozen=True)
class Resume:
    """Send again whatever followed the event ``since`` of ``session``."""

    session: str
    since: int


@dataclass(frozen=True)
class Ask:
    """A request without further words; ``id`` (a pong repeats it) is a number, a text or None."""

    what: Literal["ping", "snapshot", "retry"]
    id: int | str | None = None


@dataclass(frozen=True)
class ChipWork:
    """Do this with that reader, and with the chip ``uid`` and no other where it is about one.

    ``message`` is what to write; the answer repeats ``id``.
    """

    deed: Deed
    reader: str
    id: int | str | None = None
    uid: bytes | None = None
    message: bytes = b""


@dataclass(frozen=True)
class Auth:
    """The token of a service on loopback TCP; the first line there."""

    token: str


Request: TypeAlias = Resume | Ask | Auth | ChipWork


def parse_request(line: bytes) -> Request:
    """What a client's line asks for.  Raises ``Rubbish``."""
    data = fields.parse(line, LONGEST_REQUEST)
    what = data.get("type")
    if what in ("ping", "snapshot", "retry"):
        return Ask(what, fields.request_id(data))
    if what == "resume":
        return Resume(fields.text(data, "session"), fields.number(data, "since"))
    if what == "auth":
        return Auth(fields.text(data, "token"))
    if what in get_args(Deed):
        uid = fields.uid(data)
        if uid is None and what not in ("borrow", "return"):
            raise Rubbish("uid must say which chip is meant.")
        return ChipWork(
            cast(Deed, what),
            fields.text(data, "reader"),
            fields.request_id(data),
            uid,
            fields.content(data) if what == "write" else b"",
        )
    raise Rubbish(
        "The request is none of ping, snapshot, retry, resume, borrow, return, read, write, erase, "
        "lock."
    )


def resume_line(session: str, since: int) -> bytes:
    """The request to go on after the event ``since`` of ``session``."""
    return line("resume", session=session, since=since)


def work_line(work: ChipWork) -> bytes:
    """The request to do that."""
    data: dict[str, object] = {"id": work.id, "reader": work.reader}
    if work.uid is not None:
        data["uid"] = fields.uid_text(work.uid)
    if work.deed == "write":
        data["message"] = work.message.hex()
    return line(work.deed, **data)
