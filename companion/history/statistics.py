"""Statistics over games: by player, character, district and box, head to head, and records.

Only finished games count. Averages are not rounded. Statistics are plain data, in the format of
`companion stats --json`. A record is held by who set it first.

Many games are added up only once: a cached file names its source (the log, its last row, the
players' names and the choice of games) and is valid while all of these are unchanged. A damaged or
missing file, or one of another version, is made again silently. Moves in games that are still
unfinished do not invalidate it.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from common import own_files
from common.sentences import Sentence
from companion.files import locations
from companion.history import games, people
from companion.log import digest
from companion.log.digest import CHOSEN, MURDERED, ROBBED
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.history.games import Game
    from companion.history.people import People
    from companion.log.digest import Played

    Counts = dict[str, int]
    import sqlite3

    from companion.history.games import Progress, Wanted
    from companion.log.store import Store


NAMES = (
    "highest_score",
    "lowest_winning_score",
    "widest_margin",
    "most_expensive_city",
    "most_districts",
    "most_gold_left",
    "most_gold_stolen",
    "most_destroyed",
    "longest_streak",
    "most_rounds",
    "fewest_rounds",
    "longest_game",
)
"""All records in the order shown. Units: points, districts, gold, games, rounds; the longest game
in minutes. A city's cost is what its districts score, with the Artist's gold."""

_LEAST = frozenset({"lowest_winning_score", "fewest_rounds"})


class _Held(NamedTuple):
    value: int
    player: str | None
    game: str


class Records:
    """The records so far."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def add(
        self, game: Game, names: Sequence[str], totals: Sequence[int], streaks: Sequence[int]
    ) -> None:
        """Take a game into account, with its players' current names, their points, and how many
        games in a row each has won."""
        ordered = sorted(totals, reverse=True)
        for seat, player in enumerate(game.digest.players):
            whose = (names[seat], game.name)
            self._try("highest_score", totals[seat], *whose)
            self._try("most_expensive_city", player.parts[0], *whose)
            self._try("most_districts", player.city, *whose)
            self._try("most_gold_left", player.gold, *whose)
            self._try("most_gold_stolen", player.stolen, *whose)
            if player.destroyed:
                self._try("most_destroyed", sum(player.destroyed.values()), *whose)
            if player.place == 1:
                self._try("lowest_winning_score", totals[seat], *whose)
                self._try("widest_margin", ordered[0] - ordered[1], *whose)
                if streaks[seat] > 1:
                    self._try("longest_streak", streaks[seat], *whose)
        self._try("most_rounds", game.digest.rounds, None, game.name)
        self._try("fewest_rounds", game.digest.rounds, None, game.name)
        self._try("longest_game", game.minutes, None, game.name)

    def _try(self, record: str, value: int, player: str | None, game: str) -> None:
        held = self._held.get(record)
        if record in _LEAST:
            better = held is None or value < held.value
        else:
            better = value > (held.value if held else 0)
        if better:
            self._held[record] = _Held(value, player, game)

    def data(self) -> list[dict[str, Any]]:
        """Each record with its value, its game and, if one player holds it, the player."""
        return [
            {"record": record, **self._held[record]._asdict()}
            for record in NAMES
            if record in self._held
        ]


def add_up(games: Iterable[Game], people: People) -> dict[str, Any]:
    """The statistics of those games that are over."""
    counting = _Counting(people)
    over = [game for game in games if game.over and game.id not in people.left_out]
    for game in sorted(over, key=lambda game: (game.ended, game.id)):
        counting.add(game)
    return counting.data()


class _Person:
    """One player's sums."""

    def __init__(self) -> None:
        self.name = ""
        self.games = self.wins = self.points = self.places = self.best = 0
        self.streak = self.longest = 0
        self.characters: dict[str, Counts] = {}

    def data(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "wins": self.wins,
            "average": self.points / self.games,
            "place": self.places / self.games,
            "best": self.best,
            "streak": self.longest,
            "characters": dict(sorted(self.characters.items())),
        }


