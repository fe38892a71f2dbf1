"""The turning points of a game in words: changes of the lead, the cost of attacks and robberies;
and the deeds of its timeline, a noun and a sentence for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.history import timeline
from companion.history.timeline import DESTROY, ROB, TAKE
from companion.language import _, card, coins
from companion.wording import chronicle, facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.history.timeline import Mark, RoundEnd, Timeline
    from engine.table import Table


LOSS, ROBBERY, LEAD, COMPLETE = "loss", "robbery", "lead", "complete"

LARGE_ROBBERY = 4
"""Gold: a robbery from this amount on counts, twice what a player gathers in a turn."""


class TurningPoint(NamedTuple):
    """An event that changed the course of the game, and for whom."""

    kind: str
    round: int
    seat: int
    text: str


def find_turning_points(course: Timeline, table: Table) -> list[TurningPoint]:
    """The game's turning points in order; `table` is the public view at its end."""
    names = course.players
    found = [point for mark in course.marks if (point := _tell_mark(mark, names)) is not None]
    last = course.rounds[-1].round  # the first complete city makes it the last round
    found += [_complete(seat, last, names) for seat in table.first_complete]
    found += _find_leads(course, over=table.stage == "over")
    return sorted(found, key=lambda point: point.round)


def _tell_mark(mark: Mark, names: Sequence[str]) -> TurningPoint | None:
    if mark.victim is None or mark.actor is None:
        return None
    if mark.kind in (DESTROY, TAKE) and mark.amount > 0:
        told = _("{player} lost {points} to the {card} in round {round}.").format(
            player=names[mark.victim],
            points=facts.points(mark.amount),
            card=card(mark.character),
            round=mark.round,
        )
        return TurningPoint(LOSS, mark.round, mark.victim, told)
    if mark.kind == ROB and mark.amount >= LARGE_ROBBERY:
        told = _("{thief} stole {gold} from {victim} in round {round}.").format(
            thief=names[mark.actor],
            gold=coins(mark.amount),
            victim=names[mark.victim],
            round=mark.round,
        )
        return TurningPoint(ROBBERY, mark.round, mark.victim, told)
    return None


def _complete(seat: int, number: int, names: Sequence[str]) -> TurningPoint:
    told = _("{player} was the first to complete a city, in round {round}.")
    return TurningPoint(COMPLETE, number, seat, told.format(player=names[seat], round=number))


def _find_leads(course: Timeline, *, over: bool) -> Iterator[TurningPoint]:
    """The ends of rounds after which another player leads alone."""
    counted = [end for end in course.rounds if end.points]
    led: int | None = None
    for end in counted if over else counted[:-1]:
        leader = _leader(end)
        if leader in (None, led) or len(counted) == 1:
            continue
        led = leader
        told = _("{player} took the lead in round {round} with {points}.").format(
            player=course.players[leader], round=end.round, points=facts.points(max(end.points))
        )
        yield TurningPoint(LEAD, end.round, leader, told)


def _leader(end: RoundEnd) -> int | None:
    """The seat that alone has the most points."""
    most = max(end.points)
    return end.points.index(most) if most and end.points.count(most) == 1 else None


def word(kind: str) -> str:
    """The noun for a deed, from the chronicle where it has one."""
    marked = {
        timeline.KILL: chronicle.MURDER,
        timeline.ROB: chronicle.ROBBERY,
        timeline.DESTROY: chronicle.DESTRUCTION,
    }
    return chronicle.word(marked[kind]) if kind in marked else _("Takeover")


def tell(mark: Mark, names: Sequence[str]) -> str:
    """The deed in a sentence, or two if a murdered player is known; `names` by seat."""
    actor = "" if mark.actor is None else names[mark.actor]
    victim = "" if mark.victim is None else names[mark.victim]
    match mark.kind:
        case timeline.KILL:
            return _tell_murder(mark, actor, victim)
        case timeline.ROB:
            return _tell_robbery(mark, actor, victim)
        case timeline.TAKE:
            sentence = _("{player} takes {victim}'s {district}.")
        case _ if mark.actor == mark.victim:
            sentence = _("{player} destroys the {district} in their own city.")
        case _:
            sentence = _("{player} destroys {victim}'s {district}.")
    return sentence.format(player=actor, victim=victim, district=card(mark.card))


def _tell_murder(mark: Mark, actor: str, victim: str) -> str:
    told = _("{player} murders the {character}.") if actor else _("The {character} was murdered.")
    told = told.format(player=actor, character=card(mark.card))
    if not victim:
        return told
    who = _("{player} was the murdered {character}.")
    return f"{told} {who.format(player=victim, character=card(mark.card))}"


def _tell_robbery(mark: Mark, actor: str, victim: str) -> str:
    sentence = (
        _("{thief} steals {gold} from {victim}.")
        if mark.amount
        else _("{thief} steals nothing: {victim} has no gold.")
    )
    return sentence.format(thief=actor, victim=victim, gold=coins(mark.amount))
