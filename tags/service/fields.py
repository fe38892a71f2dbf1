"""Parse and validate the fields of protocol lines.

Pure. Input comes from other programs and is untrusted: an invalid line raises ``ProtocolError``,
and nothing else is ever raised. Lines are ASCII, so that a chip's name cannot control a terminal
that shows them.
"""

from __future__ import annotations

import json
from typing import Any

from common.sentences import Sentence, from_parts, parts
from tags.uids import parse_uid

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


def line(type_: str, **fields: object) -> bytes:
    """A protocol line, newline included."""
    data = {"v": VERSION, "type": type_, **fields}
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"


def parse(raw: bytes, longest: int) -> dict[str, Any]:
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


def number(data: dict[str, Any], key: str) -> int:
    """The whole number at ``key``."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise ProtocolError(f"{key} must be a whole number, 0 or more.")
    return value


def seconds(data: dict[str, Any], key: str) -> float | None:
    """The time at ``key``, None if it is not one."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        return None
    return float(value)


def text(data: dict[str, Any], key: str, default: str | None = None) -> str:
    """The text at ``key``, or ``default`` if missing."""
    value = data.get(key, default)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ProtocolError(f"{key} must be a text of at most {LONGEST_TEXT} characters.")
    return value


def words(key: str, said: str) -> dict[str, object]:
    """``said`` at ``key``, and a sentence's parts, for clients in another language."""
    told: dict[str, object] = {key: said[:LONGEST_TEXT]}
    return told | {"sentence": parts(said)} if isinstance(said, Sentence) else told


def sentence(data: dict[str, Any], key: str, default: str | None = None) -> str:
    """The text at ``key``, a ``Sentence`` if it came with its parts."""
    said, made = text(data, key, default), data.get("sentence")
    return said if made is None else from_parts(said, made)


def word(data: dict[str, Any], key: str, words: tuple[str, ...], other: str) -> str:
    """The word at ``key``; ``other`` for an unknown one, as of a later version."""
    value = data.get(key)
    return value if isinstance(value, str) and value in words else other


def chip(data: dict[str, Any]) -> str | None:
    """The chip's name, None if unknown."""
    return None if data.get("chip") is None else text(data, "chip")


def uid(data: dict[str, Any]) -> bytes | None:
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
    return number(data, "id")
