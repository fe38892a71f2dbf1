"""What has been done in the turn of a position: built, used, spent."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.rules.building import outside_limit
from engine.rules.characters import POWERS
from engine.rules.districts import USES
from engine.rules.payments import BORROWED
from engine.table import NAMING, THREATENED, WHOLE

if TYPE_CHECKING:
    from engine.position.reader import Reader
    from engine.problems import Path
    from engine.table import Turn


def read_built(r: Reader, data: object, turn: Turn, path: Path) -> tuple[str, ...]:
    """The districts built this turn, no more of them than the character may build."""
    read = [
        r.check.known(item, (*path, place), r.rules.districts, "{data} is no district of this game")
        for place, item in enumerate(r.check.items(data, path))
    ]
    built = tuple(district for district in read if district is not None)
    turn.built = built
    limit = r.rules.characters[turn.character].build_limit
    taken = any(p.verb == "take" and p.used_as in turn.used for p in POWERS[turn.character])
    # who may build nothing builds nothing outside a limit either
    free = outside_limit(r.rules, turn.character) if limit else ()
    if sum(district not in free for district in built) > limit + taken:
        r.check.say(
            path,
            "the building limit of this turn is {limit}, not {built}",
            built=len(built),
            limit=limit,
        )
    if built and not turn.gathered and not r.rules.answers["build_before_gathering"]:
        r.check.say(path, "nothing can be built before gathering")
    return built


def read_used(r: Reader, data: object, character: str, path: Path) -> frozenset[str]:
    """Powers by district id, by verb, or by the character whose power it is."""
    names = {power.verb: power.used_as for power in POWERS[character]}
    names |= {power.used_as: power.used_as for power in POWERS[character]}
    names |= {district: district for district in USES if district in r.rules.districts}
    if r.rules.characters[character].effects.get("borrows"):
        names[BORROWED] = BORROWED
    read = [
        r.check.known(
            item,
            (*path, place),
            names,
            "the “{id}” has no power {data}",
            id=character,
        )
        for place, item in enumerate(r.check.items(data, path))
    ]
    return frozenset(names[item] for item in read if item is not None)


def check_first_part(r: Reader, turn: Turn, path: Path) -> None:
    """Who may only gather at first has done nothing else, or has got beyond that part."""
    if not (turn.built or turn.used or turn.income):
        return
    if turn.part == NAMING:
        r.check.say(path, "the Witch does nothing but gather before she has named a character")
    elif turn.part == THREATENED and not turn.gathered:
        r.check.say(
            path, "“{id}” is threatened and does nothing before gathering", id=turn.character
        )
    elif turn.part == THREATENED:
        turn.part = WHOLE  # the threat must have been answered
        r.t.answered_threats |= {turn.character}


def check_deeds(r: Reader, turn: Turn, path: Path) -> None:
    """What was built or used stands in the city, unless this turn can have taken it away."""
    if not r.rules.counts_cards:
        return
    city = Counter(card.id for card in r.t.seats[turn.seat].city.cards)
    for key, done in (
        ("built", Counter(turn.built)),
        ("used", Counter(turn.used & r.rules.districts.keys())),
    ):
        for district in done - city:
            if not _may_have_left(r, turn, district):
                r.check.say(
                    (*path, key),
                    "“{id}” is “{key}” this turn, but is not in {player}'s city",
                    id=district,
                    key=key,
                    player=r.t.seats[turn.seat].name,
                )
    most = sum(r.rules.districts[district].cost for district in turn.built)
    if turn.spent > most:
        r.check.say(
            (*path, "spent"),
            "“spent” is {spent}, but what is built costs {most}",
            spent=turn.spent,
            most=most,
        )


def _may_have_left(r: Reader, turn: Turn, district: str) -> bool:
    """Whether a district can have been in the city this turn and is not there any more."""
    if district in r.rules.having("never_built"):
        return False
    elsewhere = any(district in seat.city.ids for seat in r.t.seats)
    if elsewhere and (turn.character in r.t.warrants or "diplomat" in turn.used):
        return True  # confiscated, exchanged
    sacrificed = r.rules.having("pays_for_another") | r.rules.having("built_over_another")
    struck = bool({"warlord", "armory"} & turn.used)
    return struck or any(built in sacrificed for built in (*turn.built, district))
