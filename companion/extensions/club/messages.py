"""The messages between tables and hub: their topics, their schema, and how each is made and read.

`schema.json` is the schema, part of the documents: what does not fit it is refused as a whole. A
message comes from a stranger: `read` bounds and cleans it.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple

from common import strict_json
from common.clean import clean_text, read_moment
from common.sentences import Sentence
from companion.extensions.club.address import CLUB_NAME
from engine import views
from engine.words import Amount, Listing, Name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.extending import Seen


ROOT = "citadels/v1"
LARGEST = 64 * 1024
"""The most bytes in a message; more is refused unread."""

MOST_DEEP = 12
MOST_TOLD = 12
"""Sentences about the last move."""

LONGEST_TEXT = 200
"""The most characters of a text that is shown; a record is not."""

READY, INIT, LOST, DISCONNECTED, ALERT = "ready", "init", "lost", "disconnected", "alert"

NOT_TABLES = ("hub", "wall")
"""Names at the broker that no table can have."""

FROM_TABLE = ("status", "meta", "state", "call", "result")
"""The kinds of messages that a table may send; a result names its game too."""


class MessageProblem(ValueError):
    """A message that is not one of ours: what is wrong with it, for the hub's log."""


class Topic(NamedTuple):
    """A topic below `ROOT`: `CLUB/TABLE/KIND`, or `CLUB/TABLE/result/GAME`."""

    club: str
    table: str
    kind: str
    game: str = ""

    @property
    def text(self) -> str:
        """The whole topic."""
        return "/".join(filter(None, (ROOT, self.club, self.table, self.kind, self.game)))


def read_topic(text: str) -> Topic | None:
    """The topic of a table's message; None for any other."""
    club, table, kind, *game = text.removeprefix(f"{ROOT}/").split("/", 3) + [""] * 2
    if not text.startswith(f"{ROOT}/") or kind not in FROM_TABLE or table in NOT_TABLES:
        return None
    if not (CLUB_NAME.fullmatch(club) and CLUB_NAME.fullmatch(table)):
        return None
    if (kind == "result") != bool(re.fullmatch(r"[A-Za-z0-9._-]{1,64}", game[0])):
        return None
    return Topic(club, table, kind, game[0])


def name_hub(club: str, *levels: str) -> str:
    """A topic of the hub's own: `players`, `draw`, `standings`, or `seen` and a table."""
    return "/".join((ROOT, club, "hub", *levels))


# -- making --------------------------------------------------------------------------------------


def write(message: Mapping[str, Any]) -> bytes:
    """The message as it is sent: compact, in ASCII."""
    return json.dumps(message, separators=(",", ":")).encode()


def tell_time(now: datetime | None = None) -> str:
    """A moment (default: now) as messages have it. It is shown, never compared."""
    return (now or datetime.now(UTC)).isoformat(timespec="seconds")


def make_state(seen: Seen, birth: int) -> dict[str, Any]:
    """What everybody at the table sees; `birth` is the number of the connection. The sentences are
    told as their English originals and fields, so that the wall says them in its own language."""
    told = [{"id": one.about, "fields": _write_sentence(one.text)} for one in seen.told[:MOST_TOLD]]
    return {
        "v": 1,
        "game": seen.game,
        "seq": seen.number,
        "birth": birth,
        "at": tell_time(),
        "told": told,
        "state": views.state_json(seen.table),
    }


def _write_sentence(text: Sentence) -> dict[str, Any]:
    names = sorted(list_fields(text.template))
    return {
        "sentence": text.template,
        **{name: _write_field(text.fields[name]) for name in names},
    }


def list_fields(template: str) -> set[str]:
    """The names of a sentence's fields."""
    return {name for _text, name, _spec, _how in Formatter().parse(template) if name}


def _write_field(value: object) -> Any:
    match value:
        case Sentence():
            return _write_sentence(value)
        case Name():
            return {"kind": value.key[0], "name": value.key[1]}
        case Amount():
            return {"noun": value.noun, "number": value.number}
        case Listing():
            return {
                "list": [_write_field(one) for one in value.members],
                "joined": value.conjunction,
            }
        case int():
            return value
        case _:
            return str(value)


def find_hash(record: str) -> str:
    """The hash by which a result is known: that of its record."""
    return hashlib.sha256(record.encode(errors="replace")).hexdigest()


# -- reading -------------------------------------------------------------------------------------


