"""The messages between tables and hub: their topics, and how each is made and read.

What does not fit its kind (`message_kinds`) is refused as a whole. A message comes from a stranger:
`read` bounds and cleans it.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from common import strict_json
from common.clean import clean_text
from common.sentences import Sentence
from companion.extensions.club.address import CLUB_NAME
from companion.extensions.club.message_kinds import KINDS, LONGEST_TEXT, MOST_TOLD
from engine import views
from engine.words import Amount, Listing, Name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.extending import Seen


ROOT = "citadels/v1"
LARGEST = 64 * 1024
"""The most bytes in a message; more is refused unread."""

MOST_DEEP = 12

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
    try:
        msgspec.convert(data, KINDS[kind])
        copy: dict[str, Any] = _clean(data)
    except (msgspec.ValidationError, ValueError) as error:  # one and the same in later ones
        raise MessageProblem(clean_text(f"{kind}: {error}", limit=LONGEST_TEXT)) from None
    if kind == "result" and find_hash(data["record"]) != data["hash"]:
        raise MessageProblem("result: the hash is not that of the record")
    return copy


def _clean(data: Any, depth: int = 0) -> Any:
    """The data with every text cleaned but the record. Raises ValueError if it is too deep."""
    if depth > MOST_DEEP:
        raise ValueError("too deep")
    if isinstance(data, str):
        is_plain = data.isascii() and data.isprintable()
        return data if is_plain else clean_text(data, limit=LONGEST_TEXT)
    if isinstance(data, list):
        return [_clean(one, depth + 1) for one in data]
    if isinstance(data, dict):
        return {
            _clean(key): value if key == "record" else _clean(value, depth + 1)
            for key, value in data.items()
        }
    return data
