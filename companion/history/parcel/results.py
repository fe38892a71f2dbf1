"""Plays of which only the result is known: from a CSV table, or from the JSON export of BG Stats.

A CSV has a header and a row for each player of each play. It needs the columns `started`, `player`
and `total`; `game` tells plays of one day apart, `edition`, `minutes`, `rounds` and `place` may be
there, others are ignored. So the table of `companion history --csv` can be read; its games without
an end are left out. A time without a zone is local.

BG Stats exports all plays of all games; those of this game are found by its numbers on
BoardGameGeek. Its format is not documented; fields as its exports of 2019 to 2025 have them.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from common import NamedTuple, own_files
from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.files.clean import clean_text
from companion.files.locations import cannot_be_read
from companion.history.parcel import ParcelError, UnusableFile
from engine.editions import Edition, editions
from engine.moves import fold
from engine.record import DEFAULT_EDITION, MAX_NAME_LENGTH, RESERVED_NAMES

LARGEST = 64_000_000
"""Bytes; larger tables and exports of BG Stats are rejected."""

MOST_POINTS = 999
"""The highest score that is believed."""

MOST_MINUTES = 10_000
"""The longest play that is believed."""

_NEEDED = ("started", "player", "total")


class PlayResult(NamedTuple):
    """A play's result, with seats in the order of the file."""

    id: str
    """The same whenever the play is imported."""

    started: datetime
    minutes: int
    edition: str
    rounds: int
    players: tuple[str, ...]
    first: int
    """The seat that began."""

    totals: tuple[int, ...]
    places: tuple[int, ...]
    counts: bool


class _Wrong(Exception):
    """What is wrong with a value."""

    def __init__(self, problem: Sentence) -> None:
        super().__init__(str(problem))
        self.problem = problem


class _Problems:
    """Everything that is wrong with a file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.lines: list[Sentence] = []

    def add(self, place: object, problem: Sentence) -> None:
        self.lines.append(locate(f"{self._path}:{place}", problem))

    def check(self) -> None:
        """Raise ParcelError if there are any."""
        if self.lines:
            raise ParcelError(*self.lines[:20], Sentence("Nothing was imported."))


def _read(path: str) -> str:
    try:
        return own_files.read(path, LARGEST).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise UnusableFile(cannot_be_read(path, error)) from None


def read_table(path: str) -> list[PlayResult]:
    """The plays of a CSV. Raises ParcelError with everything that is wrong, and UnusableFile."""
    text = _read(path)
    head = text.partition("\n")[0]
    lines = io.StringIO(text, newline=None)
    reader = csv.DictReader(lines, delimiter=max(",;\t", key=head.count))
    problems = _Problems(path)
    try:
        columns = reader.fieldnames or ()
        rows = [(reader.line_num, row) for row in reader if row.get("ended") != ""]
    except csv.Error as error:
        columns, rows = _NEEDED, []
        problems.add(reader.line_num, Sentence("this is not CSV: {error}", error=str(error)))
    for name in _NEEDED:
        if name not in columns:
            problems.add(1, Sentence("the column {name} is missing", name=name))
    problems.check()
    plays = groupby(rows, lambda row: (row[1].get("game") or "", row[1]["started"] or ""))
    results = []
    for (game, start_time), group in plays:
        play = list(group)
        try:
            results.append(_read_rows(game, start_time, play, problems))
        except _Wrong as error:
            problems.add(play[0][0], error.problem)
    problems.check()
    return results


def _read_rows(
    game: str, started: str, rows: list[tuple[int, dict[str, str]]], problems: _Problems
) -> PlayResult:
    """The play of these rows, each with its line; a wrong row is noted."""
    players, totals, places = [], [], []
    for line, row in rows:
        try:
            if None in map(row.get, _NEEDED):
                raise _Wrong(Sentence("the row is too short"))
            players.append(_read_name(row["player"].removeprefix("'")))
            totals.append(_read_number(row["total"], MOST_POINTS))
            places.append(_read_number(row.get("place") or "0", len(rows)))
        except _Wrong as error:
            problems.add(line, error.problem)
    if len(players) != len(totals) or len(totals) != len(places):
        return _NOTHING
    first = rows[0][1]
    is_known = 0 not in places
    return _make(
        id_=_identify(game, started, *players, *totals),
        started=_read_moment(started),
        minutes=_read_number(first.get("minutes") or "0", MOST_MINUTES),
        edition=_read_edition(first.get("edition") or DEFAULT_EDITION),
        rounds=_read_number(first.get("rounds") or "0", 99),
        players=players,
        totals=totals,
        places=places if is_known else None,
    )


_NOTHING = PlayResult("", datetime(2000, 1, 1, tzinfo=UTC), 0, "", 0, (), 0, (), (), counts=True)


def _read_edition(word: str) -> str:
    if word not in editions():
        problem = Sentence("there is no edition called “{word}”", word=clean_text(word))
        raise _Wrong(suggest(problem, find_nearest(word, editions())))
    return word


def _read_number(text: str, most: int) -> int:
    if not re.fullmatch(r" *[0-9]{1,6} *", text) or int(text) > most:
        problem = Sentence(
            "“{text}” is not a number from 0 to {most}", text=clean_text(text), most=most
        )
        raise _Wrong(problem)
    return int(text)


def _read_name(name: object) -> str:
    if (
        not isinstance(name, str)
        or clean_text(name) != name
        or not 0 < len(name) <= MAX_NAME_LENGTH
        or fold(name) in RESERVED_NAMES
    ):
        text = clean_text(str(name))
        raise _Wrong(Sentence("“{name}” can't be a player's name", name=text))
    return name


def _read_moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.strip()).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        problem = Sentence(
            "“{text}” is not a day or a time; write it like 2026-11-22", text=clean_text(text)
        )
        raise _Wrong(problem) from None


def _make(
    *,
    id_: str,
    started: datetime,
    minutes: int,
    edition: str,
    rounds: int,
    players: list[str],
    totals: list[int],
    places: list[int] | None,
    first: int = 0,
    counts: bool = True,
) -> PlayResult:
    """The result, checked as a whole. Without places the totals give them."""
    box = editions()[edition]
    if not box.min_players <= len(players) <= box.max_players:
        raise _Wrong(
            Sentence(
                "{edition} is for {least} to {most} players, not for {number}",
                number=len(players),
                edition=edition,
                least=box.min_players,
                most=box.max_players,
            )
        )
    if len({*map(fold, players)}) < len(players):
        raise _Wrong(Sentence("two players have the same name"))
    if places is None:
        places = [1 + sum(other > total for other in totals) for total in totals]
    if 1 not in places:
        raise _Wrong(Sentence("nobody is in the first place"))
    if started > datetime.now(UTC):
        raise _Wrong(Sentence("the play is in the future"))
    seats = tuple(players), first, tuple(totals), tuple(places)
    return PlayResult(id_, started, minutes, edition, rounds, *seats, counts=counts)


def _identify(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def read_bgstats(path: str) -> list[PlayResult]:
    """This game's plays of an export of BG Stats. Raises ParcelError with everything that is wrong,
    and UnusableFile."""
    problems = _Problems(path)
    try:
        export = json.loads(_read(path))
        games = {game["id"]: _list_boxes(game["bggId"]) for game in export["games"]}
        people = {one["id"]: one for one in export["players"]}
        plays = [play for play in export["plays"] if games.get(play["gameRefId"])]
    except (ValueError, TypeError, KeyError, RecursionError):
        problems.add(1, Sentence("this is not an export of BG Stats, or it is damaged"))
        problems.check()
    results = []
    for play in plays:
        try:
            results.append(_read_play(play, games[play["gameRefId"]], people))
        except _Wrong as error:
            problems.add(_name_play(play), error.problem)
        except (ValueError, TypeError, KeyError, AttributeError):
            problems.add(_name_play(play), Sentence("the play is incomplete or damaged"))
    problems.check()
    return results


def _name_play(play: Any) -> str:
    """Where a problem is: the play's date, or its number in the app."""
    date = play.get("playDate") if isinstance(play, dict) else None
    return clean_text(f"plays:{date}")


