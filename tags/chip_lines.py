"""The open door: a line of text, from any program, as a tap.

One function reads what comes from a file, a pipe, standard input, a reader that types, a phone or
`POST /api/taps`. It takes an id however it is written, knows the notes by which programs say that a
chip has gone, and refuses the rest.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from tags.links import LENGTHS

LONGEST = 4096
"""The most characters in a line; a longer one is not understood."""

LONGEST_WAIT = 60
"""The most seconds that a line waits."""

NAMED = ("district", "character", "player", "crown", "reference", "action")
"""The first words of chips' names on printed labels."""

MADE = b"\xff"
"""The first byte of ids made of a text, 10 bytes long: no chip's id begins with it (ISO
14443-3)."""

_NAME = re.compile(rf"crown|(?:{'|'.join(NAMED)})(?: [a-z0-9_]+){{1,2}}")
_READER = re.compile(r"(?:^|\s)@(\S+)$")
_SECONDS = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,3})?")
_SEPARATORS = re.compile(r"[\s:.-]+")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_WORD = re.compile(r"[A-Za-z0-9:.-]{4,64}")
_BYTES = re.compile(r"[0-9A-Fa-f]{1,3}(?:\s+[0-9A-Fa-f]{1,3})+")
_AFTER_UID = re.compile(r"\buid\b[\"']?\s*[=:]\s*([^\t,;]*)", re.IGNORECASE)
_GONE = r"(?:removed|gone|left|lost)"
_GOING = re.compile(
    rf"(?P<before>.*?)[\s:,]+{_GONE}|(?:-|not\b|(?:\w+[ _])?{_GONE}\b)[\s:=]*(?P<after>.*)",
    re.IGNORECASE,
)
_ABSENT = frozenset(
    (
        *("none", "null", "nil", "nan", "false", "off", "offline", "unavailable", "unknown"),
        *("empty", "no", "notag", "nocard", "nochip"),
    )
)
"""What programs send instead of an id when no chip is there."""

_GOING_WORDS = frozenset(
    ("removed", "gone", "left", "lost", "absent", "released", "offline", "off", "none")
)
_STATES = frozenset(["event", "eventtype", "type", "action", "state", "status", "method", "kind"])
_KEYS = (
    ("uid", "taguid", "carduid", "chipuid", "tokenuid", "nfcuid", "rfiduid", "uidhex"),
    ("tagid", "cardid", "chipid", "tokenid", "nfcid", "rfid", "rfidid", "idtag"),
    ("tag", "card", "chip", "token", "nfc"),
    ("serialnumber", "serial"),
    ("id",),
)
"""The keys of an id in a JSON object, in small letters and digits alone; the first that is there
counts."""

_PAIR = re.compile(
    r'"([^"\\]{1,40})"\s*:\s*("[^"\\]{0,100}"|-?[0-9]{1,20}\b|null|true|false|\[[0-9,\s]{0,60}\])'
)
"""A key and its plain value in JSON that is damaged elsewhere."""

IsKnown = Callable[[bytes], bool]


class NotUnderstood(ValueError):
    """The line is none of those known; the message is the line, shortened and printable."""


class ChipLine(NamedTuple):
    """What a line says.

    ``uid`` is the chip, in a lift b"" for whichever lies there; ``name`` the chip's, if the line
    says that instead of an id; ``reader`` the word for its reader, "" without one.
    """

    what: Literal["tap", "hold", "lift", "wait"]
    uid: bytes = b""
    seconds: float = 0
    name: str | None = None
    reader: str = ""


def parse_line(text: str, is_known: IsKnown = lambda uid: False) -> ChipLine | None:
    """Parse a line; None if it says nothing: empty, a remark, or only punctuation.

    ``is_known`` tells whether a chip has been learned. Raises ``NotUnderstood``.
    """
    line = text[: LONGEST + 1].replace("\0", "").strip("\ufeff\ufffd \t\r\n\v\f")
    if line.startswith("#") or not any(sign.isalnum() for sign in line):
        return None
    if len(line) > LONGEST:
        raise NotUnderstood(shorten(text))
    rest, reader = line, ""
    if (match := _READER.search(line)) is not None:
        rest, reader = line[: match.start()].rstrip(), match[1]
    try:
        result = _parse_step(rest, is_known) if rest else None
    except NotUnderstood:
        raise NotUnderstood(shorten(line)) from None
    return result and result._replace(reader=reader)


