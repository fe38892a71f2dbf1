"""How turns and rounds begin and end: what happens by itself, without a move of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.table import Question, Turn

if TYPE_CHECKING:
    from engine.table import Table


def begin(t: Table, index: int, character: str) -> None:
    """The called character is shown: a robbed one pays, the King takes the crown."""
    seat = t.own_seat(index)
    seat.revealed += (character,)
    t.stage = "turn"
    t.turn = Turn(index, character)
    if character == t.robbed:
        _pay_thief(t, index)
    if t.rules.characters[character].takes_crown:
        give_crown(t, index)


def _pay_thief(t: Table, victim: int) -> None:
    thief = t.holder("thief")
    if thief is None or thief == victim:
        return  # a position may name a robbed character without saying who robs
    gold = t.seats[victim].gold
    t.own_seat(victim).gold = 0
    t.own_seat(thief).gold += gold
    t.tell("robbed", victim, thief, amount=gold)


def give_crown(t: Table, index: int) -> None:
    """The crown goes to that seat, if it is not there already."""
    if t.crown != index:
        t.tell("crowned", index, t.crown)
        t.crown = index


def finish(t: Table) -> None:
    """The turn ends, and the next rank is called."""
    t.turn = None
    advance(t)


def advance(t: Table) -> None:
    """Call the next rank of the cast, or end the round after the last."""
    by_rank = t.rules.by_rank
    t.stage = "calling"
    t.called += 1
    while t.called <= t.rules.last_rank and t.called not in by_rank:
        t.called += 1
    if t.called > t.rules.last_rank:
        close_round(t)
    elif by_rank[t.called] == t.killed:
        t.tell("murdered", card=t.killed)


def close_round(t: Table) -> None:
    """The last rank has been called: ask whose the killed was where it matters, then go on."""
    t.called = 0
    killed = t.killed
    if killed is not None and _matters(t, killed):
        t.questions = (Question("unmask", t.crown, killed),)
    else:
        next_round(t)


def _matters(t: Table, killed: str) -> bool:
    if t.rules.answers["killed_player_shows"] == "always":
        return True
    return t.rules.characters[killed].takes_crown


def next_round(t: Table) -> None:
    """The game is over if a city was completed; otherwise this round's marks are taken away."""
    t.called = 0
    if t.first_complete or any(t.is_complete(seat) for seat in t.seats):
        t.stage = "over"
        t.tell("game_over")
        return
    t.round += 1
    t.stage = "selection"
    t.faceup = None if t.rules.faceup_count else ()
    t.killed = t.robbed = None
    for index, seat in enumerate(t.seats):
        if seat.revealed or seat.chosen or seat.last_rank:
            fresh = t.own_seat(index)
            fresh.revealed = fresh.chosen = ()
            fresh.last_rank = None
    t.tell("round_begins", amount=t.round)


def note_completion(t: Table, index: int) -> None:
    """After a city has grown: remember who completed a city first (+4, rules.md)."""
    if not t.first_complete and t.is_complete(t.seats[index]):
        t.first_complete = (index,)
        t.tell("completed_first", index)
