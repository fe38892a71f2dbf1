"""The open door: a line of text, from any program, as a tap.

One function reads what comes from a file, a pipe, standard input, a reader that types, a phone or
`POST /api/taps`. It takes an id however it is written, knows the notes by which programs say that a
chip has gone, and refuses the rest.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
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
_PLAIN = str.maketrans({**dict.fromkeys("\0\1\2\3\4"), **dict.fromkeys("‐‑‒–—−", "-")})
"""Serial readers put STX and ETX around an id, and writing programs make dashes of a minus."""

_FRAME = "\"'`<>[](){}|;,.!?%/\\ \t"
_HEX_MARK = re.compile(r"\b0[xX](?=[0-9A-Fa-f])")
_SEPARATORS = re.compile(r"[\s:.-]+")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_WORD = re.compile(r"[A-Za-z0-9:.-]{4,64}|[0-9]{1,5},[0-9]{1,5}")
_BYTES = re.compile(r"[0-9A-Fa-f]{1,3}(?:\s+[0-9A-Fa-f]{1,3})+")
_APART = re.compile(r"[0-9A-Fa-f]{1,2}(?:[^0-9A-Za-z]+[0-9A-Fa-f]{1,2}){3,9}")
_BYTE = re.compile(r"(?:0[xX])?[0-9A-Fa-f]{1,2}")
_DECIMALS = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:, *(?:0|[1-9][0-9]{0,2})){3,9}")
_ALONE = re.compile(
    r"(?<![0-9A-Za-z])(?<!\b[0-9A-Fa-f]{2}[:. -])(?!20\d{12}\b)[0-9A-Fa-f]{2}([:. -]?)"
    r"(?:[0-9A-Fa-f]{2}\1){5}(?:(?:[0-9A-Fa-f]{2}\1){3})?[0-9A-Fa-f]{2}(?:[hH]\b)?"
    r"(?![0-9A-Za-z])(?![:. -][0-9A-Fa-f]{2}\b)"
)
"""An id of 7 or 10 bytes: a date or a count is shorter, or begins with the century."""

_BESIDE = re.compile(
    r"(?:n?uid|nfcid\d?|csn|epc|hex|sak|atqa|ats|ntag_?\d*x?|mifare|ultralight(?:_?ev1)?|ev1|nxp|nfc"
    r"|tag|type|iso(?:dep)?|iec|t?\d{1,4}z?|\b[0-9a-f]{1,2}\b|[abf]\b)*+",
    re.IGNORECASE,
)
"""Words that stand beside an id and say nothing of its going or of an error, and parts of dates."""

_TOPIC = re.compile(r"(?=\S*[g-zG-Z])([^\s{\"':]*/[^\s{\"':]*)\s+(.+)")
"""The topic before a message, as `mosquitto_sub -v` prints it."""

_COLUMN = re.compile(
    r"([0-9A-Fa-f]{8}|[0-9A-Fa-f]{14}|[0-9A-Fa-f]{20}|[0-9]{10})(?:[;,\t].*| \d{3},\d{5})"
)
_THING = r"(?:tag|card|chip|token|nfc|rfid|picc|fob|badge)"
_NUMBER = r"(?:n?uid|id|no|nr|num|number|code|serial)"
_MOST_LABELS = 8
_AFTER_UID = re.compile(r"\bn?uid\b[^=:]{0,16}[=:](.*)", re.IGNORECASE)
_AFTER_LABEL = re.compile(
    rf"\b(?:{_THING}[ _-]?{_NUMBER}?|{_NUMBER})\b(?:\s*[=:]|\s)(?=\s*(\S.{{0,79}}))", re.IGNORECASE
)
_LINK = re.compile(r"https?://\S+/t/([0-9A-Fa-f]+)(?:\?\S*)?", re.IGNORECASE)

_GONE = (
    *("removed", "remove", "gone", "left", "leave", "lost", "absent", "released", "departed"),
    *("exit", "exited", "detached", "disappeared", "lifted", "off", "offline", "none"),
)
"""The words by which programs say that a chip has gone."""

_GOING = re.compile(
    rf"(?P<before>.*?)[\s:;,]+(?:{'|'.join(_GONE)})"
    rf"|(?:-|not\b|(?:\w+[ _])?(?:{'|'.join(_GONE)})\b)[\s:=]*(?P<after>.*)",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"none|null|nil|nan?|false|off|offline|unavailable|unknown|undefined|empty|nothing|missing"
    r"|idle|cleared?|away|no|lift|[0x]*0[0x]*|no(?:tag|card|chip|token|uid|nfc|rfid)[a-z]*"
)
"""What programs send instead of an id when no chip is there, in letters and digits alone."""

_GOING_KEYS = frozenset(("removed", "gone", "lost", "absent", "departed", "lifted"))
_PRESENT = re.compile(r"(?:is|tag|card|chip)?(?:present|detected|inserted|onreader|on)")
_STATE = re.compile(r"(?:event|type|action|state|status|method|kind|cmd|command|topic)+(?:name)?")
_NO = (False, "false", "no", "off", "0")  # and 0
_KEYS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_THING}?n?uid(?:hex)?|nfcid1?",
        rf"{_THING}(?:{_NUMBER}|serialnumber)|rfid(?:id)?|idtag",
        rf"{_THING}s?|uids",
        r"serialnumber|serial|csn|identifier",
        r"id|payload",
    )
)
"""The keys of an id in a JSON object, in small letters and digits alone; the first that is there
counts. Below the last ones there is often something else."""

_PAIR = re.compile(
    r"""["']?(?<![\w])([A-Za-z_][\w -]{0,39})["']?\s*:\s*"""
    r"""("[^"\\]{0,100}"|'[^'\\]{0,100}'|-?[0-9]{1,20}\b|null|true|false|None|True|False"""
    r"""|\[[0-9,\s]{0,60}\])"""
)
"""A key and its plain value in JSON that is damaged elsewhere, or in what Python prints."""