def shorten(text: str) -> str:
    """The beginning of a text from outside, fit to be shown."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:60].strip())
    return f"{shown}…" if len(text.strip()) > 60 else shown


def is_made(uid: bytes) -> bool:
    """Whether this id was made of a text."""
    return len(uid) == 10 and uid.startswith(MADE)


def _parse_step(line: str, is_known: IsKnown) -> ChipLine:
    if _NAME.fullmatch(line):
        return ChipLine("tap", _make(line), name=line)
    word, _, rest = line.partition(" ")
    match word:
        case "lift" if not rest:
            return ChipLine("lift")
        case "wait":
            if not _SECONDS.fullmatch(rest.strip()) or float(rest) > LONGEST_WAIT:
                raise NotUnderstood(line)
            return ChipLine("wait", seconds=float(rest))
        case "hold":
            step = _parse_chip(rest.strip(), is_known)
            return step if step.what == "lift" else step._replace(what="hold")
    return _parse_chip(line, is_known)


def _parse_chip(text: str, is_known: IsKnown) -> ChipLine:
    """The chip that a text names, or whose going it tells."""
    if text.startswith(("{", "[")) or _PAIR.search(text):
        return _parse_json(text, is_known)
    text = text.strip("\"' ")
    if not text or re.sub(r"\W|_", "", text.lower()) in _ABSENT:
        return ChipLine("lift")
    if (going := _GOING.fullmatch(text)) is not None:
        return ChipLine("lift", _find_id(going["before"] or going["after"] or "", is_known) or b"")
    if (uid := _find_id(text, is_known)) is not None:
        return ChipLine("tap", uid)
    if (match := _AFTER_UID.search(text)) is not None:
        return _parse_chip(match[1], is_known)
    raise NotUnderstood(text)


def _parse_json(text: str, is_known: IsKnown) -> ChipLine:
    """The chip in a JSON object: the id below the best of its keys, at any depth."""
    pairs = list(_list_pairs(text))
    is_going = any(_tells_going(key, value) for key, value in pairs)
    for names in _KEYS:
        for key, value in pairs:
            if key not in names or (key == "id" and isinstance(value, bool)):
                continue
            try:
                step = _parse_value(value, is_known)
            except NotUnderstood:
                continue
            return ChipLine("lift", step.uid) if is_going else step
    if is_going:
        return ChipLine("lift")
    raise NotUnderstood(text)


def _list_pairs(text: str) -> Iterator[tuple[str, Any]]:
    """Every key and its value, keys in small letters and digits alone."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError):  # damaged: what can still be found in it
        waiting = [{key: json.loads(value)} for key, value in _PAIR.findall(text)]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, dict):
            for key, inner in value.items():
                yield re.sub(r"[^a-z0-9]", "", key.lower()), inner
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def _tells_going(key: str, value: Any) -> bool:
    """Whether that pair says that the chip has gone: `"method": "tokens.removed"`, `"present":
    false`."""
    if isinstance(value, str) and key in _STATES:
        return not _GOING_WORDS.isdisjoint(re.split(r"[^a-z]+", value.lower()))
    if key in _GOING_WORDS:
        return value not in (False, None)
    return key in ("present", "detected") and value is False


def _parse_value(value: Any, is_known: IsKnown) -> ChipLine:
    if value is None or value is False:
        return ChipLine("lift")
    if isinstance(value, list) and all(type(one) is int and 0 <= one < 256 for one in value):
        value = bytes(value).hex()
    if type(value) not in (str, int) or str(value).startswith(("{", "[")):
        raise NotUnderstood("")
    return _parse_chip(str(value).strip(), is_known)


def _find_id(text: str, is_known: IsKnown) -> bytes | None:
    """The id that the text is. A chip learned from the same text by an earlier version keeps its
    id of then."""
    digits = _SEPARATORS.sub("", text)
    if _HEX.fullmatch(digits) and len(digits) in {2 * length for length in LENGTHS}:
        return bytes.fromhex(digits)
    if not digits.isascii() or not digits.isalnum() or not 4 <= len(digits) <= 64:
        return None
    learned = next((uid for uid in _list_learned(digits) if is_known(uid)), None)
    if learned is not None:
        return learned
    if text.isdecimal() and 5 <= len(text) <= 10 and int(text) < 1 << 32:
        return int(text).to_bytes(4, "big")
    is_word = _WORD.fullmatch(text) or _BYTES.fullmatch(text)
    return _make(digits) if is_word and any(sign.isdecimal() for sign in digits) else None


def _list_learned(digits: str) -> Iterator[bytes]:
    """The ids that earlier versions gave to the same text on one of their roads."""
    yield _make(digits)
    if digits.isdecimal() and 5 <= len(digits) <= 10 and int(digits) < 1 << 32:
        yield int(digits).to_bytes(4, "big")
    hexadecimal = "".join(sign for sign in digits if _HEX.fullmatch(sign))
    if 4 <= len(hexadecimal) <= 18:  # a reader that types
        yield MADE + bytes.fromhex(hexadecimal.zfill(18))


def _make(text: str) -> bytes:
    return MADE + hashlib.sha256(text.lower().encode()).digest()[:9]
