"""The recap of a game, as lines for people and as JSON: its outcome, its story, who was whom, the
final cities and its course. The page and the card to share are made from the same parts.

It contains only what everybody at the table knew in the end; what is still secret is left out.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.extensions.looking_back import telling, timeline
from companion.extensions.looking_back.recap import short_story
from companion.language import _, cards, end_sentence, listing, name_cards, number_entry, translate
from companion.log.store import StoreError
from companion.wording import facts
from companion.wording.story import tell_winners
from engine import scoring, views

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from companion.extensions.looking_back.recap.short_story import Point
    from companion.extensions.looking_back.timeline import Deed, RoundEnd, Timeline
    from companion.log.store import Store
    from engine.referee import Referee
    from engine.table import Table


class Recap(NamedTuple):
    """The recap of a game. A file has no name and no times, an unfinished game no end."""

    course: Timeline
    story: Sequence[Point]
    table: Table
    """The final table, as the public knows it."""

    first: int
    """The seat that had the crown first."""

    over: bool
    """Whether the game has ended: also one of which only the final cities were noted."""

    name: str | None = None
    started: datetime | None = None
    ended: datetime | None = None
    minutes: int | None = None
    """Playing time."""

    @property
    def is_counted(self) -> bool:
        """Whether there are points: in light mode only at the end."""
        return self.table.rules.tracks_cities or self.over


class Whom(NamedTuple):
    characters: tuple[str, ...]
    """Those shown; a murdered character that was never shown is not known."""

    murdered: bool
    robbed: bool


def look_back(
    referee: Referee,
    name: str | None = None,
    store: Store | None = None,
    game: int = 0,
) -> Recap:
    """The recap of the moves that were not undone, in the current language; for that game of the
    log with its times, where they can be read."""
    info = minutes = None
    with suppress(StoreError):
        if store is not None:
            info, minutes = store.info(game), store.count_minutes(game)
    course = timeline.tell(referee)
    table = views.redact(referee.table, views.PUBLIC)
    is_scored = info is not None and info.finished and "position" in info.setup
    over = table.stage == "over" or is_scored
    return Recap(
        course,
        short_story.find_story(course, referee.list_latest(), table, over=over),
        table,
        first=referee.start.crown,
        over=over,
        name=name,
        started=info and info.started,
        ended=info.update_time if info is not None and over else None,
        minutes=minutes,
    )


def find_whom(recap: Recap, number: int, seat: int) -> Whom:
    fates = {deed.kind for deed in deeds_of(recap, number) if deed.victim == seat}
    characters = tuple(
        role.character for role in recap.course.roles if (role.round, role.seat) == (number, seat)
    )
    return Whom(characters, timeline.KILL in fates, timeline.ROB in fates)


def find_last_role(recap: Recap, seat: int) -> str | None:
    """The last character that the player was known to have."""
    characters = (role.character for role in reversed(recap.course.roles) if role.seat == seat)
    return next(characters, None)


def tell_outcome(recap: Recap) -> str:
    """The outcome in a line, as a heading: who wins, or who leads so far."""
    names = recap.course.players
    standing = scoring.standing(recap.table)
    first, second = (standing.scores[seat].total for seat in standing.ranking[:2])
    if recap.over and len(standing.winners) > 1:
        return tell_winners([names[seat] for seat in standing.winners], first)
    if not recap.over and (not recap.is_counted or first == second):
        return _("Recap of a game of {names}").format(names=listing(names))
    wins, leads = _("{player} wins, {points} to {other}"), _("{player} leads, {points} to {other}")
    sentence = wins if recap.over else leads
    return sentence.format(player=names[standing.ranking[0]], points=first, other=second)


def tell_frame(recap: Recap) -> str:
    parts = [translate(recap.table.rules.edition.title)]
    parts += [recap.started.astimezone().strftime("%Y-%m-%d")] if recap.started else []
    rounds = recap.course.rounds
    parts.append(telling.rounds(rounds[-1].round) if rounds else _("only the end was noted"))
    parts += [telling.minutes(recap.minutes)] if recap.over and recap.minutes else []
    return " · ".join(parts)


def lines(recap: Recap) -> list[str]:
    """The recap for a terminal or a voice: the outcome and the story first, one fact per line."""
    told = [end_sentence(tell_outcome(recap))]
    told += [] if recap.name is None else [_("Game {name}.").format(name=recap.name)]
    told.append(translate(recap.table.rules.edition.title))
    if not recap.over:
        told.append(say_not_over())
    if not recap.course.rounds:
        told.append(_("Only the end of this game was noted."))
    told += [point.text for point in recap.story]
    players = recap.course.players
    for end in recap.course.rounds:
        told += _tell_round(end, players)
        told += [
            number_entry(short_story.word(deed.kind), short_story.tell(deed, players))
            for deed in deeds_of(recap, end.round)
        ]
        told += tell_roles(recap, end.round)
    told += [line for seat in recap.table.rules.seats for line in tell_city(recap, seat)]
    return [*told, *facts.tell_scores(recap.table, final=recap.over)]


def tell_roles(recap: Recap, number: int) -> list[str]:
    """Who was who in that round, in a line; none if nobody had to show a character."""
    names = recap.course.players
    words = [
        _("{player} {number}").format(player=name, number=cards(whom.characters))
        for seat, name in enumerate(names)
        if (whom := find_whom(recap, number, seat)).characters
    ]
    return [_("Characters: {cards}.").format(cards=", ".join(words))] if words else []


def tell_city(recap: Recap, seat: int) -> list[str]:
    """The player's city in a line; none where no districts are kept."""
    districts = recap.table.seats[seat].city.cards
    if not districts:
        return []
    city = ", ".join(name_cards(one.id for one in districts))
    return [
        _("{player}'s city: {districts}.").format(player=recap.course.players[seat], districts=city)
    ]


