"""The first player to complete a city, and whether that is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from common.problems import Path
    from engine.position.reader import PositionReader
    from engine.ruleset import Ruleset


def read_first_complete(reader: PositionReader) -> None:
    """Read who completed a city first."""
    data = reader.facts.get("first_complete")
    path: Path = ("position", "first_complete")
    first = reader.read_seats(data, path)
    if len(first) > 1 and not reader.rules.cards_with("rings_at"):
        reader.check.say(
            path,
            "several players can be first to complete a city only with the Bell Tower, which "
            "isn't in this game",
        )
    complete = [i for i in reader.rules.seats if reader.table.is_complete(reader.table.seats[i])]
    if data is None and len(complete) == 1:
        first = tuple(complete)  # the only complete city was the first
    elif data is None and complete:
        reader.check.say(
            ("position",),
            "several cities are complete; write in “first_complete” who was first",
        )
    reader.table.first_complete = first
    if reader.rules.counts_cards and data is not None:
        _check_first(reader, complete, path)


def _check_first(reader: PositionReader, complete: list[int], path: Path) -> None:
    seats, first = reader.table.seats, reader.table.first_complete
    if complete and not first:
        reader.check.say(
            path,
            "{player}'s city is complete, so somebody was first",
            player=seats[complete[0]].name,
        )
    least = _least_left(reader.rules)
    for index in first:
        if seats[index].city.size < least:
            reader.check.say(
                path,
                "{player}'s city has too few districts to have been complete (at least {least})",
                player=seats[index].name,
                least=least,
            )


def _least_left(rules: Ruleset) -> int:
    """The fewest districts that a once complete city can have left.

    A complete city is out of rank 8's reach until something opens it: an Armory that hits it or is
    part of it, a Bell Tower that is lost, a Monument (two districts) that leaves it. Then rank 8
    and the Armory take one district each: the game ends with the round.
    """
    size: int = rules.answers["city_size"]
    towers = [rules.districts[tower].effects["rings_at"] for tower in rules.cards_with("rings_at")]
    monuments = rules.cards_with("counts_as")
    armory = "armory" in rules.districts
    opens = bool(towers or monuments) or (armory and rules.answers["armory_complete_city"])
    losses = armory + 1 if opens else 0
    fewest: int = min([size, *towers])
    return max(1, fewest - losses - len(monuments))
