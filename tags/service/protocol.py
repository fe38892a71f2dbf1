"""The lines between the reader service and its clients: JSON objects, versioned, short, checked.

Pure.  Whatever is read here came from another program and may be anything: what is no line of the
protocol raises ``Rubbish``, and nothing else is ever raised.  Lines are ASCII, so that whatever a
chip is called drives no terminal on which somebody looks at them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from tags.readers.base import Fault
from tags.uids import format_uid, parse_uid

VERSION = 1
"""Grows when a line changes its meaning; new fields and new types of lines leave it alone."""

SERVICE = "citadels-reader"

LONGEST_REQUEST = 1024
"""Bytes of a client's longest line, its end included."""

LONGEST_LINE = 65536
"""Bytes of the service's longest line, its end included."""

LONGEST_TEXT = 300
"""Characters of a reason, a notice or a name."""

Kind = Literal["tap", "lift", "came", "lost", "settled", "notice"]
"""What a numbered event tells: a chip came or went, a reader did, a reader that came has been
looked at long enough to know what lies on it, or a sentence about the service."""

State = Literal["opening", "ready", "lost"]
"""How a reader is: not tried yet, being polled, or not to be used."""

Why = Literal["new", "asked", "too-old", "other-session"]
"""Why a snapshot is sent: to a new client, on request, or because a resume is not possible."""


class Rubbish(ValueError):
    """What was read is no line of the protocol; the message is a sentence."""


# -- what clients ask -------------------------------------------------------------------------


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
class Auth:
    """The token of a service on loopback TCP; the first line there."""

    token: str


Request: TypeAlias = Resume | Ask | Auth


def parse_request(line: bytes) -> Request:
    """What a client's line asks for.  Raises ``Rubbish``."""
    data = _object(line, LONGEST_REQUEST)
    what = data.get("type")
    if what in ("ping", "snapshot", "retry"):
        id_ = data.get("id")
        if id_ is not None and not (isinstance(id_, str) and len(id_) <= 64):
            id_ = _number(data, "id")
        return Ask(what, id_)
    if what == "resume":
        return Resume(_text(data, "session"), _number(data, "since"))
    if what == "auth":
        return Auth(_text(data, "token"))
    raise Rubbish("The request is none of ping, snapshot, retry, resume.")


def resume_line(session: str, since: int) -> bytes:
    """The request to go on after the event ``since`` of ``session``."""
    return line("resume", session=session, since=since)


# -- what the service says --------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """The first line to every client: which run of the service this is, and its latest number."""

    session: str
    seq: int


@dataclass(frozen=True)
class ReaderState:
    """One reader, which is at ``path``, at one instant.

    ``uid`` lies on it and is called ``chip``, None for a chip that nobody knows.
    ``settled`` says that the reader has been polled often enough since it came to be sure of
    that; ``reason`` and ``fault`` tell why a lost reader is lost.
    """

    reader: str
    state: State = "opening"
    settled: bool = False
    uid: bytes | None = None
    chip: str | None = None
    reason: str = ""
    fault: Fault = "failed"
    path: str = ""


@dataclass(frozen=True)
class Snapshot:
    """All readers after the event ``seq``; ``notice`` is what is wrong with the service itself."""

    seq: int
    why: Why
    readers: tuple[ReaderState, ...]
    notice: str = ""


@dataclass(frozen=True)
class Resumed:
    """The events after ``since`` follow; whatever was sent before this line is to be forgotten."""

    since: int
    seq: int


@dataclass(frozen=True)
class Numbered:
    """One event.  Which fields count depends on ``kind``; ``text`` is a reason or a notice."""

    seq: int
    kind: Kind
    reader: str = ""
    uid: bytes | None = None
    chip: str | None = None
    text: str = ""
    fault: Fault = "failed"


@dataclass(frozen=True)
class Other:
    """A line that concerns one request (``pong``, ``error``), or one of a later version."""

    type: str
    text: str = ""


Message: TypeAlias = Hello | Snapshot | Resumed | Numbered | Other


def line(type_: str, **fields: object) -> bytes:
    """One line of the protocol, its end included."""
    data = {"v": VERSION, "type": type_, **fields}
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"


def error_line(text: str) -> bytes:
    """The line that says what is wrong with a request."""
    return line("error", text=text[:LONGEST_TEXT])


def message_line(message: Hello | Snapshot | Resumed | Numbered) -> bytes:
    """The line for ``message``, its end included."""
    match message:
        case Hello(session, seq):
            return line("hello", service=SERVICE, session=session, seq=seq)
        case Snapshot(seq, why, readers, notice):
            listed = [_state_fields(state) for state in readers]
            return line("snapshot", seq=seq, why=why, readers=listed, notice=notice)
        case Resumed(since, seq):
            return line("resumed", since=since, seq=seq)
        case Numbered(kind="notice"):
            return line("notice", seq=message.seq, text=message.text[:LONGEST_TEXT])
        case Numbered():
            return line(message.kind, seq=message.seq, **_event_fields(message))


