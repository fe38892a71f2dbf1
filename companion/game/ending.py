"""The end of a game, told part by part, and the same people's next one."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import records
from companion.game.asking import Row
from companion.language import _
from companion.store import StoreError
from companion.wording import facts, story
from engine import record, scoring
from engine.problems import Inconsistent

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session import Session
    from companion.store import Store
    from engine.record import Setup
    from engine.scoring import SeatScore
    from engine.table import Table


EVENING = timedelta(hours=12)
"""How far back games belong to the same evening."""

MOST_GAMES = 20
"""How many games are looked at for that."""


class Part(NamedTuple):
    """One part of the scores: its heading and a line for each player who has points in it."""

    title: str
    lines: tuple[str, ...]


def parts(session: Session) -> list[Part]:
    """The scores one part at a time, then the winner, the whole table with its ties, and who won
    the evening's other games."""
    t = session.view
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
    with suppress(StoreError):  # another game that cannot be read is not told of
        found += _evening(session)
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


def _evening(session: Session) -> list[Part]:
    """Who won the other games that the same people finished within `EVENING`; none without any."""
    since = datetime.now(UTC) - EVENING
    lines = []
    for info in session.store.games(MOST_GAMES):  # the one played last first
        if info.updated < since:
            break
        if info.finished and info.id != session.game and _same_people(info.setup, session.setup):
            lines.append(f"{info.name}: {_winners(session.store, info.id)}")
    return [Part(_("This evening"), tuple(reversed(lines)))] if lines else []


def _same_people(setup: dict[str, Any], now: Setup) -> bool:
    return set(setup.get("players", ())) == set(now.players)


def _winners(store: Store, game: int) -> str:
    """Who won that finished game, in a sentence."""
    try:
        log = store.load(game)
        table = record.read(log.setup | {"moves": log.moves})
        return story.winners(records.play(table).table)
    except (Inconsistent, StoreError):
        return _("it was played by other rules.")


def rows(left: list[Part]) -> tuple[Row, ...]:
    """What can be done after the end: hear what is left of the scores, then play on."""
    if left:
        return (Row(_("Go on"), number=1, word="next"),)
    return (
        Row(_("Play again with the same names"), number=1, word="rematch"),
        Row(_("The scores again"), number=2, word="score"),
        Row(_("Another game"), number=3, word="new"),
    )


def next_game(setup: Setup) -> Setup:
    """The same people, box and options again, with the first crown by that box's rule: where it is
    the oldest player's it stays theirs, where it is drawn by lot it is drawn anew."""
    if not setup.ruleset().edition.crown_by_lot:
        return setup
    return setup._replace(crown=secrets.choice(setup.players))
