"""The moment of a position: the rank being called, and the turn being played.

Of a turn it reads what was done so far: districts built, powers used, gold spent.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.position.open_question import read_kind
from engine.rules import turns
from engine.rules.characters import POWERS
from engine.rules.districts import USES
from engine.rules.payments import BORROWED
from engine.table import (
    BEWITCHED,
    HOSPITAL,
    LAST,
    NAMING,
    RESUMED,
    THREATENED,
    UNNAMED,
    WHOLE,
    Table,
    Turn,
)

if TYPE_CHECKING:
    from common.problems import Path
    from engine.position.position_reader import PositionReader
    from engine.ruleset import Ruleset


TURN_KEYS = ("player", "character", "called_by", "gathered", "income", "built", "used", "spent")


def read_built(reader: PositionReader, data: object, turn: Turn, path: Path) -> tuple[str, ...]:
    """The districts built this turn, no more of them than the character may build."""
    items = reader.check.read_items(data, path)
    districts_read = [
        _read_built(reader, item, turn, (*path, place)) for place, item in enumerate(items)
    ]
    districts = tuple(district for district in districts_read if district is not None)
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
    if facts.get("id") is not None or reader.rules.tracks_cities:
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
    return rules.outside_limit[character] if is_limited else frozenset()


def count_within_limit(rules: Ruleset, turn: Turn) -> int:
    """The districts built so far that the building limit counts, the one taken included."""
    outside_limit = list_outside_limit(rules, turn.character)
    if outside_limit:
        outside_limit |= {UNNAMED}  # it may be one of these
    return sum(district not in outside_limit for district in turn.built)


def read_used(reader: PositionReader, data: object, character: str, path: Path) -> frozenset[str]:
    """Powers by district id, by verb, or by character."""
    names = {power.verb: power.used_as for power in POWERS[character]}
    names |= {power.used_as: power.used_as for power in POWERS[character]}
    names |= {district: district for district in USES if district in reader.rules.districts}
    if reader.rules.characters[character].effects.get("borrows"):
        names[BORROWED] = BORROWED
    powers = [
        reader.check.check_known(
            item,
            (*path, place),
            names,
            "the “{id}” has no power {data}",
            id=character,
        )
        for place, item in enumerate(reader.check.read_items(data, path))
    ]
    return frozenset(names[item] for item in powers if item is not None)


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
        reader.table.answer_threats(turn.character)


def check_turn_so_far(reader: PositionReader, turn: Turn, path: Path) -> None:
    """Check that districts built or used are in the city, unless this turn may have removed
    them."""
    if not reader.rules.tracks_cities:
        return
    city = Counter(card.id for card in reader.table.seats[turn.seat].city.cards)
    districts = turn.built[:-1] if reader.question == "warrant" else turn.built  # not yet in a city
    for key, districts_named in (
        ("built", Counter(districts)),
        ("used", Counter(turn.used & reader.rules.districts.keys())),
    ):
        for district in districts_named - city:
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
    if elsewhere and (turn.character in reader.table.marks.warrants or "diplomat" in turn.used):
        return True  # confiscated, exchanged
    sacrificed = reader.rules.cards_with("pays_for_another") | reader.rules.cards_with(
        "built_over_another"
    )
    is_struck = bool({"warlord", "armory"} & turn.used)
    return is_struck or any(lost in sacrificed for lost in (*turn.built, district))


def read_stage(reader: PositionReader) -> None:
    """Read whether the game is over, and which question is open: both decide what else can be."""
    if "over" in reader.facts:
        reader.is_over = reader.check.read_truth(reader.facts["over"], ("position", "over"))
    read_kind(reader)
    if reader.is_after_calling:
        for key in ("called", "turn", *(["awaiting"] if reader.is_over else [])):
            if reader.facts.get(key) is not None:
                reader.check.say(
                    ("position", key), "after the last rank there is no “{key}”", key=key
                )
                reader.facts[key] = None


def read_moment(reader: PositionReader) -> None:
    """Read the rank being called, and the turn."""
    if reader.is_after_calling:
        _set_called(reader, 0)
    _read_called(reader, reader.facts.get("called"))
    _read_turn(reader, reader.facts.get("turn"))


def _read_called(reader: PositionReader, data: object) -> None:
    if data is None:
        return
    path: Path = ("position", "called")
    rank = reader.check.read_number(data, path, least=1, most=reader.rules.last_rank)
    _set_called(reader, rank)


def _set_called(reader: PositionReader, rank: int) -> None:
    reader.table.called = rank
    reader.table.stage = "calling"
    if reader.table.faceup is None:
        reader.table.faceup = ()


def _read_turn(reader: PositionReader, data: object) -> None:
    if data is None:
        return
    path: Path = ("position", "turn")
    facts = reader.check.read_mapping(data, path, TURN_KEYS)
    index = reader.read_seat(facts.get("player"), (*path, "player"))
    character = reader.read_character(facts.get("character"), (*path, "character"))
    if index is None or character is None:
        return
    turn = Turn(index, character, called_by=find_caller(reader.table, index, character))
    if facts.get("called_by") is not None:
        caller = reader.read_seat(facts["called_by"], (*path, "called_by"))
        turn.called_by = turn.called_by if caller is None else caller
    turn.part = _read_part(reader, index, character, gathered=facts.get("gathered") is True)
    _check_turn(reader, turn, path)
    for flag in ("gathered", "income"):
        if flag in facts:
            setattr(turn, flag, reader.check.read_truth(facts[flag], (*path, flag)))
    if turn.part == BEWITCHED and turn.gathered:
        reader.check.say(
            (*path, "gathered"), "a bewitched player can't do anything after gathering"
        )
    if turn.part == RESUMED:
        turn.gathered = True  # the bewitched player has, and the Witch takes over
    if turn.income and reader.rules.characters[character].income is None:
        reader.check.say((*path, "income"), "“{id}” has no income from districts", id=character)
    turn.used = read_used(reader, facts.get("used"), character, (*path, "used"))
    turn.built = read_built(reader, facts.get("built"), turn, (*path, "built"))
    for power in POWERS[character]:
        if power.used_as in turn.used and power.follows_gathering(reader.rules):
            turn.gathered = True
            turn.part = LAST if power.is_last(reader.rules) else turn.part
    check_first_part(reader, turn, path)
    last = turn.built[-1] if turn.built else UNNAMED
    may_ring = last in reader.rules.cards_with("rings_at") and last not in reader.unannounced
    if may_ring and reader.question != "warrant":  # not before the Magistrate's answer
        reader.table.tell("may_ring")
    if "spent" in facts:
        turn.spent = reader.check.read_number(facts["spent"], (*path, "spent"))
    check_turn_so_far(reader, turn, path)
    reader.table.turn = turn
    reader.table.stage = "turn"


def find_caller(table: Table, index: int, character: str) -> int:
    """The seat that had the crown when the character was called, if a position does not say. If a
    King has taken it, it may have been any player who can punish forgotten thanks: the table
    knows."""
    if table.rules.characters[character].takes_crown and table.crown == index:
        for other, seat in enumerate(table.seats):
            if other != index and "asks_courtesy" in seat.city.effects:
                return other
    return table.crown


def _read_part(reader: PositionReader, index: int, character: str, *, gathered: bool) -> str:
    """Which part of the turn it is: resumed by the Witch, of a killed player with the Hospital."""
    seat = reader.table.seats[index]
    if character == reader.table.marks.bewitched:
        is_own = reader.rules.picks > 1 and reader.table.holder(character) in (None, index)
        resumes = "witch" in seat.revealed and (gathered or not is_own)
        return RESUMED if resumes else BEWITCHED
    if character == reader.table.marks.killed and "gathers_when_killed" in seat.city.effects:
        return HOSPITAL
    if character == "witch":
        return NAMING
    return THREATENED if turns.is_threatened(reader.table, index, character) else WHOLE


def _check_turn(reader: PositionReader, turn: Turn, path: Path) -> None:
    index, character = turn.seat, turn.character
    rank = reader.rules.characters[character].rank
    if reader.table.called and reader.table.called != rank:
        reader.check.say(
            path,
            "rank {called} is called, but “{id}” has rank {rank}",
            called=reader.table.called,
            id=character,
            rank=rank,
        )
    _set_called(reader, rank)
    if character == reader.table.marks.killed and turn.part != HOSPITAL:
        reader.check.say(path, "“{id}” was killed and has no turn", id=character)
    if turn.part == NAMING and reader.table.marks.bewitched:
        reader.check.say(path, "the turn of “{id}” ended when she bewitched", id=character)
    if character in (reader.table.faceup or ()):
        reader.check.say(path, "“{id}” is face up and has no turn", id=character)
    holder = reader.table.holder(character)
    if turn.part == RESUMED and holder is None and reader.rules.picks == 1:
        reader.check.say(path, "nobody has revealed the bewitched “{id}”", id=character)
    elif turn.part != RESUMED and holder is not None and holder != index:
        name = reader.rules.player_names[holder]
        reader.check.say(path, "“{id}” was revealed by {player}", id=character, player=name)
    elif holder is None:
        seat = reader.table.own_seat(index)
        seat.revealed += (character,)
        if len(seat.revealed) > reader.rules.picks:
            reader.check.say(
                path,
                "{player} has already shown “{id}”",
                player=seat.name,
                id=seat.revealed[0],
            )


def check_round_so_far(reader: PositionReader) -> None:
    """Check that no rank was shown before it was called."""
    if not reader.table.called:
        return
    for seat in reader.table.seats:
        for character in seat.revealed:
            rank = reader.rules.characters[character].rank
            later = rank > reader.table.called
            open_call = rank == reader.table.called and reader.table.turn is None
            if later or open_call:
                reader.check.say(
                    ("position", "revealed"),
                    "“{id}” is revealed, but rank {rank} has not been answered yet",
                    id=character,
                    rank=rank,
                )


def end_game(reader: PositionReader) -> None:
    if not reader.is_over:
        return
    reader.table.stage = "over"
    if reader.rules.only_scores:
        reader.table.questions = ()  # with which it begins
    if not reader.table.is_last_round:
        reader.check.say(("position", "over"), "no city was completed, so the game is not over")