_FROM_PYTHON = {"None": "null", "True": "true", "False": "false"}

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
    line = _clean(text)
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


def parse_typed(line: str) -> ChipLine | None:
    """The tap in a line of standard input that may as well be typed for the game: an id alone or in
    JSON, ``hold``, ``lift`` or ``wait``. None for anything else."""
    try:
        step = parse_line(line)
    except NotUnderstood:
        return None
    if step is None or step.name is not None or step.reader or is_made(step.uid):
        return None
    is_word = step.what != "lift" or line.strip() == "lift"
    return step if is_word else None


def shorten(text: str) -> str:
    """The beginning of a text from outside, fit to be shown."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:60].strip())
    return f"{shown}…" if len(text.strip()) > 60 else shown


def is_made(uid: bytes) -> bool:
    """Whether this id was made of a text."""
    return len(uid) == 10 and uid.startswith(MADE)


def _clean(text: str) -> str:
    """The text without what stands around a line, and with digits of full width as plain ones."""
    line = text[: LONGEST + 1].translate(_PLAIN).strip("\ufeff\ufffd \t\r\n\v\f")
    if line.isascii():
        return line
    seen = (sign for sign in line if unicodedata.category(sign) != "Cf")  # marks of direction
    return unicodedata.normalize("NFKC", "".join(seen))


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
    if (topic := _TOPIC.fullmatch(text)) is not None:
        step = _parse_message(topic[2], is_known)
        is_going = _has_gone(topic[1].rpartition("/")[2]) and not topic[1].endswith("left")
        return ChipLine("lift", step.uid) if is_going else step
    return _parse_message(text, is_known)


def _parse_message(text: str, is_known: IsKnown) -> ChipLine:
    if (data := _load(text)) is not None:
        return _parse_data(data, is_known)
    with suppress(NotUnderstood):
        return _parse_word(text, is_known, is_sure=False)
    if (after := _AFTER_UID.search(text)) is not None:
        for value in (after[1], re.split(r"[\t,;&|]", after[1])[0]):
            with suppress(NotUnderstood):
                return _parse_word(value, is_known)
    for label in islice(_AFTER_LABEL.finditer(text), _MOST_LABELS):
        if (uid := _find_id(label[1].strip(_FRAME), is_known, is_sure=False)) is not None:
            return ChipLine("tap", uid)
    if (alone := _find_alone(text)) and not _find_learned(_SEPARATORS.sub("", text), is_known):
        return _parse_word(alone, is_known)
    return _parse_word(text, is_known)


def _find_alone(text: str) -> str | None:
    """The digits of the only long id in a text that otherwise names a chip's kind, a label or a
    time."""
    found = {_SEPARATORS.sub("", match[0].rstrip("hH")).upper() for match in _ALONE.finditer(text)}
    words = re.findall(r"\w+", _ALONE.sub(" ", text))
    if len(found) != 1 or words == ["0"]:  # 0 beside it may say that no chip is there
        return None
    return found.pop() if all(map(_BESIDE.fullmatch, words)) else None


def _parse_word(text: str, is_known: IsKnown, *, is_sure: bool = True) -> ChipLine:
    """The chip whose id the text is; unless `is_sure`, only one that cannot be an ordinary word."""
    text = text.strip().removeprefix("b'").strip(_FRAME)
    if not text or _ABSENT.fullmatch(re.sub(r"[\W_]", "", text.lower())):
        return ChipLine("lift")
    if (going := _GOING.fullmatch(text)) is not None:
        words = (going["before"] or going["after"] or "").split()
        found = [_find_id(word.strip(_FRAME), is_known) for word in (" ".join(words), *words[-1:])]
        return ChipLine("lift", next(filter(None, found), b""))
    if (part := _LINK.fullmatch(text) or _COLUMN.fullmatch(text)) is not None:
        text = part[1]
    if (uid := _find_id(text, is_known, is_sure=is_sure)) is None:
        raise NotUnderstood(text)
    return ChipLine("tap", uid)


def _load(text: str) -> Any:
    """The object or list in JSON that the text is, or what can still be found of a damaged one;
    None if there is none."""
    if text.startswith(("{", "[")):
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    if "{" not in text and '"' not in text:
        return None
    return [{key: _load_value(value)} for key, value in _PAIR.findall(text)] or None


def _load_value(value: str) -> Any:
    """The plain value, or its text if it is not quite JSON, such as 08."""
    try:
        return json.loads(_FROM_PYTHON.get(value, value.replace("'", '"')))
    except ValueError:
        return value


def _parse_data(data: Any, is_known: IsKnown) -> ChipLine:
    """The chip in JSON: the id below the best of its keys, at any depth, or an id alone."""
    with suppress(NotUnderstood):
        return _parse_value(data, is_known)
    pairs = list(_list_pairs(data))
    is_going = any(_tells_going(key, value) for key, value in pairs)
    is_answer = any(key == "jsonrpc" for key, _value in pairs)  # where `id` is the question's
    for pattern in _KEYS:
        is_sure = pattern is not _KEYS[-1]
        for key, value in pairs:
            if not pattern.fullmatch(key) or (not is_sure and (is_answer or value is False)):
                continue
            try:
                step = _parse_value(value, is_known, is_sure=is_sure)
            except NotUnderstood:
                continue
            return ChipLine("lift", step.uid) if is_going else step
    if is_going:
        return ChipLine("lift")
    raise NotUnderstood("")


def _list_pairs(data: Any) -> Iterator[tuple[str, Any]]:
    """Every key and its value, keys in small letters and digits alone."""
    waiting = [data]
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
    is_no = (value.lower() if isinstance(value, str) else value) in _NO
    if key in _GOING_KEYS:
        return value is not None and not is_no
    if _PRESENT.fullmatch(key) or (key == "state" and value is False):
        return is_no
    return isinstance(value, str) and bool(_STATE.fullmatch(key)) and _has_gone(value)


def _has_gone(text: str) -> bool:
    """Whether one of the text's words says so: `tag_removed`, `cardRemoved`."""
    words = re.findall(r"[A-Z]*[a-z]+|[A-Z]+", re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])", " ", text))
    return not {word.lower() for word in words}.isdisjoint(_GONE)


