"""What each kind of message holds, and what of it is refused. A table without a field of a newer
companion is understood; an unknown field is not."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from common.clean import read_moment

LONGEST_TEXT = 200
"""The most characters of a text that is shown; a record is not."""

MOST_TOLD = 12
"""Sentences about the last move."""

Id = Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,48}\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
GameName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{1,64}\Z")]
PlayerId = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}\Z")]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Uuid = Annotated[str, Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")]
Small = Annotated[int, Meta(ge=-999, le=9999)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
Birth = Annotated[int, Meta(ge=1, le=10**9)]
Word = Annotated[str, Meta(max_length=48)]
Ids = Annotated[list[Id], Meta(max_length=64)]
Names = Annotated[list[Name], Meta(max_length=8)]
V1 = Literal[1]


class _Kind(Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class _Timed(_Kind):
    at: Annotated[str, Meta(max_length=40)]

    def __post_init__(self) -> None:
        if read_moment(self.at) is None:
            raise ValueError("not a time")


class Status(_Kind):
    """Whether the table is there, in Homie's words; `birth` counts its connections."""

    state: Literal["init", "ready", "sleeping", "disconnected", "lost", "alert"]
    birth: Birth


class TableMeta(_Kind):
    """What does not change during a game."""

    v: V1
    name: Name
    edition: Id
    seats: Names
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,8}\Z")]
    version: Annotated[str, Meta(max_length=40)]


class Told(_Kind):
    """What happened: the verb or the kind of event, and the English sentence about it with what is
    filled in, which the wall checks when it says it."""

    id: Id
    fields: Annotated[dict[str, Any], Meta(max_length=13)] = {}


class Turn(_Kind):
    player: Name = ""
    character: Id | None = None
    gathered: Word | bool | None = None
    income: Word | bool | int | None = None
    built: Annotated[list[Id | None], Meta(max_length=64)] = []


class Awaiting(_Kind):
    player: Name
    question: Id


class Seat(_Kind):
    gold: Small
    city: Ids
    hand: Annotated[int, Meta(ge=0, le=999)] | None = None
    decorated: Ids = []
    under_museum: Small = 0
    complete: bool = False
    revealed: Ids = []


class Points(_Kind):
    total: Small
    districts: Small = 0
    five_types: Small = 0
    complete: Small = 0
    unique: Annotated[dict[Id, Small], Meta(max_length=64)] = {}
    notes: Annotated[list[Text], Meta(max_length=16)] = []


class Score(_Kind):
    """What `companion score --json` prints."""

    edition: Id
    final: bool
    winners: Names
    tie_break: Name | bool | None
    ranking: Names
    players: Annotated[dict[Name, Points], Meta(min_length=2, max_length=8)]


class View(_Kind):
    """What `companion replay --json` prints for everybody, without `legal` and `refused`."""

    edition: Id
    round: Small
    phase: Id
    crown: Name
    called: Annotated[int, Meta(ge=1, le=9)] | None
    awaiting: Awaiting | None
    players: Annotated[dict[Name, Seat], Meta(min_length=2, max_length=8)]
    faceup: Ids
    city_size: Annotated[int, Meta(ge=1, le=64)]
    score: Score | None
    turn: Turn | None = None
    killed: Id | None = None
    robbed: Id | None = None
    bewitched: Id | None = None
    warrants: Ids = []
    threats: Ids = []
    tax: Small = 0
    first_complete: Names = []
    chosen: Annotated[dict[str, None], Meta(max_length=0)] = {}
    signed: None = None
    real: None = None


class State(_Timed):
    """The whole table as everybody sees it; `seq` counts the rows of its log."""

    v: V1
    game: GameName
    seq: Count
    birth: Birth
    state: View
    told: Annotated[list[Told], Meta(max_length=MOST_TOLD)] = []


class GameResult(_Timed):
    """A finished game: its UUID, its scores, its record with the hash of it, how long it was played
    without long pauses, and each player's id in the club, None if the table knows none."""

    v: V1
    game: GameName
    hash: Hash
    score: Score
    players: Annotated[dict[Name, PlayerId | None], Meta(min_length=2, max_length=8)]
    record: Annotated[str, Meta(max_length=32768)]
    uuid: Uuid = ""  # tables of before have none
    minutes: Annotated[int, Meta(ge=0, le=9999)] = 0


class Call(_Timed):
    """“Judge, please”, with a sentence."""

    v: V1
    text: Text


class Seen(_Kind):
    """The result that the hub has taken from a table last: the table may forget it."""

    hash: Hash
    game: GameName = ""


class Players(_Kind):
    """The club's list: the name of each id."""

    v: V1
    players: Annotated[dict[PlayerId, Name], Meta(max_length=1400)]


KINDS: dict[str, type[Struct]] = {
    "status": Status,
    "meta": TableMeta,
    "state": State,
    "result": GameResult,
    "call": Call,
    "seen": Seen,
    "players": Players,
}
