"""The story of a game: which sentences are told, and that they are true."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

import pytest

from companion.extensions.looking_back import recap
from companion.extensions.looking_back.recap import Recap, short_story
from companion.log import records
from engine import record, scoring
from engine.referee import Referee
from tests.bench.many_games import play_setup
from tests.engine.boxes import EDITIONS, random_setup
from tests.sizes import pick_size


def look_at(edition: str, seed: int) -> tuple[Recap, Referee]:
    """A random game of that box, and its recap."""
    return _look_at(random_setup(edition, f"story {seed}"), seed)


def _look_at(head: dict[str, Any], seed: int) -> tuple[Recap, Referee]:
    game = play_setup(head, seed)
    referee = records.play(record.read({**game.setup, "moves": game.moves})).referee
    return recap.look_back(referee), referee


@pytest.mark.sweep
def test_each_sentence_is_told_at_most_once_and_is_true() -> None:
    fields: Counter[str] = Counter()
    for seed in range(pick_size(2, 4, 100)):
        for edition in EDITIONS:
            look, referee = look_at(edition, seed)
            kinds = [point.kind for point in look.story]
            assert len(kinds) == len(set(kinds)) <= 5
            fields.update(kinds)
            for point in look.story:
                CHECKS[point.kind](look, referee, point)
    assert set(fields) >= {
        short_story.DECISION,
        short_story.ROBBERY,
        short_story.WAIT,
        short_story.FINISH,
    }


def check_decision(look: Recap, referee: Referee, point: short_story.Point) -> None:
    """The winner has passed these players at that move, and nobody afterwards."""
    winner, *passed = point.seats
    behind = 0
    for before, _move, after in referee.list_latest():
        totals = [scoring.score_of(after, seat).total for seat in after.rules.seats]
        if max(total for seat, total in enumerate(totals) if seat != winner) >= totals[winner]:
            behind = before.round
    assert scoring.standing(look.table).winners == [winner]
    assert point.round >= behind
    assert passed


def check_loss(look: Recap, referee: Referee, point: short_story.Point) -> None:
    """The victim lost at least as many points as were missing."""
    victim, actor = point.seats
    standing = scoring.standing(look.table)
    missing = max(score.total for score in standing.scores) - standing.scores[victim].total
    deeds = [
        deed
        for deed in look.course.deeds
        if (deed.round, deed.victim, deed.actor) == (point.round, victim, actor)
    ]
    assert deeds
    assert missing >= 0
    assert victim not in standing.winners


def check_robbery(look: Recap, referee: Referee, point: short_story.Point) -> None:
    """Nobody lost more to the Thief."""
    losses = Counter({seat: 0 for seat in look.table.rules.seats})
    for deed in look.course.deeds:
        if deed.kind == "rob" and deed.victim is not None:
            losses[deed.victim] += deed.amount
    most = max(losses.values())
    assert point.seats == tuple(seat for seat, gold in sorted(losses.items()) if gold == most)
    assert f"{most} gold" in point.text


def check_wait(look: Recap, referee: Referee, point: short_story.Point) -> None:
    """Everybody named built nothing for that long, and nobody for longer."""
    rounds = [end.round for end in look.course.rounds]
    idle = {
        seat: [(number, seat) not in look.course.builders for number in rounds]
        for seat in point.seats
    }
    waits = {
        seat: max(len(list(run)) for waiting, run in groupby(mine) if waiting)
        for seat, mine in idle.items()
    }
    assert len(set(waits.values())) == 1
    assert f"{next(iter(waits.values()))} rounds" in point.text


def check_finish(look: Recap, referee: Referee, point: short_story.Point) -> None:
    """The first two are close."""
    scores = sorted((score.total for score in scoring.standing(look.table).scores), reverse=True)
    assert scores[0] - scores[1] <= short_story.CLOSE


CHECKS = {
    short_story.DECISION: check_decision,
    short_story.LOSS: check_loss,
    short_story.ROBBERY: check_robbery,
    short_story.WAIT: check_wait,
    short_story.FINISH: check_finish,
}


def test_a_lost_district_that_was_worth_the_victory_is_told() -> None:
    look, _referee = look_at("millennium_3e", 2)
    lines = [point.text for point in look.story if point.kind == short_story.LOSS]
    assert lines == [
        "With the Manor, lost to Ashley in round 3, Ben would have had 24 points and won."
    ]
    assert [score.total for score in scoring.standing(look.table).scores] == [17, 20, 5, 16]


def test_cities_that_are_not_kept_have_a_story_without_their_course() -> None:
    head = random_setup("classic_2016", "light") | {"options": {"cities": "untracked"}}
    look, _referee = _look_at(head, 1)
    kinds = {point.kind for point in look.story}
    assert not kinds & {short_story.DECISION, short_story.LOSS}
