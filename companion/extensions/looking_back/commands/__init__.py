"""Choosing games, shared by the commands that look back."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.commands.declared import arg, wrong
from companion.history import games
from companion.history.games import GameFilter
from companion.settings import checks
from engine.editions import editions


def _take_day(word: str) -> str:
    problem = checks.day(word)
    if problem:
        raise wrong(problem)
    return word


def _take_edition(word: str) -> str:
    if word not in editions():
        problem = Sentence("there is no edition called “{word}”", word=word)
        raise wrong(suggest(problem, find_nearest(word, editions())))
    return word


EDITION = arg("--edition", metavar="EDITION", type=_take_edition, help="only games with this box")
DAYS = (
    arg("--since", metavar="DAY", type=_take_day, help="only games from this day on: YYYY-MM-DD"),
    arg("--until", metavar="DAY", type=_take_day, help="only games up to this day: YYYY-MM-DD"),
)


def choose_games(
    args: Namespace,
    edition: str | None = None,
    *,
    all_of: Iterable[str] = (),
) -> GameFilter:
    """The games of these days with this box in which all of these played."""
    return GameFilter(
        players=tuple(all_of),
        edition=edition,
        since=args.since and games.begin_of_day(args.since),
        until=args.until and games.begin_of_day(args.until, after=True),
    )