def parse_message(raw: bytes) -> Message:
    """What a line of the service says.  Raises ``Rubbish``, also for another version."""
    data = _object(raw, LONGEST_LINE)
    if data.get("v") != VERSION:
        raise Rubbish("The reader service speaks another version of its protocol.")
    what = data.get("type")
    if what == "hello":
        if data.get("service") != SERVICE:
            raise Rubbish("This is no reader service.")
        return Hello(_text(data, "session"), _number(data, "seq"))
    if what == "snapshot":
        return _snapshot(data)
    if what == "resumed":
        return Resumed(_number(data, "since"), _number(data, "seq"))
    if what in get_args(Kind):
        return _numbered(data, cast(Kind, what))
    if not isinstance(what, str):
        raise Rubbish("A line has no type.")
    text = data.get("text")
    return Other(what[:64], text[:LONGEST_TEXT] if isinstance(text, str) else "")


def _event_fields(event: Numbered) -> dict[str, object]:
    fields: dict[str, object] = {"reader": event.reader}
    if event.kind in ("tap", "lift", "settled"):
        fields["uid"] = _uid_text(event.uid)
    if event.kind == "tap":
        fields["chip"] = event.chip
    if event.kind == "lost":
        fields |= {"reason": event.text[:LONGEST_TEXT], "fault": event.fault}
    return fields


def _state_fields(state: ReaderState) -> dict[str, object]:
    fields: dict[str, object] = {
        "reader": state.reader,
        "path": state.path,
        "state": state.state,
        "settled": state.settled,
        "uid": _uid_text(state.uid),
        "chip": state.chip,
    }
    if state.state == "lost":
        fields |= {"reason": state.reason[:LONGEST_TEXT], "fault": state.fault}
    return fields


def _snapshot(data: dict[str, Any]) -> Snapshot:
    listed = data.get("readers")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise Rubbish("A snapshot lists no readers.")
    why = _one_of(data, "why", get_args(Why), "asked")
    states = tuple(
        ReaderState(
            _text(one, "reader"),
            cast(State, _one_of(one, "state", get_args(State), "lost")),
            one.get("settled") is True,
            _uid(one),
            _chip(one),
            _text(one, "reason", ""),
            cast(Fault, _one_of(one, "fault", get_args(Fault), "failed")),
            _text(one, "path", ""),
        )
        for one in listed
    )
    return Snapshot(_number(data, "seq"), cast(Why, why), states, _text(data, "notice", ""))


def _numbered(data: dict[str, Any], kind: Kind) -> Numbered:
    seq = _number(data, "seq")
    if kind == "notice":
        return Numbered(seq, kind, text=_text(data, "text"))
    reader, uid = _text(data, "reader"), _uid(data)
    if uid is None and kind in ("tap", "lift"):
        raise Rubbish("A line says of no chip that it came or went.")
    fault = cast(Fault, _one_of(data, "fault", get_args(Fault), "failed"))
    return Numbered(seq, kind, reader, uid, _chip(data), _text(data, "reason", ""), fault)


def _object(raw: bytes, longest: int) -> dict[str, Any]:
    if len(raw) > longest:
        raise Rubbish(f"A line may have {longest} bytes.")
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):  # no JSON, no text, numbers or nesting without end
        raise Rubbish("A line must be one JSON object.") from None
    if not isinstance(data, dict):
        raise Rubbish("A line must be one JSON object.")
    return data


def _number(data: dict[str, Any], key: str) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise Rubbish(f"{key} must be a whole number, 0 or more.")
    return value


def _text(data: dict[str, Any], key: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise Rubbish(f"{key} must be a text of at most {LONGEST_TEXT} characters.")
    return value


def _one_of(data: dict[str, Any], key: str, words: tuple[str, ...], other: str) -> str:
    """The word at ``key``; ``other`` for one that a later version may have added."""
    value = data.get(key)
    return value if isinstance(value, str) and value in words else other


def _chip(data: dict[str, Any]) -> str | None:
    return None if data.get("chip") is None else _text(data, "chip")


def _uid(data: dict[str, Any]) -> bytes | None:
    value = data.get("uid")
    if value is None:
        return None
    if not isinstance(value, str):
        raise Rubbish("uid must be a chip id.")
    try:
        return parse_uid(value)
    except ValueError:
        raise Rubbish("uid must be a chip id.") from None


def _uid_text(uid: bytes | None) -> str | None:
    return None if uid is None else format_uid(uid)
