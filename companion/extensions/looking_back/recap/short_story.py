"""The story of a game in at most five sentences: the move that decided it, the lost district that
would have changed the result, whom the Thief robbed most, who waited longest for a district, and a
close finish; and the deeds of its timeline, a noun and a sentence for each."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, NamedTuple

from companion.extensions.looking_back import telling, timeline
from companion.extensions.looking_back.timeline import DESTROY, ROB, TAKE, Deed, Timeline
from companion.language import _, card, coins, listing
from companion.wording import facts
from companion.wording import story as narration
from engine import scoring, views
from engine.table import Built, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.extensions.looking_back.timeline import Moment

DECISION, LOSS, ROBBERY, WAIT, FINISH = "decision", "loss", "robbery", "wait", "finish"
"""The kinds of sentences, in their order."""

LONG_WAIT = 3
"""Rounds in a row without a new district from which on they are told."""

CLOSE = 2
"""Points between the first two up to which the finish was close."""


class Point(NamedTuple):
    """A sentence of the story: in which round, and about whom."""

    kind: str
    round: int
    seats: tuple[int, ...]
    text: str


def find_story(
    course: Timeline, moments: Iterable[Moment], table: Table, *, over: bool
) -> list[Point]:
    """The sentences of a game's story; `moments` are its moves with the tables before and after
    each, `table` is the public view at its end."""
    if not course.rounds:
        return []
    counts = table.rules.tracks_cities
    points: list[Point | None] = []
    if over:
        standing = scoring.standing(table)
        if counts:
            points += _find_decision(moments, standing), _find_loss(course, table, standing)
        points.append(_find_finish(course, table, standing))
    points += _find_robbery(course), _find_wait(course)
    order = (DECISION, LOSS, ROBBERY, WAIT, FINISH)
    return sorted(filter(None, points), key=lambda point: order.index(point.kind))


def _find_decision(moments: Iterable[Moment], standing: scoring.Standing) -> Point | None:
    """The move that swung the ranking for good: by it the winner passed the last others who were
    ahead or level. None for a shared victory, or if a tie-break decided."""
    winner = standing.winners[0]
    passed: dict[int, tuple[Moment, list[int]]] = {}  # by the number of the move
    by: dict[int, int] = {}
    was: set[int] = set()
    for number, moment in enumerate(moments):
        before, _move, after = moment
        if before.crown == after.crown and all(map(is_, before.seats, after.seats)):
            continue  # nothing that scores has changed
        totals = [scoring.score_of(after, seat).total for seat in after.rules.seats]
        now = {seat for seat, total in enumerate(totals) if total < totals[winner]}
        for seat in now - was:
            passed.setdefault(number, (moment, []))[1].append(seat)
            by[seat] = number
        was = now
    if len(was) < len(standing.places) - 1:
        return None
    last = max(by.values())
    moment, seats = passed[last]
    lasting = tuple(seat for seat in sorted(seats) if by[seat] == last)
    return _tell_decision(moment, winner, lasting)


def _tell_decision(moment: Moment, winner: int, passed: tuple[int, ...]) -> Point:
    before, move, after = moment
    tables = [views.redact(table, views.PUBLIC) for table in (before, after)]
    name = next(filter(None, narration.tell(tables[0], move, tables[1])), "")
    sentence = (
        _("Round {round} decided it, when {player} passed {names} for good: {move}")
        if name
        else _("Round {round} decided it, when {player} passed {names} for good.")
    )
    names = before.rules.names
    text = sentence.format(
        round=before.round, player=names([winner])[0], names=listing(names(passed)), move=name
    )
    return Point(DECISION, before.round, (winner, *passed), text)


def _find_loss(course: Timeline, table: Table, standing: scoring.Standing) -> Point | None:
    """The last destroyed or taken district with which its owner would have won."""
    for deed in reversed(course.deeds):
        seat = deed.victim
        if deed.kind not in (DESTROY, TAKE) or seat is None or deed.actor in (None, seat):
            continue
        assert deed.actor is not None
        if deed.amount <= 0 or deed.card in table.seats[seat].city.ids:
            continue
        other = scoring.standing(_give_back(table, deed))
        if seat in other.winners and seat not in standing.winners:
            text = _(
                "With the {district}, lost to {player} in round {round}, {victim} would have had "
                "{points} and won."
            ).format(
                district=card(deed.card),
                player=course.players[deed.actor],
                round=deed.round,
                victim=course.players[seat],
                points=facts.points(other.scores[seat].total),
            )
            return Point(LOSS, deed.round, (seat, deed.actor), text)
    return None


def _give_back(table: Table, deed: Deed) -> Table:
    """The table with the district that was destroyed or taken in its city again."""
    assert deed.victim is not None
    copy = table.copy()
    if deed.kind == TAKE and deed.actor is not None:
        taker = copy.own_seat(deed.actor)
        card_taken = taker.city.find(deed.card)
        if card_taken is not None:
            copy.set_city(taker, taker.city.cards_without(card_taken))
    seat = copy.own_seat(deed.victim)
    district = Built(deed.card, built_in_round=deed.round)
    copy.set_city(seat, (*seat.city.cards, district))
    return copy


def _find_robbery(course: Timeline) -> Point | None:
    robberies = [deed for deed in course.deeds if deed.kind == ROB]
    losses = [
        sum(deed.amount for deed in robberies if deed.victim == seat)
        for seat in range(len(course.players))
    ]
    seats = _find_most(losses)
    if not seats:
        return None
    last = max(deed.round for deed in robberies if deed.victim in seats)
    text = _("Lost most to the Thief: {names}, {gold}.")
    return Point(
        ROBBERY, last, seats, text.format(names=_name(course, seats), gold=coins(max(losses)))
    )


def _find_wait(course: Timeline) -> Point | None:
    """Who went the most rounds in a row without a new district."""
    waits: list[int] = []
    for seat in range(len(course.players)):
        count = longest = 0
        for end in course.rounds:
            count = 0 if (end.round, seat) in course.builders else count + 1
            longest = max(longest, count)
        waits.append(longest)
    most = max(waits)
    if most < LONG_WAIT:
        return None
    seats = _find_most(waits)
    text = _("Longest wait for a district: {names}, {rounds}.").format(
        names=_name(course, seats), rounds=telling.rounds(most)
    )
    return Point(WAIT, course.rounds[-1].round, seats, text)


def _find_finish(course: Timeline, table: Table, standing: scoring.Standing) -> Point | None:
    """That the first two were close; between them only a tie-break if they have equal points."""
    first, second = standing.ranking[:2]
    margin = standing.scores[first].total - standing.scores[second].total
    if margin > CLOSE:
        return None
    if margin:
        text = _("A close finish: {points} between {one} and {other}.").format(
            points=facts.points(margin), one=course.players[first], other=course.players[second]
        )
    else:
        text = _("A close finish: {result}").format(result=facts.tell_result(table)[0])
    return Point(FINISH, course.rounds[-1].round, (first, second), text)


def _find_most(numbers: Sequence[int]) -> tuple[int, ...]:
    """The seats with the largest number; none if it is 0."""
    most = max(numbers)
    return tuple(seat for seat, number in enumerate(numbers) if number == most) if most else ()


def _name(course: Timeline, seats: Iterable[int]) -> str:
    return listing(course.players[seat] for seat in seats)


def word(kind: str) -> str:
    """The noun for a deed, from the chronicle where it has one."""
    deeds = {
        timeline.KILL: narration.MURDER,
        timeline.ROB: narration.ROBBERY,
        timeline.DESTROY: narration.DESTRUCTION,
    }
    return narration.name_deed(deeds[kind]) if kind in deeds else _("Takeover")


def tell(deed: Deed, names: Sequence[str]) -> str:
    """The deed in a sentence, or two if a murdered player is known; `names` by seat."""
    actor, victim = deed.find_names(names)
    match deed.kind:
        case timeline.KILL:
            return _tell_murder(deed, actor, victim)
        case timeline.ROB:
            return _tell_robbery(deed, actor, victim)
        case timeline.TAKE:
            sentence = _("{player} takes {victim}'s {district}.")
        case _ if deed.actor == deed.victim:
            sentence = _("{player} destroys the {district} in their own city.")
        case _:
            sentence = _("{player} destroys {victim}'s {district}.")
    return sentence.format(player=actor, victim=victim, district=card(deed.card))


def _tell_murder(deed: Deed, actor: str, victim: str) -> str:
    text = _("{player} murders the {character}.") if actor else _("The {character} was murdered.")
    text = text.format(player=actor, character=card(deed.card))
    if not victim:
        return text
    who = _("{player} was the murdered {character}.")
    return f"{text} {who.format(player=victim, character=card(deed.card))}"


def _tell_robbery(deed: Deed, actor: str, victim: str) -> str:
    sentence = (
        _("{thief} steals {gold} from {victim}.")
        if deed.amount
        else _("{thief} steals nothing: {victim} has no gold.")
    )
    return sentence.format(thief=actor, victim=victim, gold=coins(deed.amount))