class _Counting:
    """Adds up games, which must come oldest first."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._games = 0
        self._persons: dict[str, _Person] = {}
        self._folded: dict[str, str] = {}
        self._districts: dict[str, Counts] = {}
        self._editions: dict[str, list[int]] = {}
        self._pairs: dict[tuple[str, str], list[int]] = {}
        self._records = Records()

    def add(self, game: Game) -> None:
        found = game.digest
        names = self._people.resolve(game.id, tuple([player.name for player in found.players]))
        keys = [self._fold(name) for name in names]
        self._games += 1
        box = self._editions.setdefault(found.edition, [0, 0, 0, 0])
        box[0] += 1
        box[1] += found.rounds
        totals = [player.total for player in found.players]
        box[2] += sum(totals)
        box[3] += len(totals)
        streaks = []
        for key, name, player, total in zip(keys, names, found.players, totals, strict=True):
            person = self._persons.get(key) or self._persons.setdefault(key, _Person())
            person.name = name
            self._add_result(person, player, total)
            streaks.append(person.streak)
            self._add_characters(person, player)
            self._add_districts(player)
        self._add_pairs(keys, [player.place for player in found.players])
        self._records.add(game, names, totals, streaks)

    def _fold(self, name: str) -> str:
        key = self._folded.get(name)
        if key is None:
            key = self._folded[name] = fold(name)
        return key

    def _add_result(self, person: _Person, player: Played, total: int) -> None:
        person.best = max(person.best, total) if person.games else total
        person.games += 1
        person.points += total
        person.places += player.place
        if player.place == 1:
            person.wins += 1
            person.streak += 1
            person.longest = max(person.longest, person.streak)
        else:
            person.streak = 0

    def _add_characters(self, person: _Person, player: Played) -> None:
        for character, counts in player.characters.items():
            sums = person.characters.get(character)
            if sums is None:
                sums = person.characters[character] = dict.fromkeys(OF_A_CHARACTER, 0)
            sums["chosen"] += counts[CHOSEN]
            sums["murdered"] += counts[MURDERED]
            sums["robbed"] += counts[ROBBED]
        if player.place == 1:
            for character in player.last:
                person.characters.setdefault(character, dict.fromkeys(OF_A_CHARACTER, 0))
                person.characters[character]["won"] += 1

    def _add_districts(self, player: Played) -> None:
        for what, districts in (("built", player.built), ("destroyed", player.destroyed)):
            for district, number in districts.items():
                sums = self._districts.get(district)
                if sums is None:
                    sums = self._districts[district] = {"built": 0, "destroyed": 0}
                sums[what] += number

    def _add_pairs(self, keys: list[str], places: list[int]) -> None:
        for at, one in enumerate(keys):
            for to in range(at + 1, len(keys)):
                other = keys[to]
                first, second = (at, to) if one < other else (to, at)
                pair = (keys[first], keys[second])
                sums = self._pairs.get(pair) or self._pairs.setdefault(pair, [0, 0, 0])
                sums[0] += 1
                sums[1] += places[first] < places[second]
                sums[2] += places[second] < places[first]

    def data(self) -> dict[str, Any]:
        """The statistics; players and pairs with the most games first."""
        persons = sorted(self._persons.values(), key=lambda p: (-p.games, fold(p.name)))
        pairs = sorted(self._pairs.items(), key=lambda pair: (-pair[1][0], pair[0]))
        return {
            "games": self._games,
            "players": {person.name: person.data() for person in persons},
            "characters": _sum_characters(persons),
            "districts": dict(sorted(self._districts.items())),
            "editions": {
                edition: {"games": games, "rounds": rounds / games, "average": points / seats}
                for edition, (games, rounds, points, seats) in sorted(self._editions.items())
            },
            "head_to_head": [self._pair(pair, sums) for pair, sums in pairs],
            "records": self._records.data(),
        }

    def _pair(self, pair: tuple[str, str], sums: list[int]) -> dict[str, Any]:
        one, other = (self._persons[key].name for key in pair)
        return {"players": [one, other], "games": sums[0], "ahead": {one: sums[1], other: sums[2]}}


OF_A_CHARACTER = ("chosen", "won", "murdered", "robbed")
"""The counts of a character."""


def _sum_characters(persons: Iterable[_Person]) -> dict[str, Counts]:
    found: dict[str, Counts] = {}
    for person in persons:
        for character, counts in person.characters.items():
            sums = found.setdefault(character, dict.fromkeys(OF_A_CHARACTER, 0))
            for what, number in counts.items():
                sums[what] += number
    return dict(sorted(found.items()))


def limit_to_players(statistics: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The statistics of only these players, by their current names, with their head-to-head
    results: against each other or, for a single one, against everybody."""
    wanted = set(map(fold, names))
    least = min(2, len(wanted))
    return statistics | {
        "players": {
            name: data for name, data in statistics["players"].items() if fold(name) in wanted
        },
        "head_to_head": [
            pair
            for pair in statistics["head_to_head"]
            if len(wanted & set(map(fold, pair["players"]))) >= least
        ],
    }


