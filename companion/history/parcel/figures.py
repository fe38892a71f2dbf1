"""A finished game's figures in the file: written by SQL from the ledger, read as a digest.

They save counting every game again. Whoever imports them counts a few games and compares.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from companion.log import ledger
from companion.log.digest import Digest, PlayerResult

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

_PLAYS = "SELECT game, edition, rounds FROM play WHERE over AND rounds > 0"
_OF_A_GAME = {
    "seats": """
        SELECT game, json_group_array(json_array(
            place, districts, five_types, complete, uniques, gold, city, stolen
        )) FROM (SELECT * FROM seat ORDER BY game, seat) GROUP BY game
    """,
    "characters": """
        SELECT game, json_group_array(
            json_array(seat, character, chosen, murdered, robbed, won)
        ) FROM character GROUP BY game
    """,
    "districts": """
        SELECT game, json_group_array(json_array(seat, district, built, destroyed))
        FROM district GROUP BY game
    """,
}


def list_all(rows: sqlite3.Connection) -> dict[int, dict[str, Any]]:
    """The figures of each finished game that was played; parts of them are JSON text."""
    parts = [(part, dict(rows.execute(query))) for part, query in _OF_A_GAME.items()]
    return {
        game: {"version": ledger.VERSION, "edition": edition, "rounds": rounds}
        | {part: results.get(game, "[]") for part, results in parts}
        for game, edition, rounds in rows.execute(_PLAYS)
    }


def read(data: dict[str, Any], setup: dict[str, Any], moves: int) -> Digest | None:
    """The digest of a game with that set-up and that many moves; None if another version has
    counted it. Raises ValueError, TypeError, KeyError, IndexError
    and RecursionError if the figures are none."""
    if data["version"] != ledger.VERSION:
        return None
    seats, characters, districts = (json.loads(data[part]) for part in _OF_A_GAME)
    replays = [_read_seat(*seat) for seat in zip(setup["players"], seats, strict=True)]
    for seat, character, choice, murders, victim, wins in characters:
        one = replays[check_count(seat)]
        one.characters[check_id(character)] = [*map(check_count, (choice, murders, victim))]
        if wins:
            replays[seat] = one._replace(last=(*one.last, character))
    for seat, district, after, losses in districts:
        one = replays[check_count(seat)]
        for sums, number in ((one.built, after), (one.destroyed, losses)):
            if check_count(number):
                sums[check_id(district)] = number
    edition, rounds = check_id(data["edition"]), check_count(data["rounds"])
    return Digest(edition, True, rounds, moves, tuple(replays))


def _read_seat(name: str, numbers: list[int]) -> PlayerResult:
    place, districts, five_types, complete, uniques, gold, city, count = map(check_count, numbers)
    if not place:
        raise ValueError(numbers)
    parts = (districts, five_types, complete, uniques)
    return PlayerResult(name, place, parts, gold, city, (), {}, {}, {}, count)


def check_count(number: int) -> int:
    """The number, if it can be one of a game's. Raises ValueError."""
    if type(number) is not int or not 0 <= number < 10**6:
        raise ValueError(number)
    return number


def check_id(id_: str) -> str:
    """The id, if it has the form of a card's or a box's. Raises ValueError."""
    if not isinstance(id_, str) or not 0 < len(id_) < 60 or not id_.isidentifier():
        raise ValueError(id_)
    return id_


def are_same(one: Digest, other: Digest) -> bool:
    """Whether two digests have the same figures, as far as the file has them."""
    return _list(one.players) == _list(other.players) and one[:4] == other[:4]


def _list(players: Iterable[PlayerResult]) -> list[PlayerResult]:
    return [
        one._replace(
            last=tuple(sorted(one.last)) if one.place == 1 else (),
            characters={id_: sums for id_, sums in one.characters.items() if any(sums)},
        )
        for one in players
    ]
