"""A recap: one game with its timeline and turning points, as lines for people and as JSON.

It contains only what everybody at the table knew in the end; what is still secret is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.history import timeline
from companion.history.recap import turning
from companion.language import _, listing, number_entry, translate
from companion.wording import facts
from engine import views

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from companion.history.recap.turning import TurningPoint
    from companion.history.timeline import Mark, Moment, RoundEnd, Timeline
    from companion.log.store import GameInfo
    from engine.referee import Referee
    from engine.table import Table


class Recap(NamedTuple):
    """The recap of a game. A file has no name and no times, an unfinished game no end."""

    course: Timeline
    turning_points: Sequence[TurningPoint]
    table: Table
    """The final table, as the public knows it."""

    first: int
    """The seat that had the crown first."""

    last_shown: Sequence[str | None]
    """The last character that each seat was known to have."""

    name: str | None = None
    started: datetime | None = None
    ended: datetime | None = None
    minutes: int | None = None
    """Playing time."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.stage == "over"


def look_back(
    referee: Referee,
    name: str | None = None,
    info: GameInfo | None = None,
    minutes: int | None = None,
) -> Recap:
    """The recap of the moves that were not undone, in the current language. For a game of the log,
    `info` is its line in the list and `minutes` its playing time."""
    start, moments = referee.start, referee.list_latest()
    course = timeline.tell(start, moments)
    table = views.redact(referee.table, views.PUBLIC)
    return Recap(
        course,
        turning.find_turning_points(course, table),
        table,
        first=start.crown,
        last_shown=_find_last_shown(start, moments),
        name=name,
        started=info and info.started,
        ended=info.updated if info is not None and table.stage == "over" else None,
        minutes=minutes,
    )


def _find_last_shown(start: Table, moments: Iterable[Moment]) -> list[str | None]:
    shown: list[str | None] = [next(iter(seat.revealed[::-1]), None) for seat in start.seats]
    for before, move, after in moments:
        if move.verb == "reveal":
            shown[after.seat_named(move.args[0])] = before.rules.by_rank[before.called]
        for event in after.events:
            if event.kind == "unmasked":
                shown[event.seats[0]] = event.card
    return shown


def lines(recap: Recap) -> list[str]:
    """The recap for a terminal or a voice: one fact per line."""
    told = [] if recap.name is None else [_("Game {name}.").format(name=recap.name)]
    told.append(translate(recap.table.rules.edition.title))
    if not recap.over:
        told.append(say_not_over())
    names = recap.course.players
    for end in recap.course.rounds:
        told += _tell_round(end, names)
        told += [
            number_entry(turning.word(mark.kind), turning.tell(mark, names))
            for mark in marks_of(recap, end.round)
        ]
    if recap.turning_points:
        told.append(_("Turning points:"))
        told += [point.text for point in recap.turning_points]
    return [*told, *final_lines(recap)]


def say_not_over() -> str:
    """The sentence that the game has no end yet."""
    return _("The game is not over; this is the recap so far.")


def final_lines(recap: Recap) -> list[str]:
    """The scores by their parts, and the winner."""
    if recap.over:
        return [_("Final scores."), *facts.score(recap.table), facts.result(recap.table)]
    return [_("Scores so far; the game is not over."), *facts.score(recap.table)]


def marks_of(recap: Recap, number: int) -> list[Mark]:
    """The marks of that round, in order."""
    return [mark for mark in recap.course.marks if mark.round == number]


def _tell_round(end: RoundEnd, names: Sequence[str]) -> list[str]:
    told = [_("Round {round}.").format(round=end.round)]
    if end.points:
        told.append(_("Points: {numbers}.").format(numbers=_list_by_player(names, end.points)))
    return [*told, _("Gold: {numbers}.").format(numbers=_list_by_player(names, end.gold))]


def _list_by_player(names: Sequence[str], numbers: Sequence[int]) -> str:
    return listing(
        _("{player} {number}").format(player=name, number=number)
        for name, number in zip(names, numbers, strict=True)
    )


def data(recap: Recap) -> dict[str, Any]:
    """The recap as the JSON of `companion recap` (docs/reference/api.md)."""
    t, names = recap.table, recap.course.players
    counted = t.rules.counts_cards or recap.over
    ends = recap.course.rounds
    return {
        "game": recap.name,
        "edition": t.rules.edition.id,
        "started": _format_moment(recap.started),
        "ended": _format_moment(recap.ended),
        "players": list(names),
        "over": recap.over,
        "rounds": [
            {
                "round": end.round,
                "over": recap.over or end is not ends[-1],
                "points": dict(zip(names, end.points, strict=True)) if end.points else None,
                "gold": dict(zip(names, end.gold, strict=True)),
            }
            for end in ends
        ],
        "marks": [_mark_data(mark, names) for mark in recap.course.marks],
        "turning_points": [
            {"round": point.round, "kind": point.kind, "player": names[point.seat]}
            | {"text": point.text}
            for point in recap.turning_points
        ],
        "score": views.score_json(t, final=recap.over) if counted else None,
    }


def _format_moment(moment: datetime | None) -> str | None:
    """As the log has it, and so the history."""
    return None if moment is None else moment.isoformat(timespec="milliseconds")


def _mark_data(mark: Mark, names: Sequence[str]) -> dict[str, Any]:
    """The mark as JSON; its amount is `gold` for a robbery, `points` for a district, and neither
    for a murder."""
    strikes = mark.kind in (timeline.DESTROY, timeline.TAKE)
    return {
        "round": mark.round,
        "kind": mark.kind,
        "player": None if mark.actor is None else names[mark.actor],
        "as": mark.character or None,
        "victim": None if mark.victim is None else names[mark.victim],
        "card": mark.card,
        "gold": mark.amount if mark.kind == timeline.ROB else None,
        "points": mark.amount if strikes else None,
        "text": turning.tell(mark, names),
    }
