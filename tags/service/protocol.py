"""The reader service's messages: the state of its readers, events, and answers to requests.

Pure; ``fields`` defines the fields of a line. Readers' events are those of ``tags.watch``, so that
a client gets the same as from a local reader.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from common.sentences import Sentence, from_parts, parts
from tags.presence import Lift, Tap, UnfitKind
from tags.readers.base import Fault
from tags.uids import format_uid, parse_uid
from tags.watch import ReaderCame, ReaderLost

VERSION = 2
"""Increased when a line changes its meaning, not for new fields and new types of lines."""

LONGEST_REQUEST = 4096
"""Bytes of a client's longest line, newline included."""

LONGEST_LINE = 65536
"""Bytes of the service's longest line, newline included."""

LONGEST_TEXT = 300
"""Characters of a reason, a notice or a name."""


class ProtocolError(ValueError):
    """The input is not a protocol line; the message is a sentence."""


def encode_line(type_: str, **fields: object) -> bytes:
    """A protocol line, newline included."""
    data = {"v": VERSION, "type": type_, **fields}
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"


def parse_line(raw: bytes, longest: int) -> dict[str, Any]:
    """Parse a line of at most ``longest`` bytes. Raises ``ProtocolError``, like all functions
    here."""
    if len(raw) > longest:
        raise ProtocolError(f"A line may have {longest} bytes.")
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):  # not JSON, not text, huge numbers or nesting
        raise ProtocolError("A line must be one JSON object.") from None
    if not isinstance(data, dict):
        raise ProtocolError("A line must be one JSON object.")
    return data


def number_field(data: dict[str, Any], key: str) -> int:
    """The whole number at ``key``."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise ProtocolError(f"{key} must be a whole number, 0 or more.")
    return value


def seconds_field(data: dict[str, Any], key: str) -> float | None:
    """The time at ``key``, None if it is not one."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        return None
    return float(value)


def text_field(data: dict[str, Any], key: str, default: str | None = None) -> str:
    """The text at ``key``, or ``default`` if missing."""
    value = data.get(key, default)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ProtocolError(f"{key} must be a text of at most {LONGEST_TEXT} characters.")
    return value


def words_field(key: str, text: str) -> dict[str, object]:
    """``text`` at ``key``, and a sentence's parts, for clients in another language."""
    fields: dict[str, object] = {key: text[:LONGEST_TEXT]}
    return fields | {"sentence": parts(text)} if isinstance(text, Sentence) else fields


def sentence_field(data: dict[str, Any], key: str, default: str | None = None) -> str:
    """The text at ``key``, a ``Sentence`` if it came with its parts."""
    text, sentence = text_field(data, key, default), data.get("sentence")
    return text if sentence is None else from_parts(text, sentence)


def word_field(data: dict[str, Any], key: str, words: tuple[str, ...], other: str) -> str:
    """The word at ``key``; ``other`` for an unknown one, as of a later version."""
    value = data.get(key)
    return value if isinstance(value, str) and value in words else other


def chip_field(data: dict[str, Any]) -> str | None:
    """The chip's name, None if unknown."""
    return None if data.get("chip") is None else text_field(data, "chip")


def uid_field(data: dict[str, Any]) -> bytes | None:
    """The chip's id, None if there is no chip."""
    value = data.get("uid")
    if value is None:
        return None
    if not isinstance(value, str):
        raise ProtocolError("uid must be a chip id.")
    try:
        return parse_uid(value)
    except ValueError:
        raise ProtocolError("uid must be a chip id.") from None


def request_id(data: dict[str, Any]) -> int | str | None:
    """The id that an answer repeats: a number, up to 64 characters, or none."""
    value = data.get("id")
    if value is None or (isinstance(value, str) and len(value) <= 64):
        return value
    return number_field(data, "id")


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
    data = parse_line(raw, LONGEST_REQUEST)
    what = data.get("type")
    if what in ("ping", "snapshot", "retry"):
        return Ask(what, request_id(data))
    if what == "auth":
        return Auth(text_field(data, "token"))
    if what in get_args(Use):
        return Wish(cast(Use, what), text_field(data, "reader"), request_id(data))
    raise ProtocolError("The request is none of ping, snapshot, retry, hold, release, return.")


