"""The reader service: one program owns the readers; others are told of taps, and ask for the rest.

Here are its lines: requests of clients, and their answers, readers' states and events; pure. Taps
and lifts are those of ``tags.watch``, as from a reader that is open here. The lines are described
in ``docs/reference/reader-service.md``.

``switchboard`` is the readers' state and its distribution to clients, ``server`` the service itself
(asyncio), ``client`` one of its readers as a source of ``tags.watch`` events in a thread,
``endpoint`` the private socket and connections to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from common import strict_json
from common.sentences import Sentence, from_parts, parts
from tags.access import SENTENCES, Operation
from tags.links import format_uid, parse_uid
from tags.presence import Lift, Tap, UnfitKind
from tags.readers import Fault
from tags.watch import ReaderNotice

VERSION = 5
"""Increased when a line changes its meaning, not for new fields and new types of lines."""

LONGEST_REQUEST = 4096
"""Bytes of a client's longest line, newline included."""

LONGEST_LINE = 65536
"""Bytes of the service's longest line, newline included."""

_HALF = r"\ud"  # begins the escape of half a character, which strict readers refuse

LONGEST_TEXT = 300
"""Characters of a reason, a notice or a name."""


class ProtocolError(ValueError):
    """The input is not a protocol line; the message is a sentence."""


class OtherVersion(ProtocolError):
    """The service speaks another version of the protocol."""


def encode_line(type_: str, **fields: object) -> bytes:
    """A protocol line, newline included."""
    data = {"v": VERSION, "type": type_, **fields}
    line = json.dumps(data, separators=(",", ":"))
    if _HALF in line:  # as of a path that is no text; a pair is whole and stays
        whole = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
        line = json.dumps(json.loads(whole), separators=(",", ":"))
    return line.encode("ascii") + b"\n"


def parse_line(raw: bytes, longest: int) -> dict[str, Any]:
    """Parse a line of at most ``longest`` bytes. Raises ``ProtocolError``, like all functions
    here."""
    if len(raw) > longest:
        raise ProtocolError(f"A line may have {longest} bytes.")
    try:
        data = strict_json.parse(raw)
    except ValueError:  # not JSON, not text, half a character, huge numbers or nesting
        raise ProtocolError("A line must be one JSON object.") from None
    if not isinstance(data, dict):
        raise ProtocolError("A line must be one JSON object.")
    return data


def at_field(data: dict[str, Any]) -> float | None:
    """When it was seen, None if that is no time."""
    value = data.get("at")
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


def uid_field(data: dict[str, Any]) -> bytes:
    """The chip's id."""
    try:
        return parse_uid(text_field(data, "uid"))
    except ValueError:
        raise ProtocolError("uid must be a chip id.") from None


def message_field(data: dict[str, Any]) -> bytes:
    """The chip's message, in hexadecimal digits."""
    try:
        return bytes.fromhex(data["message"])
    except (KeyError, TypeError, ValueError):
        raise ProtocolError("message must be hexadecimal digits.") from None


def request_id(data: dict[str, Any]) -> int | str | None:
    """The id that an answer repeats: a number, up to 64 characters, or none."""
    value = data.get("id")
    if value is None or (isinstance(value, str) and len(value) <= 64):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise ProtocolError("id must be a whole number, 0 or more, or a text.")
    return value


@dataclass(frozen=True)
class Ask:
    """A request without arguments; a pong repeats ``id``: a number, a text or None."""

    what: Literal["ping", "snapshot", "retry"]
    id: int | str | None = None


@dataclass(frozen=True)
class Own:
    """A request for all readers, by the program called ``owner``, on any number of connections.

    They are its own until it leaves. One that comes ``over`` the others need not wait for a game.
    """

    owner: str
    over: bool = False


@dataclass(frozen=True)
class ChipRequest:
    """A request for an operation on the chip ``uid``; ``message`` is the one to write."""

    operation: Operation
    reader: str
    uid: bytes
    message: bytes = b""
    id: int | str | None = None


Request: TypeAlias = Ask | Own | ChipRequest


def parse_request(raw: bytes) -> Request:
    """Parse a client's line. Raises ``ProtocolError``."""
    data = parse_line(raw, LONGEST_REQUEST)
    what = data.get("type")
    if what in ("ping", "snapshot", "retry"):
        return Ask(what, request_id(data))
    if what == "own":
        if not (owner := text_field(data, "owner")):
            raise ProtocolError("owner must be a program's name.")
        return Own(owner, data.get("over") is True)
    if what in get_args(Operation):
        message = message_field(data) if what == "write" else b""
        return ChipRequest(
            cast(Operation, what), _reader(data), uid_field(data), message, request_id(data)
        )
    raise ProtocolError(
        "The request is none of ping, snapshot, retry, own, " + ", ".join(get_args(Operation)) + "."
    )


