"""What the reader service says: how its readers are, what happened, what came of a request.

Pure; ``fields`` tells what every line is made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from tags.readers.base import Fault
from tags.service import fields
from tags.service.fields import Rubbish

SERVICE = "citadels-reader"

Kind = Literal["tap", "lift", "came", "lost", "settled", "lent", "returned", "notice"]
"""What a numbered event tells: a chip came or went, a reader did, a reader that came has been
looked at long enough to know what lies on it, a client has borrowed it or gave it back, or a
sentence about the service."""

State = Literal["opening", "ready", "lost"]
"""How a reader is: not tried yet, being polled, or not to be used."""

Why = Literal["new", "asked", "too-old", "other-session"]
"""Why a snapshot is sent: to a new client, on request, or because a resume is not possible."""


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
    that; ``reason`` and ``fault`` tell why a lost reader is lost; ``lease`` says to which loan its
    taps belong, None while they are for everybody.
    """

    reader: str
    state: State = "opening"
    settled: bool = False
    uid: bytes | None = None
    chip: str | None = None
    reason: str = ""
    fault: Fault = "failed"
    path: str = ""
    lease: int | None = None


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
    lease: int | None = None
    swapped: bool = False
    found: bool = False


@dataclass(frozen=True)
class Answer:
    """What came of the request ``id``: done, or refused for a reason that ``fault`` says in a word.

    ``message`` is what was read, ``lease`` the number of the loan.
    """

    id: int | str | None
    fault: str = ""
    text: str = ""
    message: bytes = b""
    lease: int | None = None


@dataclass(frozen=True)
class Other:
    """A line that concerns one request (``pong``, ``error``), or one of a later version."""

    type: str
    text: str = ""


Message: TypeAlias = Hello | Snapshot | Resumed | Numbered | Answer | Other


def error_line(text: str) -> bytes:
    """The line that says what is wrong with a request."""
    return fields.line("error", text=text[: fields.LONGEST_TEXT])


def message_line(message: Hello | Snapshot | Resumed | Numbered | Answer) -> bytes:
    """The line for ``message``, its end included."""
    match message:
        case Hello(session, seq):
            return fields.line("hello", service=SERVICE, session=session, seq=seq)
        case Snapshot(seq, why, readers, notice):
            listed = [_state_fields(state) for state in readers]
            return fields.line("snapshot", seq=seq, why=why, readers=listed, notice=notice)
        case Resumed(since, seq):
            return fields.line("resumed", since=since, seq=seq)
        case Answer(id=id_, fault=fault, text=text) if fault:
            return fields.line("refused", id=id_, fault=fault, **fields.words("text", text))
        case Answer():
            return fields.line("done", id=message.id, **_results(message))
        case Numbered(kind="notice"):
            return fields.line("notice", seq=message.seq, text=message.text[: fields.LONGEST_TEXT])
        case Numbered():
            return fields.line(message.kind, seq=message.seq, **_event_fields(message))


def parse_message(raw: bytes) -> Message:
    """What a line of the service says.  Raises ``Rubbish``, also for another version."""
    data = fields.parse(raw, fields.LONGEST_LINE)
    if data.get("v") != fields.VERSION:
        raise Rubbish("The reader service speaks another version of its protocol.")
    what = data.get("type")
    if what == "hello":
        if data.get("service") != SERVICE:
            raise Rubbish("This is no reader service.")
        return Hello(fields.text(data, "session"), fields.number(data, "seq"))
    if what == "snapshot":
        return _snapshot(data)
    if what in ("done", "refused"):
        return _answer(data, refused=what == "refused")
    if what == "resumed":
        return Resumed(fields.number(data, "since"), fields.number(data, "seq"))
    if what in get_args(Kind):
        return _numbered(data, cast(Kind, what))
    if not isinstance(what, str):
        raise Rubbish("A line has no type.")
    text = data.get("text")
    return Other(what[:64], text[: fields.LONGEST_TEXT] if isinstance(text, str) else "")


def _event_fields(event: Numbered) -> dict[str, object]:
    told: dict[str, object] = {"reader": event.reader}
    if event.kind in ("tap", "lift", "settled"):
        told["uid"] = fields.uid_text(event.uid)
    if event.kind == "tap":
        told |= {"chip": event.chip, "swapped": event.swapped, "found": event.found}
    if event.kind == "lost":
        told |= {**fields.words("reason", event.text), "fault": event.fault}
    if event.kind == "lent":
        told["lease"] = event.lease
    return told


def _state_fields(state: ReaderState) -> dict[str, object]:
    told: dict[str, object] = {
        "reader": state.reader,
        "path": state.path,
        "state": state.state,
        "settled": state.settled,
        "uid": fields.uid_text(state.uid),
        "chip": state.chip,
        "lease": state.lease,
    }
    if state.state == "lost":
        told |= {**fields.words("reason", state.reason), "fault": state.fault}
    return told


def _results(answer: Answer) -> dict[str, object]:
    """What a request that was carried out has brought."""
    if answer.lease is not None:
        return {"lease": answer.lease}
    return {"message": answer.message.hex()} if answer.message else {}


def _answer(data: dict[str, Any], *, refused: bool) -> Answer:
    id_ = fields.request_id(data)
    if refused:
        return Answer(id_, fields.text(data, "fault") or "failed", fields.sentence(data, "text"))
    message = fields.content(data) if "message" in data else b""
    return Answer(id_, message=message, lease=fields.lease(data))


def _snapshot(data: dict[str, Any]) -> Snapshot:
    listed = data.get("readers")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise Rubbish("A snapshot lists no readers.")
    why = fields.word(data, "why", get_args(Why), "asked")
    states = tuple(
        ReaderState(
            fields.text(one, "reader"),
            cast(State, fields.word(one, "state", get_args(State), "lost")),
            one.get("settled") is True,
            fields.uid(one),
            fields.chip(one),
            fields.sentence(one, "reason", ""),
            cast(Fault, fields.word(one, "fault", get_args(Fault), "failed")),
            fields.text(one, "path", ""),
            fields.lease(one),
        )
        for one in listed
    )
    return Snapshot(
        fields.number(data, "seq"), cast(Why, why), states, fields.text(data, "notice", "")
    )


def _numbered(data: dict[str, Any], kind: Kind) -> Numbered:
    seq = fields.number(data, "seq")
    if kind == "notice":
        return Numbered(seq, kind, text=fields.text(data, "text"))
    reader, uid = fields.text(data, "reader"), fields.uid(data)
    if uid is None and kind in ("tap", "lift"):
        raise Rubbish("A line says of no chip that it came or went.")
    fault = cast(Fault, fields.word(data, "fault", get_args(Fault), "failed"))
    reason, lease = fields.sentence(data, "reason", ""), fields.lease(data)
    swapped, found = data.get("swapped") is True, data.get("found") is True
    return Numbered(seq, kind, reader, uid, fields.chip(data), reason, fault, lease, swapped, found)
