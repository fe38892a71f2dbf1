"""Shared by the commands that look back: choosing games, pages."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterable

from common import own_files
from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.commands import CommandError
from companion.commands.declared import arg, wrong
from companion.errors.output import print_error
from companion.files.locations import cannot_be_saved
from companion.history import games
from companion.history.games import GameFilter
from companion.language import _
from engine.editions import editions


def _take_day(word: str) -> str:
    try:
        games.begin_of_day(word)
    except ValueError:
        problem = Sentence("“{day}” is not a date; write it like 2026-11-22", day=word)
        raise wrong(problem) from None
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


def write_page(path: str, draw: Callable[[], str], prog: str) -> None:
    """Write a page to that file and report it. Raises CommandError."""
    sentence = Sentence(
        "{file} already exists and is of another kind; name another file", file=path
    )
    write_drawing(path, draw().encode(), locate(f"{prog} --html", sentence))
    print_error([_("The page is in {file}.").format(file=path)])


def write_drawing(path: str, content: bytes, sentence: Sentence) -> None:
    """Write a page or picture; only an older one may be overwritten: a record or a log of games,
    given by mistake, could not be recovered. Raises CommandError, with `sentence` if the file is
    something else."""
    head = content[:12]
    try:
        if os.path.lexists(path) and not (
            os.path.isfile(path) and own_files.read(path, len(head)) == head
        ):
            raise CommandError(sentence)
        own_files.replace(path, content, mode=0o644, makes_folder=False)
    except (OSError, ValueError) as error:
        raise CommandError(cannot_be_saved(path, error)) from None
