"""The turn of a position so far: districts built, powers used, gold spent."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.rules.building import find_outside_limit
from engine.rules.characters import POWERS
from engine.rules.districts import USES
from engine.rules.payments import BORROWED
from engine.table import NAMING, THREATENED, UNNAMED, WHOLE

if TYPE_CHECKING:
    from common.problems import Path
    from engine.position.reader import PositionReader
    from engine.ruleset import Ruleset
    from engine.table import Turn


def read_built(reader: PositionReader, data: object, turn: Turn, path: Path) -> tuple[str, ...]:
    """The districts built this turn, no more of them than the character may build."""
    items = reader.check.read_items(data, path)
    read = [_read_built(reader, item, turn, (*path, place)) for place, item in enumerate(items)]
    districts = tuple(district for district in read if district is not None)
    turn.built = districts
    limit = reader.rules.characters[turn.character].build_limit
    if not turn.extra:  # the file needn't say which of two was taken
        turn.extra = int(_has_taken(turn) and count_within_limit(reader.rules, turn) > limit)
    if count_within_limit(reader.rules, turn) - turn.extra > limit:
        reader.check.say(
            path,
            "the building limit of this turn is {limit}, not {built}",
            built=len(districts),
            limit=limit,
        )
    if districts and not turn.gathered and not reader.rules.answers["build_before_gathering"]:
        reader.check.say(path, "nothing can be built before gathering")
    return districts


BUILT_KEYS = ("id", "taken")


def _read_built(reader: PositionReader, item: object, turn: Turn, path: Path) -> str | None:
    """A district built this turn, `taken` if the Wizard built it at once. A table that tracks no
    cities knows no ids."""
    facts = (
        reader.check.read_mapping(item, path, BUILT_KEYS)
        if isinstance(item, dict)
        else {"id": item}
    )
    district: str | None = UNNAMED
    if facts.get("id") is not None or reader.rules.counts_cards:
        district = reader.check.check_known(
            facts.get("id"), path, reader.rules.districts, "{data} is not a district of this game"
        )
    if "taken" in facts and reader.check.read_truth(facts["taken"], (*path, "taken")):
        if turn.extra or not _has_taken(turn):
            place = (*path, "taken")
            reader.check.say(place, "only one district is “taken”, with “take” among “used”")
        turn.extra = int(district not in list_outside_limit(reader.rules, turn.character))
    return district


def _has_taken(turn: Turn) -> bool:
    return any(p.verb == "take" and p.used_as in turn.used for p in POWERS[turn.character])


def list_outside_limit(rules: Ruleset, character: str) -> frozenset[str]:
    """The districts outside the character's building limit; a limit of 0 forbids them, too."""
    is_limited = rules.characters[character].build_limit > 0
    return find_outside_limit(rules, character) if is_limited else frozenset()


def count_within_limit(rules: Ruleset, turn: Turn) -> int:
    """The districts built so far that the building limit counts, the one taken included."""
    free = list_outside_limit(rules, turn.character)
    if free:
        free |= {UNNAMED}  # it may be one of these
    return sum(district not in free for district in turn.built)


def read_used(reader: PositionReader, data: object, character: str, path: Path) -> frozenset[str]:
    """Powers by district id, by verb, or by character."""
    names = {power.verb: power.used_as for power in POWERS[character]}
    names |= {power.used_as: power.used_as for power in POWERS[character]}
    names |= {district: district for district in USES if district in reader.rules.districts}
    if reader.rules.characters[character].effects.get("borrows"):
        names[BORROWED] = BORROWED
    read = [
        reader.check.check_known(
            item,
            (*path, place),
            names,
            "the “{id}” has no power {data}",
            id=character,
        )
        for place, item in enumerate(reader.check.read_items(data, path))
    ]
    return frozenset(names[item] for item in read if item is not None)


def check_first_part(reader: PositionReader, turn: Turn, path: Path) -> None:
    """Check that a player who may only gather at first has done nothing else, or is past that
    part."""
    if not (turn.built or turn.used or turn.income):
        return
    if turn.part == NAMING:
        reader.check.say(path, "the Witch can only gather before naming a character")
    elif turn.part == THREATENED and not turn.gathered:
        reader.check.say(
            path, "“{id}” is threatened and can do nothing before gathering", id=turn.character
        )
    elif turn.part == THREATENED:
        turn.part = WHOLE  # the threat must have been answered
        reader.table.answered_threats |= {turn.character}


def check_turn_so_far(reader: PositionReader, turn: Turn, path: Path) -> None:
    """Check that districts built or used are in the city, unless this turn may have removed
    them."""
    if not reader.rules.counts_cards:
        return
    city = Counter(card.id for card in reader.table.seats[turn.seat].city.cards)
    districts = turn.built[:-1] if reader.question == "warrant" else turn.built  # not yet in a city
    for key, is_done in (
        ("built", Counter(districts)),
        ("used", Counter(turn.used & reader.rules.districts.keys())),
    ):
        for district in is_done - city:
            if not _may_have_left(reader, turn, district):
                reader.check.say(
                    (*path, key),
                    "“{id}” is “{key}” this turn, but is not in {player}'s city",
                    id=district,
                    key=key,
                    player=reader.table.seats[turn.seat].name,
                )
    most = sum(reader.rules.districts[district].cost for district in turn.built)
    if turn.spent > most:
        reader.check.say(
            (*path, "spent"),
            "“spent” is {spent}, but what is built costs {most}",
            spent=turn.spent,
            most=most,
        )


def _may_have_left(reader: PositionReader, turn: Turn, district: str) -> bool:
    """Whether a district missing from the city may have been in it earlier this turn."""
    if district in reader.rules.cards_with("never_built"):
        return False
    elsewhere = any(district in seat.city.ids for seat in reader.table.seats)
    if elsewhere and (turn.character in reader.table.warrants or "diplomat" in turn.used):
        return True  # confiscated, exchanged
    names = reader.rules.cards_with("pays_for_another") | reader.rules.cards_with(
        "built_over_another"
    )
    is_struck = bool({"warlord", "armory"} & turn.used)
    return is_struck or any(districts in names for districts in (*turn.built, district))
