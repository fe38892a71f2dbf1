"""The moment of a position: the rank being called, and the turn being played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.position.deeds import check_deeds, check_first_part, read_built, read_used
from engine.rules import turns
from engine.rules.characters import POWERS
from engine.table import BEWITCHED, HOSPITAL, LAST, NAMING, RESUMED, THREATENED, WHOLE, Turn

if TYPE_CHECKING:
    from engine.position.reader import Reader
    from engine.problems import Path

TURN_KEYS = ("player", "character", "gathered", "income", "built", "used", "spent")


def read_moment(r: Reader) -> None:
    """The rank being called, and the turn."""
    _called(r, r.facts.get("called"))
    _turn(r, r.facts.get("turn"))


def _called(r: Reader, data: object) -> None:
    if data is None:
        return
    path: Path = ("position", "called")
    rank = r.check.number(data, path, least=1, most=r.rules.last_rank)
    _call(r, rank)


def _call(r: Reader, rank: int) -> None:
    r.t.called = rank
    r.t.stage = "calling"
    if r.t.faceup is None:
        r.t.faceup = ()


def _turn(r: Reader, data: object) -> None:
    if data is None:
        return
    path: Path = ("position", "turn")
    facts = r.check.mapping(data, path, TURN_KEYS)
    index = r.seat(facts.get("player"), (*path, "player"))
    character = r.character(facts.get("character"), (*path, "character"))
    if index is None or character is None:
        return
    turn = Turn(index, character, called_by=r.t.crown)
    turn.part = _part(r, index, character, gathered=facts.get("gathered") is True)
    _turn_is_possible(r, turn, path)
    for flag in ("gathered", "income"):
        if flag in facts:
            setattr(turn, flag, r.check.truth(facts[flag], (*path, flag)))
    if turn.part == BEWITCHED and turn.gathered:
        r.check.say((*path, "gathered"), "a bewitched player who has gathered plays no further")
    if turn.part == RESUMED:
        turn.gathered = True  # the bewitched player has, and the Witch goes on
    if turn.income and r.rules.characters[character].income is None:
        r.check.say((*path, "income"), "“{id}” has no income from districts", id=character)
    turn.used = read_used(r, facts.get("used"), character, (*path, "used"))
    turn.built = read_built(r, facts.get("built"), turn, (*path, "built"))
    if any(power.used_as in turn.used and power.is_last(r.rules) for power in POWERS[character]):
        turn.part, turn.gathered = LAST, True
    check_first_part(r, turn, path)
    if turn.built and turn.built[-1] in r.rules.having("rings_at"):
        r.t.tell("may_ring", index, card=turn.built[-1])
    if "spent" in facts:
        turn.spent = r.check.number(facts["spent"], (*path, "spent"))
    check_deeds(r, turn, path)
    r.t.turn = turn
    r.t.stage = "turn"


def _part(r: Reader, index: int, character: str, *, gathered: bool) -> str:
    """Which part of the turn it is: the Witch plays on, a killed player has the Hospital."""
    seat = r.t.seats[index]
    if character == r.t.bewitched:
        own = r.rules.picks > 1 and r.t.holder(character) in (None, index)
        resumes = "witch" in seat.revealed and (gathered or not own)
        return RESUMED if resumes else BEWITCHED
    if character == r.t.killed and "gathers_when_killed" in seat.city.effects:
        return HOSPITAL
    if character == "witch":
        return NAMING
    return THREATENED if turns.is_threatened(r.t, index, character) else WHOLE


def _turn_is_possible(r: Reader, turn: Turn, path: Path) -> None:
    index, character = turn.seat, turn.character
    rank = r.rules.characters[character].rank
    if r.t.called and r.t.called != rank:
        r.check.say(
            path,
            "rank {called} is called, but “{id}” has rank {rank}",
            called=r.t.called,
            id=character,
            rank=rank,
        )
    _call(r, rank)
    if character == r.t.killed and turn.part != HOSPITAL:
        r.check.say(path, "“{id}” was killed and has no turn", id=character)
    if turn.part == NAMING and r.t.bewitched:
        r.check.say(path, "the turn of “{id}” ended when she bewitched", id=character)
    if character in (r.t.faceup or ()):
        r.check.say(path, "“{id}” lies face up and has no turn", id=character)
    holder = r.t.holder(character)
    if turn.part == RESUMED and holder is None and r.rules.picks == 1:
        r.check.say(path, "nobody has revealed the bewitched “{id}”", id=character)
    elif turn.part != RESUMED and holder is not None and holder != index:
        name = r.rules.player_names[holder]
        r.check.say(path, "“{id}” was revealed by {player}", id=character, player=name)
    elif holder is None:
        seat = r.t.own_seat(index)
        seat.revealed += (character,)
        if len(seat.revealed) > r.rules.picks:
            r.check.say(
                path,
                "{player} has already shown “{id}”",
                player=seat.name,
                id=seat.revealed[0],
            )


def ask_open_threat(r: Reader) -> None:
    """Who has gathered under a threat that is not settled is being asked."""
    turn = r.t.turn
    if turn is not None and turn.part == THREATENED and turn.gathered:
        turns.after_gathering(r.t)


def check_round_so_far(r: Reader) -> None:
    """Nobody has shown a rank that has not been called."""
    if not r.t.called:
        return
    for seat in r.t.seats:
        for character in seat.revealed:
            rank = r.rules.characters[character].rank
            later = rank > r.t.called
            open_call = rank == r.t.called and r.t.turn is None
            if later or open_call:
                r.check.say(
                    ("position", "revealed"),
                    "“{id}” is revealed, but rank {rank} has not been answered yet",
                    id=character,
                    rank=rank,
                )
