"""What every line of the protocol is made of, and what is not a line of it.

Pure.  Whatever is read here came from another program and can be anything: what is no line of the
protocol raises ``ProtocolError``, and nothing else is ever raised.  Lines are ASCII, so that
whatever a chip is called drives no terminal on which somebody looks at them.
"""

from __future__ import annotations

import json
from typing import Any

from common.sentences import Sentence, from_parts, parts
from tags.uids import parse_uid

VERSION = 2
"""Grows when a line changes its meaning; new fields and new types of lines leave it alone."""

LONGEST_REQUEST = 4096
"""Bytes of a client's longest line, its end included."""

LONGEST_LINE = 65536
"""Bytes of the service's longest line, its end included."""

LONGEST_TEXT = 300
"""Characters of a reason, a notice or a name."""


class ProtocolError(ValueError):
    """What was read is not a line of the protocol; the message is a sentence."""


def line(type_: str, **fields: object) -> bytes:
    """One line of the protocol, its end included."""
    data = {"v": VERSION, "type": type_, **fields}
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"


def parse(raw: bytes, longest: int) -> dict[str, Any]:
    """The object in a line of at most ``longest`` bytes.  Raises ``ProtocolError``, as all here."""
    if len(raw) > longest:
        raise ProtocolError(f"A line may have {longest} bytes.")
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):  # no JSON, no text, numbers or nesting without end
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
    """The time at ``key``, None for whatever is none."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        return None
    return float(value)


def text(data: dict[str, Any], key: str, default: str | None = None) -> str:
    """The text at ``key``, or ``default`` where there is none."""
    value = data.get(key, default)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ProtocolError(f"{key} must be a text of at most {LONGEST_TEXT} characters.")
    return value


def words(key: str, said: str) -> dict[str, object]:
    """``said`` at ``key``, and what a sentence was made of, for clients that speak otherwise."""
    told: dict[str, object] = {key: said[:LONGEST_TEXT]}
    return told | {"sentence": parts(said)} if isinstance(said, Sentence) else told


def sentence(data: dict[str, Any], key: str, default: str | None = None) -> str:
    """The text at ``key``, a ``Sentence`` where it came with what it was made of."""
    said, made = text(data, key, default), data.get("sentence")
    return said if made is None else from_parts(said, made)


def word(data: dict[str, Any], key: str, words: tuple[str, ...], other: str) -> str:
    """The word at ``key``; ``other`` for one that a later version may have added."""
    value = data.get(key)
    return value if isinstance(value, str) and value in words else other


def chip(data: dict[str, Any]) -> str | None:
    """What a chip is called, None for one that nobody knows."""
    return None if data.get("chip") is None else text(data, "chip")


def uid(data: dict[str, Any]) -> bytes | None:
    """The chip's id, None where no chip is meant."""
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