def _parse_value(value: Any, is_known: IsKnown, *, is_sure: bool = True) -> ChipLine:
    if isinstance(value, dict) and value.get("type") == "Buffer":  # as Node.js writes bytes
        value = value.get("data")
    elif isinstance(value, dict) and [*value] == [str(place) for place in range(len(value))]:
        value = [*value.values()]  # as browsers write them
    if value is None or value is False:
        return ChipLine("lift")
    if isinstance(value, list):
        if all(type(one) is int and -128 <= one < 256 for one in value):
            value = bytes(one % 256 for one in value).hex()  # Java's bytes have a sign
        elif len(value) == 1:
            (value,) = value
        elif len(value) in LENGTHS and all(map(_BYTE.fullmatch, map(str, value))):
            value = " ".join(map(str, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) not in (str, int):
        raise NotUnderstood("")
    text = _clean(str(value))
    if _NAME.fullmatch(text):
        return ChipLine("tap", _make(text), name=text)
    return _parse_chip(text, is_known) if is_sure else _parse_word(text, is_known, is_sure=False)


def _find_id(text: str, is_known: IsKnown, *, is_sure: bool = True) -> bytes | None:
    """The id that the text is; unless `is_sure`, only of hexadecimal digits. A chip learned from
    the same text by an earlier version keeps its id of then."""
    sizes = {2 * length for length in LENGTHS}
    digits = _SEPARATORS.sub("", text)
    is_hex = bool(_HEX.fullmatch(digits)) and len(digits) in sizes
    if not is_hex and (learned := _find_learned(digits, is_known)) is not None:
        return learned
    text = _HEX_MARK.sub("", text)
    digits = _SEPARATORS.sub("", text)
    if _HEX.fullmatch(digits) and len(digits) in sizes:
        return bytes.fromhex(digits)
    if (apart := _find_bytes(text)) is not None:
        return apart
    if text.isdecimal() and 5 <= len(text) <= 10 and int(text) < 1 << 32:
        return int(text).to_bytes(4, "big")
    if not is_sure and not (_HEX.fullmatch(digits) and len(digits) >= 6):
        return None
    is_word = 4 <= len(digits) <= 64 and (_WORD.fullmatch(text) or _BYTES.fullmatch(text))
    return _make(digits) if is_word and any(sign.isdecimal() for sign in digits) else None


def _find_bytes(text: str) -> bytes | None:
    """The id whose bytes are apart, in decimals between commas or else hexadecimal: `136,4,110,81`,
    `['0x4', '0xa2', '0xb3', '0xc4']`."""
    signs = re.findall(r"[0-9A-Fa-f]+", text)
    if len(signs) not in LENGTHS:
        return None
    if _DECIMALS.fullmatch(text) and all(int(sign) < 256 for sign in signs):
        return bytes(map(int, signs))
    return bytes(int(sign, 16) for sign in signs) if _APART.fullmatch(text) else None


def _find_learned(digits: str, is_known: IsKnown) -> bytes | None:
    """The chip learned from that text."""
    if not digits.isascii() or not digits.isalnum() or not 4 <= len(digits) <= 64:
        return None
    return next((uid for uid in _list_learned(digits) if is_known(uid)), None)


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