def say_not_over() -> str:
    return _("The game is not over; this is the recap so far.")


def deeds_of(recap: Recap, number: int) -> list[Deed]:
    return [deed for deed in recap.course.deeds if deed.round == number]


def _tell_round(end: RoundEnd, names: Sequence[str]) -> list[str]:
    words = [_("Round {round}.").format(round=end.round)]
    if end.points:
        words.append(_("Points: {numbers}.").format(numbers=list_by_player(names, end.points)))
    return [*words, _("Gold: {numbers}.").format(numbers=list_by_player(names, end.gold))]


def list_by_player(names: Sequence[str], numbers: Sequence[int | None]) -> str:
    return listing(
        _("{player} {number}").format(player=name, number=number)
        for name, number in zip(names, numbers, strict=True)
        if number is not None
    )


def data(recap: Recap) -> dict[str, Any]:
    """The recap as the JSON of `companion recap` (docs/reference/api.md)."""
    t, names = recap.table, recap.course.players
    ends = recap.course.rounds
    return {
        "game": recap.name,
        "edition": t.rules.edition.id,
        "started": _format_moment(recap.started),
        "ended": _format_moment(recap.ended),
        "players": list(names),
        "over": recap.over,
        "outcome": tell_outcome(recap),
        "rounds": [
            {
                "round": end.round,
                "over": recap.over or end is not ends[-1],
                "points": dict(zip(names, end.points, strict=True)) if end.points else None,
                "gold": dict(zip(names, end.gold, strict=True)),
                "characters": {
                    name: list(find_whom(recap, end.round, seat).characters)
                    for seat, name in enumerate(names)
                },
            }
            for end in ends
        ],
        "marks": [_deed_data(deed, names) for deed in recap.course.deeds],
        "turning_points": [
            {"round": point.round, "kind": point.kind}
            | {"players": [names[seat] for seat in point.seats], "text": point.text}
            for point in recap.story
        ],
        "cities": {
            name: [district.id for district in seat.city.cards]
            for name, seat in zip(names, t.seats, strict=True)
        },
        "score": views.score_json(t, final=recap.over) if recap.is_counted else None,
    }


def _format_moment(moment: datetime | None) -> str | None:
    """As the log has it, and so the history."""
    return None if moment is None else moment.isoformat(timespec="milliseconds")


def _deed_data(deed: Deed, names: Sequence[str]) -> dict[str, Any]:
    """The deed as JSON; its amount is `gold` for a robbery, `points` for a district, and neither
    for a murder."""
    strikes = deed.kind in (timeline.DESTROY, timeline.TAKE)
    actor, victim = deed.find_names(names)
    return {
        "round": deed.round,
        "kind": deed.kind,
        "player": actor or None,
        "as": deed.character or None,
        "victim": victim or None,
        "card": deed.card,
        "gold": deed.amount if deed.kind == timeline.ROB else None,
        "points": deed.amount if strikes else None,
        "text": short_story.tell(deed, names),
    }