FORMAT = 1
MOST_FILES = 40
"""Cached files: one per recent choice of games."""

_LARGEST = 64_000_000  # bytes

_STATE = """
SELECT (SELECT at || text FROM events ORDER BY seq LIMIT 1), max(seq) FROM events
"""
_OVER_SINCE = "SELECT 1 FROM events WHERE seq > ? AND kind = 'finish'"
_WAS_OVER = """
SELECT 1 FROM events WHERE seq > ? AND game IN (
    SELECT game FROM events WHERE kind = 'finish' AND seq <= ?
)
"""


def read_statistics(
    store: Store, wanted: Wanted, progress: Progress = games.ignore_progress
) -> dict[str, Any]:
    """The statistics of the wanted games (`statistics.add_up`).

    Raises StoreError.
    """
    known = people.read(store)
    with store.database.errors_in_rows(Sentence("the games cannot be listed")):
        rows = store.database.read()
        state = rows.execute(_STATE).fetchone() if rows else (None, None)
        source = [
            FORMAT,
            digest.VERSION,
            os.path.realpath(store.path),
            _changes(known),
            list(wanted),
        ]
        path = _path(store, wanted)
        found = _read(path, json.loads(json.dumps(source)))
        if found is not None and rows is not None and _is_current(rows, found["state"], state):
            kept: dict[str, Any] = found["statistics"]
            return kept
    with games.pause_garbage_collection():
        looked_at = games.read_all(store, progress)
        made = add_up((g for g in looked_at if wanted.takes(g, known)), known)
    _write(path, {"source": source, "state": state, "statistics": made})
    return made


def _changes(known: People) -> list[Any]:
    return [[(*step[:3], sorted(step.games)) for step in known.steps], sorted(known.left_out)]


def _is_current(rows: sqlite3.Connection, then: list[Any], now: tuple[Any, ...]) -> bool:
    """Whether the finished games are still the same."""
    first, last = then
    if first != now[0] or last is None or last > now[1]:
        return False
    if last == now[1]:
        return True
    changed = rows.execute(_OVER_SINCE, (last,)).fetchone()
    return changed is None and rows.execute(_WAS_OVER, (last, last)).fetchone() is None


def _path(store: Store, wanted: Wanted) -> str:
    what = json.dumps([os.path.realpath(store.path), *wanted])
    return os.path.join(folder(), f"{zlib.crc32(what.encode()):08x}.json")


def folder() -> str:
    """The cache folder; its contents can be deleted at any time."""
    return os.path.join(locations.cache_dir(), "statistics")


def drop_cache() -> None:
    """Delete the cached statistics, as after a game was removed."""
    import shutil

    shutil.rmtree(folder(), ignore_errors=True)


def _read(path: str, source: list[Any]) -> dict[str, Any] | None:
    """The cached content if it was made from that source, otherwise None."""
    try:
        content = own_files.read(path, _LARGEST)
        checksum, body = content[:8], content[8:]
        if checksum != f"{zlib.crc32(body):08x}".encode():
            return None
        found: dict[str, Any] = json.loads(body)
    except (OSError, ValueError, RecursionError):
        return None
    return found if found.get("source") == source else None


def _write(path: str, content: dict[str, Any]) -> None:
    body = json.dumps(content, separators=(",", ":")).encode()
    with suppress(OSError):  # without a cache they are made again
        own_files.replace(path, f"{zlib.crc32(body):08x}".encode() + body, durable=False)
        _remove_old(os.path.dirname(path))


def _remove_old(kept_in: str) -> None:
    files = sorted(os.scandir(kept_in), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in files[MOST_FILES:]:
        os.unlink(entry.path)
