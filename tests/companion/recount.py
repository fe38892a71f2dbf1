"""An independent count of the statistics from records, using the bookkeeper of the engine's tests,
without the engine or the history code."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from tests.engine.bookkeeping import Bookkeeper, scores
from tests.engine.bookkeeping.books import Books


class Recounted(NamedTuple):
    """The results of one game."""

    head: dict[str, Any]
    rounds: int
    totals: dict[str, int]
    places: dict[str, int]
    last: dict[str, list[str]]
    cards: dict[
        tuple[str, str], Counter[str]
    ]  # a player with a character: chosen, murdered, robbed
    districts: dict[str, Counter[str]]  # a district: built, destroyed
    parts: dict[str, list[int]]


def recount(head: dict[str, Any], moves: Iterable[str]) -> Recounted:
    """Play the record of a finished game in the books and count the events."""
    keeper = Bookkeeper(head)
    b = keeper.books
    cards: dict[tuple[str, str], Counter[str]] = {}
    districts: dict[str, Counter[str]] = {}
    for text in moves:
        verb, *words = shlex.split(text)
        character = b.cast.get(b.called, "") if verb == "reveal" else b.killed
        if verb == "reveal" or (verb == "unmask" and words != ["nobody"]):
            counts = cards.setdefault((_find_name(b, words[0]), character), Counter())
            counts["chosen"] += 1
            counts["murdered"] += character == b.killed
            thief = b.find_acting("thief")
            if verb == "reveal" and character == b.robbed and character != b.killed:
                counts["robbed"] += thief is not None and b.players[thief].name != words[0]
        before = _cities(b)
        keeper.play(text)
        _compare(before, _cities(b), districts)
    result = scores.result(b)
    names = [player.name for player in b.players]
    return Recounted(
        head=head,
        rounds=b.round,
        totals={name: sum(result.lines[seat].values()) for seat, name in enumerate(names)},
        places=_places(b, result),
        last={name: _list_last_shown(b, seat) for seat, name in enumerate(names)},
        cards=cards,
        districts=districts,
        parts={name: _parts(result.lines[seat]) for seat, name in enumerate(names)},
    )


def _find_name(b: Books, name: str) -> str:
    return b.players[b.seats[name]].name


def _cities(b: Books) -> Counter[str]:
    return Counter(card.id for player in b.players for card in player.city)


def _compare(before: Counter[str], after: Counter[str], found: dict[str, Counter[str]]) -> None:
    for what, difference in (("built", after - before), ("destroyed", before - after)):
        for district, number in difference.items():
            found.setdefault(district, Counter())[what] += number


def _list_last_shown(b: Books, seat: int) -> list[str]:
    shown = [*b.players[seat].revealed]
    if b.unmasked == seat and b.killed and b.killed not in shown:
        shown.append(b.killed)
    return shown


def _parts(lines: scores.Lines) -> list[int]:
    name = ("districts", "five_types", "complete")
    return [*(lines[part] for part in name), sum(v for k, v in lines.items() if k not in name)]


def _places(b: Books, result: scores.Result) -> dict[str, int]:
    """Everybody's place, by the number of players with more points, or tied and better in a
    tie-break."""
    measures = {
        "district_points": lambda seat: scores.district_points(b, result.lines[seat]),
        "gold": lambda seat: b.players[seat].gold,
        "highest_rank": lambda seat: scores._last_rank(b, seat, b.unmasked),
    }
    worth = [
        [sum(lines.values()), *(measures[step](seat) for step in b.answers["tie_break"])]
        for seat, lines in enumerate(result.lines)
    ]
    return {
        player.name: 1 + sum(other > worth[seat] for other in worth)
        for seat, player in enumerate(b.players)
    }


def statistics(games: list[Recounted]) -> dict[str, Any]:
    """The expected part of `companion stats --json` for these games."""
    players: dict[str, Any] = {}
    for name in {name for game in games for name in game.totals}:
        own = [game for game in games if name in game.totals]
        characters: dict[str, Counter[str]] = {}
        for game in own:
            for (whose, character), counts in game.cards.items():
                if whose == name:
                    characters.setdefault(character, Counter()).update(counts)
            if game.places[name] == 1:
                for character in game.last[name]:
                    characters.setdefault(character, Counter())["won"] += 1
        players[name] = {
            "games": len(own),
            "wins": sum(game.places[name] == 1 for game in own),
            "average": sum(game.totals[name] for game in own) / len(own),
            "place": sum(game.places[name] for game in own) / len(own),
            "best": max(game.totals[name] for game in own),
            "characters": {
                character: {what: counts[what] for what in WHAT}
                for character, counts in characters.items()
            },
        }
    districts: dict[str, Counter[str]] = {}
    for game in games:
        for district, counts in game.districts.items():
            districts.setdefault(district, Counter()).update(counts)
    return {
        "games": len(games),
        "players": players,
        "districts": {
            id_: {"built": counts["built"], "destroyed": counts["destroyed"]}
            for id_, counts in districts.items()
        },
        "highest": max(total for game in games for total in game.totals.values()),
        "dearest": max(parts[0] for game in games for parts in game.parts.values()),
    }


WHAT = ("chosen", "won", "murdered", "robbed")