def wish_line(wish: Wish) -> bytes:
    """The request line for ``wish``."""
    return encode_line(wish.use, id=wish.id, reader=wish.reader)


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
    return encode_line("error", text=text[:LONGEST_TEXT])


def message_line(message: Snapshot | Told | Answer) -> bytes:
    """The line for ``message``, newline included."""
    match message:
        case Snapshot(readers, notice):
            entries = [_state_fields(state) for state in readers]
            return encode_line("snapshot", service=SERVICE, readers=entries, notice=notice)
        case Tap(uid, reader, chip=chip, at=at):
            fields = {"chip": chip, "kind": message.kind, "at": at} | {
                flag: getattr(message, flag) for flag in _DOUBTS
            }
            return encode_line("tap", reader=reader, uid=format_uid(uid), **fields)
        case Lift(uid, reader):
            return encode_line("lift", reader=reader, uid=format_uid(uid))
        case ReaderCame(name):
            return encode_line("came", reader=name)
        case ReaderLost(name, reason, fault):
            return encode_line("lost", reader=name, **words_field("reason", reason), fault=fault)
        case Settled(reader):
            return encode_line("settled", reader=reader)
        case Notice(text):
            return encode_line("notice", text=text[:LONGEST_TEXT])
        case Answer(id_, "", _):
            return encode_line("done", id=id_)
        case Answer(id_, fault, text):
            return encode_line("refused", id=id_, fault=fault, **words_field("text", text))


def parse_message(raw: bytes) -> Message:
    """Parse a line of the service. Raises ``ProtocolError``, also for another version."""
    data = parse_line(raw, LONGEST_LINE)
    if data.get("v") != VERSION:
        raise ProtocolError("The reader service speaks another version of its protocol.")
    match data.get("type"):
        case "snapshot":
            return _snapshot(data)
        case "tap":
            doubts = {flag: data.get(flag) is True for flag in _DOUBTS}
            chip, at = chip_field(data), seconds_field(data, "at")
            kind = data.get("kind") if data.get("kind") in get_args(UnfitKind) else None
            return Tap(_chip_id(data), _reader(data), chip=chip, kind=kind, at=at, **doubts)
        case "lift":
            return Lift(_chip_id(data), _reader(data))
        case "came":
            return ReaderCame(_reader(data))
        case "lost":
            return ReaderLost(_reader(data), sentence_field(data, "reason", ""), _fault(data))
        case "settled":
            return Settled(_reader(data))
        case "notice":
            return Notice(text_field(data, "text"))
        case "done":
            return Answer(request_id(data))
        case "refused":
            fault, text = text_field(data, "fault"), sentence_field(data, "text")
            return Answer(request_id(data), fault or "failed", text)
        case str(other):
            return Other(other[:64])
    raise ProtocolError("A line has no type.")


def _reader(data: dict[str, Any]) -> str:
    return text_field(data, "reader")


def _chip_id(data: dict[str, Any]) -> bytes:
    uid = uid_field(data)
    if uid is None:
        raise ProtocolError("A line says of no chip that it came or went.")
    return uid


def _fault(data: dict[str, Any]) -> Fault:
    return cast(Fault, word_field(data, "fault", get_args(Fault), "failed"))


def _state_fields(state: ReaderState) -> dict[str, object]:
    fields: dict[str, object] = {
        "reader": state.reader,
        "path": state.path,
        "state": state.state,
        "settled": state.settled,
        "uid": None if state.uid is None else format_uid(state.uid),
        "chip": state.chip,
    }
    if state.state == "lost":
        fields |= {**words_field("reason", state.reason), "fault": state.fault}
    return fields


def _snapshot(data: dict[str, Any]) -> Snapshot:
    if data.get("service") != SERVICE:
        raise ProtocolError("This is not a reader service.")
    listed = data.get("readers")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise ProtocolError("A snapshot lists no readers.")
    states = tuple(
        ReaderState(
            _reader(one),
            text_field(one, "path", ""),
            cast(State, word_field(one, "state", get_args(State), "lost")),
            one.get("settled") is True,
            uid_field(one),
            chip_field(one),
            sentence_field(one, "reason", ""),
            _fault(one),
        )
        for one in listed
    )
    return Snapshot(states, text_field(data, "notice", ""))
