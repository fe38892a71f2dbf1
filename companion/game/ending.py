"""The end of a game, told part by part, and the same people's next one."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

from companion.language import _
from companion.wording import facts, story
from engine import scoring

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.record import Setup
    from engine.scoring import SeatScore
    from engine.table import Table


class Part(NamedTuple):
    """One part of the scores: its heading and a line for each player who has points in it."""

    title: str
    lines: tuple[str, ...]


def parts(t: Table) -> list[Part]:
    """The scores one part at a time, then the winner, then the whole table with its ties."""
    standing = scoring.standing(t)
    found = []
    for title, points in _parts():
        rows = [(t.seats[seat].name, points(standing.scores[seat])) for seat in t.rules.seats]
        lines = [
            _("{player}: {points}.").format(player=name, points=facts.points(gained))
            for name, gained in rows
            if gained
        ]
        found.append(Part(title, tuple(lines) or (_("Nobody."),)))
    found.append(Part(_("The winner"), (story.winners(t), *_tie(t, standing.tie_break))))
    found.append(Part(_("The final scores"), tuple(facts.score(t))))
    return found


def _parts() -> list[tuple[str, Callable[[SeatScore], int]]]:
    return [
        (_("Districts"), lambda score: score.districts),
        (_("Five types"), lambda score: score.five_types),
        (_("Complete cities"), lambda score: score.complete),
        (_("Unique districts"), lambda score: sum(score.unique.values())),
    ]


def _tie(t: Table, tie_break: str | None) -> tuple[str, ...]:
    return (facts.result(t),) if tie_break else ()


def next_game(setup: Setup) -> Setup:
    """The same people, box and options again, with the first crown by that box's rule: where it is
    the oldest player's it stays theirs, where it is drawn by lot it is drawn anew."""
    if not setup.ruleset().edition.crown_by_lot:
        return setup
    return setup._replace(crown=secrets.choice(setup.players))
