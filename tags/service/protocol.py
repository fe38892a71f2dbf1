"""The reader service's messages: the state of its readers, events, and answers to requests.

Pure; ``fields`` defines the fields of a line. Readers' events are those of ``tags.watch``, so that
a client gets the same as from a local reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from tags.presence import Lift, Tap
from tags.readers.base import Fault
from tags.service import fields
from tags.service.fields import ProtocolError
from tags.uids import format_uid
from tags.watch import ReaderCame, ReaderLost

SERVICE = "citadels-reader"

State = Literal["opening", "ready", "lost"]
"""The state of a reader: not tried yet, being polled, or unusable."""


@dataclass(frozen=True)
class ReaderState:
    """The state of the reader at ``path`` at one instant.

    ``uid`` lies on it and is named ``chip``, None for an unknown chip. ``settled`` says that the
    reader has been polled often enough since it came to be sure of that; ``reason`` and ``fault``
    say why a lost reader is lost.
    """

    reader: str
    path: str = ""
    state: State = "opening"
    settled: bool = False
    uid: bytes | None = None
    chip: str | None = None
    reason: str = ""
    fault: Fault = "failed"


@dataclass(frozen=True)
class Snapshot:
    """The current state of all readers; ``notice`` is a problem of the service itself."""

    readers: tuple[ReaderState, ...]
    notice: str = ""


@dataclass(frozen=True)
class Settled:
    """All chips on a newly opened reader have been reported."""

    reader: str


@dataclass(frozen=True)
class Notice:
    """A sentence about the service itself, valid until the next; empty if all is well."""

    text: str


@dataclass(frozen=True)
class Answer:
    """The result of the request ``id``: done, or refused with ``fault`` as the reason."""

    id: int | str | None
    fault: str = ""
    text: str = ""


@dataclass(frozen=True)
class Other:
    """A line about one request (``pong``, ``error``), or one of a later version."""

    type: str


Told: TypeAlias = Tap | Lift | ReaderCame | ReaderLost | Settled | Notice
"""The events sent to all clients."""

_DOUBTS = ("swapped", "found", "together", "again")  # of a tap

Message: TypeAlias = Snapshot | Told | Answer | Other


def error_line(text: str) -> bytes:
    """The line that reports a problem with a request."""
    return fields.line("error", text=text[: fields.LONGEST_TEXT])


def message_line(message: Snapshot | Told | Answer) -> bytes:
    """The line for ``message``, newline included."""
    match message:
        case Snapshot(readers, notice):
            listed = [_state_fields(state) for state in readers]
            return fields.line("snapshot", service=SERVICE, readers=listed, notice=notice)
        case Tap(uid, reader, chip=chip, at=at):
            told = {"chip": chip, "at": at} | {flag: getattr(message, flag) for flag in _DOUBTS}
            return fields.line("tap", reader=reader, uid=format_uid(uid), **told)
        case Lift(uid, reader):
            return fields.line("lift", reader=reader, uid=format_uid(uid))
        case ReaderCame(name):
            return fields.line("came", reader=name)
        case ReaderLost(name, reason, fault):
            return fields.line("lost", reader=name, **fields.words("reason", reason), fault=fault)
        case Settled(reader):
            return fields.line("settled", reader=reader)
        case Notice(text):
            return fields.line("notice", text=text[: fields.LONGEST_TEXT])
        case Answer(id_, "", _):
            return fields.line("done", id=id_)
        case Answer(id_, fault, text):
            return fields.line("refused", id=id_, fault=fault, **fields.words("text", text))


def parse_message(raw: bytes) -> Message:
    """Parse a line of the service. Raises ``ProtocolError``, also for another version."""
    data = fields.parse(raw, fields.LONGEST_LINE)
    if data.get("v") != fields.VERSION:
        raise ProtocolError("The reader service speaks another version of its protocol.")
    match data.get("type"):
        case "snapshot":
            return _snapshot(data)
        case "tap":
            doubts = {flag: data.get(flag) is True for flag in _DOUBTS}
            chip, at = fields.chip(data), fields.seconds(data, "at")
            return Tap(_chip_id(data), _reader(data), chip=chip, at=at, **doubts)
        case "lift":
            return Lift(_chip_id(data), _reader(data))
        case "came":
            return ReaderCame(_reader(data))
        case "lost":
            return ReaderLost(_reader(data), fields.sentence(data, "reason", ""), _fault(data))
        case "settled":
            return Settled(_reader(data))
        case "notice":
            return Notice(fields.text(data, "text"))
        case "done":
            return Answer(fields.request_id(data))
        case "refused":
            fault, text = fields.text(data, "fault"), fields.sentence(data, "text")
            return Answer(fields.request_id(data), fault or "failed", text)
        case str(other):
            return Other(other[:64])
    raise ProtocolError("A line has no type.")


def _reader(data: dict[str, Any]) -> str:
    return fields.text(data, "reader")


def _chip_id(data: dict[str, Any]) -> bytes:
    uid = fields.uid(data)
    if uid is None:
        raise ProtocolError("A line says of no chip that it came or went.")
    return uid


def _fault(data: dict[str, Any]) -> Fault:
    return cast(Fault, fields.word(data, "fault", get_args(Fault), "failed"))


def _state_fields(state: ReaderState) -> dict[str, object]:
    told: dict[str, object] = {
        "reader": state.reader,
        "path": state.path,
        "state": state.state,
        "settled": state.settled,
        "uid": None if state.uid is None else format_uid(state.uid),
        "chip": state.chip,
    }
    if state.state == "lost":
        told |= {**fields.words("reason", state.reason), "fault": state.fault}
    return told


def _snapshot(data: dict[str, Any]) -> Snapshot:
    if data.get("service") != SERVICE:
        raise ProtocolError("This is not a reader service.")
    listed = data.get("readers")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise ProtocolError("A snapshot lists no readers.")
    states = tuple(
        ReaderState(
            _reader(one),
            fields.text(one, "path", ""),
            cast(State, fields.word(one, "state", get_args(State), "lost")),
            one.get("settled") is True,
            fields.uid(one),
            fields.chip(one),
            fields.sentence(one, "reason", ""),
            _fault(one),
        )
        for one in listed
    )
    return Snapshot(states, fields.text(data, "notice", ""))