def read(kind: str, payload: bytes) -> dict[str, Any]:
    """The message of that kind, with every text cleaned. Raises MessageProblem."""
    if len(payload) > LARGEST:
        raise MessageProblem(f"{kind}: {len(payload)} bytes")
    try:
        data = strict_json.parse(payload)
    except ValueError:
        raise MessageProblem(f"{kind}: not JSON") from None
    problem = next(check(data, {"$ref": f"#/$defs/{kind}"}, kind), None)
    if problem is not None:
        raise MessageProblem(problem)
    copy: dict[str, Any] = _clean(data)
    if kind == "result" and find_hash(data["record"]) != data["hash"]:
        raise MessageProblem("result: the hash is not that of the record")
    return copy


def _clean(data: Any) -> Any:
    if isinstance(data, str):
        is_plain = data.isascii() and data.isprintable()
        return data if is_plain else clean_text(data, limit=LONGEST_TEXT)
    if isinstance(data, list):
        return [_clean(one) for one in data]
    if isinstance(data, dict):
        return {
            _clean(key): value if key == "record" else _clean(value) for key, value in data.items()
        }
    return data


@cache
def schema() -> dict[str, Any]:
    """The schema of all messages, by kind under `$defs`."""
    definitions: dict[str, Any] = json.loads(
        Path(__file__).with_name("schema.json").read_text("utf-8")
    )
    return definitions


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def check(data: Any, rule: Mapping[str, Any], place: str = "", depth: int = 0) -> Iterator[str]:
    """What in the data does not fit the rule; of JSON Schema it knows what `schema.json` uses."""
    while "$ref" in rule:
        rule = schema()["$defs"][rule["$ref"].rpartition("/")[2]]
    if depth > MOST_DEEP:
        yield f"{place}: too deep"
        return
    if "anyOf" in rule:
        if not any(next(check(data, one, place, depth), None) is None for one in rule["anyOf"]):
            yield f"{place}: fits nothing"
        return
    if "const" in rule and (data != rule["const"] or type(data) is not type(rule["const"])):
        yield f"{place}: not {rule['const']}"
    if "enum" in rule and data not in rule["enum"]:
        yield f"{place}: not one of {', '.join(rule['enum'])}"
    if "type" in rule and not _has_type(data, rule["type"]):
        yield f"{place}: not of type {rule['type']}"
        return
    if isinstance(data, str):
        yield from _check_text(data, rule, place)
    elif isinstance(data, list):
        if len(data) > rule.get("maxItems", 0):
            yield f"{place}: {len(data)} items"
            return
        for at, one in enumerate(data):
            yield from check(one, rule["items"], f"{place}[{at}]", depth + 1)
    elif isinstance(data, dict):
        yield from _check_object(data, rule, place, depth)
    elif isinstance(data, int) and not isinstance(data, bool) and not _is_within(data, rule):
        yield f"{place}: out of range"


def _is_within(number: int, rule: Mapping[str, Any]) -> bool:
    return bool(rule.get("minimum", number) <= number <= rule.get("maximum", number))


def _has_type(data: Any, allowed: str | list[str]) -> bool:
    types = [allowed] if isinstance(allowed, str) else allowed
    return any(
        isinstance(data, _TYPES[name]) and (name != "integer" or not isinstance(data, bool))
        for name in types
    )


def _check_text(text: str, rule: Mapping[str, Any], place: str) -> Iterator[str]:
    if not rule.get("minLength", 0) <= len(text) <= rule.get("maxLength", LONGEST_TEXT):
        yield f"{place}: {len(text)} characters"
    elif "pattern" in rule and not re.fullmatch(rule["pattern"], text):
        yield f"{place}: has another form"
    elif rule.get("format") == "date-time" and read_moment(text) is None:
        yield f"{place}: not a time"


def _check_object(
    data: dict[str, Any], rule: Mapping[str, Any], place: str, depth: int
) -> Iterator[str]:
    properties, others = rule.get("properties", {}), rule.get("additionalProperties", False)
    if missing := [name for name in rule.get("required", ()) if name not in data]:
        yield f"{place}: without {', '.join(missing)}"
    if not rule.get("minProperties", 0) <= len(data) <= rule.get("maxProperties", len(properties)):
        yield f"{place}: {len(data)} entries"
        return
    for name, value in data.items():
        if name in properties:
            yield from check(value, properties[name], f"{place}.{name}", depth + 1)
        elif not others:
            yield f"{place}: unknown {name[:40]!r}"
        else:
            yield from check(name, rule.get("propertyNames", {}), f"{place}: a name", depth + 1)
            yield from check(value, others, f"{place}.{name[:40]}", depth + 1)