def request_line(request: Own | ChipRequest) -> bytes:
    """The line for ``request``, newline included."""
    match request:
        case Own(owner, over):
            return encode_line("own", owner=owner[:LONGEST_TEXT], over=over)
        case ChipRequest(operation, reader, uid, message, id_):
            fields = {"id": id_, "reader": reader, "uid": format_uid(uid)}
            more = {"message": message.hex()} if operation == "write" else {}
            return encode_line(operation, **fields, **more)


SERVICE = "citadels-reader"

State = Literal["opening", "ready", "lost"]
"""The state of a reader: not polled often enough yet, being polled, or unusable."""


@dataclass(frozen=True)
class ReaderState:
    """The state of the reader at ``path`` at one instant; sent when it changes.

    ``uid`` lies on it, and its line named it ``chip``, None without a name; on a ready reader that
    is certain. ``reason`` and ``fault`` say why a lost reader is lost.
    """

    reader: str
    path: str = ""
    state: State = "opening"
    uid: bytes | None = None
    chip: str | None = None
    reason: str = ""
    fault: Fault = "failed"


@dataclass(frozen=True)
class Snapshot:
    """The current state of all readers; ``owner`` is the program that has the readers, "" for
    none."""

    readers: tuple[ReaderState, ...]
    owner: str = ""


@dataclass(frozen=True)
class Answer:
    """The result of the request ``id``: done, with the ``message`` that was read, or refused.

    ``fault`` and ``text`` say why it was refused; the fault is one of a chip or of a reader.
    """

    id: int | str | None
    fault: str = ""
    text: str = ""
    message: bytes = b""


@dataclass(frozen=True)
class Other:
    """A line about one request (``pong``, ``error``), or one of a later version."""

    type: str


Happening: TypeAlias = ReaderState | Tap | Lift | ReaderNotice
"""The events sent to clients."""

_DOUBTS = ("swapped", "found", "together", "again")  # of a tap

ServerMessage: TypeAlias = Snapshot | Happening | Answer | Other


def error_line(text: str) -> bytes:
    """The line that reports a problem with a request."""
    return encode_line("error", text=text[:LONGEST_TEXT])


def message_line(message: Snapshot | Happening | Answer) -> bytes:
    """The line for ``message``, newline included."""
    match message:
        case Snapshot(readers, owner):
            states = [_state_fields(state) for state in readers]
            return encode_line("snapshot", service=SERVICE, owner=owner, readers=states)
        case Tap(uid, reader, chip=chip, at=at):
            fields = {"chip": chip, "kind": message.kind, "at": at} | {
                flag: getattr(message, flag) for flag in _DOUBTS
            }
            return encode_line("tap", reader=reader, uid=format_uid(uid), **fields)
        case Lift(uid, reader, at):
            return encode_line("lift", reader=reader, uid=format_uid(uid), at=at)
        case ReaderState():
            return encode_line("reader", **_state_fields(message))
        case ReaderNotice(text):
            return encode_line("said", **words_field("text", text))
        case Answer(id_, "", _, content):
            return encode_line("done", id=id_, message=content.hex())
        case Answer(id_, fault, text):
            return encode_line("refused", id=id_, fault=fault, **words_field("text", text))


def parse_message(raw: bytes) -> ServerMessage:
    """Parse a line of the service. Raises ``ProtocolError``, also for another version."""
    data = parse_line(raw, LONGEST_LINE)
    if data.get("v") != VERSION:
        raise OtherVersion("The reader service speaks another version of its protocol.")
    match data.get("type"):
        case "snapshot":
            return _snapshot(data)
        case "tap":
            doubts = {flag: data.get(flag) is True for flag in _DOUBTS}
            chip, at = chip_field(data), at_field(data)
            kind = data.get("kind") if data.get("kind") in get_args(UnfitKind) else None
            return Tap(uid_field(data), _reader(data), chip=chip, kind=kind, at=at, **doubts)
        case "lift":
            return Lift(uid_field(data), _reader(data), at_field(data))
        case "reader":
            return _state(data)
        case "said":
            return ReaderNotice(sentence_field(data, "text"))
        case "done":
            return Answer(request_id(data), message=message_field(data))
        case "refused":
            fault = word_field(data, "fault", (*get_args(Fault), *SENTENCES), "failed")
            return Answer(request_id(data), fault, sentence_field(data, "text"))
        case str(other):
            return Other(other[:64])
    raise ProtocolError("A line has no type.")


def _reader(data: dict[str, Any]) -> str:
    return text_field(data, "reader")


def _state_fields(state: ReaderState) -> dict[str, object]:
    fields: dict[str, object] = {
        "reader": state.reader,
        "path": state.path,
        "state": state.state,
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
    return Snapshot(tuple(_state(one) for one in listed), text_field(data, "owner", ""))


def _state(data: dict[str, Any]) -> ReaderState:
    return ReaderState(
        _reader(data),
        text_field(data, "path", ""),
        cast(State, word_field(data, "state", get_args(State), "lost")),
        None if data.get("uid") is None else uid_field(data),
        chip_field(data),
        sentence_field(data, "reason", ""),
        cast(Fault, word_field(data, "fault", get_args(Fault), "failed")),
    )
