"""Who completed a city first, and whether that can have come about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.position.reader import Reader
    from engine.problems import Path
    from engine.ruleset import Ruleset


def read_first_complete(r: Reader) -> None:
    """Who completed a city first."""
    data = r.facts.get("first_complete")
    path: Path = ("position", "first_complete")
    first = r.seats(data, path)
    if len(first) > 1 and not r.rules.having("rings_at"):
        r.check.say(
            path,
            "several complete a city first only by the Bell Tower, which is not in this game",
        )
    complete = [i for i in r.rules.seats if r.t.is_complete(r.t.seats[i])]
    if data is None and len(complete) == 1:
        first = tuple(complete)  # the only complete city was the first
    r.t.first_complete = first
    if r.rules.counts_cards and data is not None:
        _check_first(r, complete, path)


def _check_first(r: Reader, complete: list[int], path: Path) -> None:
    seats, first = r.t.seats, r.t.first_complete
    if complete and not first:
        r.check.say(
            path,
            "{player}'s city is complete, so somebody was first",
            player=seats[complete[0]].name,
        )
    least = _least_left(r.rules)
    for index in first:
        if seats[index].city.size < least:
            r.check.say(
                path,
                "{player}'s city has too few districts to have been complete ({least} at least)",
                player=seats[index].name,
                least=least,
            )


def _least_left(rules: Ruleset) -> int:
    """The fewest districts that can be left of a city that was once complete.

    A complete city is out of rank 8's reach until something opens it: an Armory that hits it or
    stands in it, a Bell Tower that falls, a Monument (two districts) that leaves it. Then rank 8
    and the Armory take one district each: the game ends with the round.
    """
    size: int = rules.answers["city_size"]
    towers = [rules.districts[tower].effects["rings_at"] for tower in rules.having("rings_at")]
    monuments = rules.having("counts_as")
    armory = "armory" in rules.districts
    opens = bool(towers or monuments) or (armory and rules.answers["armory_complete_city"])
    losses = armory + 1 if opens else 0
    fewest: int = min([size, *towers])
    return max(1, fewest - losses - len(monuments))