def _list_boxes(number: Any) -> list[Edition]:
    """The boxes of that number on BoardGameGeek; none of another game's."""
    return [edition for edition in editions().values() if edition.bgg_id == number]


def _read_play(
    play: dict[str, Any], boxes: Sequence[Edition], people: Mapping[Any, Any]
) -> PlayResult:
    scores = sorted(play["playerScores"], key=lambda score: score.get("seatOrder") or 0)
    players = list(_name_players([people[score["playerRefId"]] for score in scores]))
    totals = [_read_score(name, one) for name, one in zip(players, scores, strict=True)]
    winners = [bool(score.get("winner")) for score in scores]
    # Which box it was is not written there: the first that so many can play.
    box = next((one for one in boxes if len(players) <= one.max_players), boxes[-1])
    return _make(
        id_=_identify(str(play["uuid"])),
        started=datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC),
        minutes=_read_number(str(play.get("durationMin") or 0), MOST_MINUTES),
        edition=box.id,
        rounds=_read_number(str(play.get("rounds") or 0), 99),
        players=players,
        totals=totals,
        places=_rank(totals, winners) if any(winners) else None,
        first=next((at for at, one in enumerate(scores) if one.get("startPlayer")), 0),
        counts=not play.get("ignored"),
    )


def _name_players(people: list[dict[str, Any]]) -> Iterator[str]:
    """The names; several anonymous players of a play get numbers."""
    anonymous = 0
    for person in people:
        name = _read_name(person["name"])
        if person.get("isAnonymous"):
            anonymous += 1
            name = name if anonymous == 1 else f"{name[: MAX_NAME_LENGTH - 3]} {anonymous}"
        yield name


def _read_score(name: str, score: dict[str, Any]) -> int:
    """A score, which may be a sum: `18+4`."""
    text = str(score.get("score") or "")
    if not re.fullmatch(r"[0-9]{1,3}(?:[+-][0-9]{1,3}){0,20}", text):
        problem = Sentence(
            "{name} has no score, or one that is not a number; enter it in BG Stats", name=name
        )
        raise _Wrong(problem)
    total = sum(map(int, re.findall(r"[+-]?[0-9]+", text)))
    return _read_number(str(total), MOST_POINTS)


def _rank(totals: list[int], winners: list[bool]) -> list[int]:
    """Places: winners first, whatever broke the tie, then by points."""
    worth = [(is_won, 0 if is_won else n) for is_won, n in zip(winners, totals, strict=True)]
    return [1 + sum(other > one for other in worth) for one in worth]
