"""Statistics over games: by player, character, district and box, head to head, and records.

Only finished games count. Averages are not rounded. Statistics are plain data, in the format of
`companion stats --json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.history.records import Records
from companion.log.digest import CHOSEN, MURDERED, ROBBED
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.history.games import Game
    from companion.history.people import People
    from companion.log.digest import Played

    Counts = dict[str, int]


def add_up(games: Iterable[Game], people: People) -> dict[str, Any]:
    """The statistics of those games that are over."""
    counting = _Counting(people)
    over = [game for game in games if game.over]
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
        names = self._people.resolve(tuple([player.name for player in found.players]))
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
